"""Where model weights come from, and their integrity."""
