"""What engmem puts into the files of agent programs: exactly its own entries, and how they leave again."""
