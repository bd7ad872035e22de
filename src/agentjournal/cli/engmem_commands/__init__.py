"""The commands of `engmem`, each imported when it is called."""
