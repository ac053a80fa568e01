"""Moses's tables and configurations."""
