"""Keep what coding agents learned: a log per project, journals, and the question "was this tried?"."""
