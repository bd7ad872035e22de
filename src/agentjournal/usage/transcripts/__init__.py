"""What agent programs keep of their sessions: usage, touched files and broken prefixes, without set-up."""
