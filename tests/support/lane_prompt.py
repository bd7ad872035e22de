"""The prompt of an owner as another process sends it: `python -m support.lane_prompt LOCATION TAIL`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path

from agentjournal.journal.prompt import Prompt
from agentjournal.lanes.kept import KeptJournal
from agentjournal.storage.open import open_database
from support.lanes import OWNER, lane_log

_TESTS = Path(__file__).parent.parent
PREAMBLE = (
    "You keep a lighthouse with three others. You remember what happened and say in one short "
    "sentence what you do next. You never guess, and you never leave the lamp alone at night.\n\n"
)


def prompt(kept: KeptJournal, tail: str, *, preamble: str = PREAMBLE) -> Prompt:
    """Give what the owner is asked: all that it remembers, then the question."""
    return Prompt.of(preamble, kept.journal, tail=tail)


def in_another_process(location: str, tail: str) -> dict[str, object]:
    """Give the request as a process that was started for this builds it."""
    done = subprocess.run(
        [sys.executable, "-m", "support.lane_prompt", location, tail],
        capture_output=True,
        text=True,
        check=True,
        cwd=_TESTS,
        env=os.environ | {"PYTHONPATH": f"{_TESTS}:{os.environ.get('PYTHONPATH', '')}"},
    )
    return json.loads(done.stdout)


if __name__ == "__main__":
    with closing(open_database(sys.argv[1])) as database:
        kept = KeptJournal(lane_log(database), OWNER)
        print(json.dumps(prompt(kept, sys.argv[2]).to_chat("openai-chat", marks=False)))
