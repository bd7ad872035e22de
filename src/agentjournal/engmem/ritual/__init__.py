"""What an agent is told to do with the memory: before a task, and at its end."""
