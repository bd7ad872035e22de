"""What each kind of event does to the tables of a project."""
