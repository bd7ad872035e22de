"""What `engmem doctor` looks at: a store, an agent program's files, and the server it would start."""
