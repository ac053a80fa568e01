"""Collections: many streams of one kind in a folder, with a manifest."""
