"""What a fresh worker is given."""
