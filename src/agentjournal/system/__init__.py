"""The machine: git, locks, the spool, safe files, processes, clock and ids."""
