"""Well-known kinds of files that users may give by mistake, recognised by their beginnings."""
