"""`python -m agentjournal.cli`: the command, where a process starts another one of ours."""

from __future__ import annotations

from agentjournal.cli.main import main

if __name__ == "__main__":
    main()
