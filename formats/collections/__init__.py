"""Collections: folders of many streams of one kind, with a manifest."""
