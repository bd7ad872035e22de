"""Reading a document: whole, by role, by section, or as it was when it was cited."""
