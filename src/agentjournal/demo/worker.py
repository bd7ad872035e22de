"""A worker of the demo: it knows its brief and its craft, and nothing else.

It reads the brief on its standard input, writes the file that the task asks for in the first way that is
not ruled out, runs the package's tests, commits, and hands off.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

PIECES = Path(__file__).parent / "pieces"


@dataclass(frozen=True)
class Way:
    """One way to write a file, and what it is called when it fails."""

    piece: str
    option: str


# What this worker can do: for each file, the ways it would take, best first.
CRAFT = {
    "words": [Way("words", "One regular expression over the lower-cased text")],
    "count": [Way("count", "collections.Counter over the words")],
    "pairs": [Way("pairs", "collections.Counter over zipped neighbours")],
    "store": [
        Way("store.json_object", "Save the pair counts as one JSON object keyed by the pair"),
        Way(
            "store.json_rows", "Save the pair counts as JSON rows of first word, second word, count"
        ),
    ],
    "report": [Way("report", "Sort by falling count, then by word")],
    "__main__": [Way("__main__", "A thin module over count and report")],
}


def main() -> int:
    """Do the task of the brief; exit 0 when it succeeded."""
    brief = sys.stdin.read()
    name = re.findall(r"tally/(\w+)\.py", brief)[-1]
    ruled_out = [way.option for way in CRAFT[name] if way.option in brief]
    way = next(way for way in CRAFT[name] if way.option not in ruled_out)
    write(name, way)
    failure = test()
    form = failed(name, way, failure) if failure else succeeded(name, way)
    note = f"Ruled out in my brief: {', '.join(ruled_out) or 'nothing'}."
    Path(os.environ["AGENTJOURNAL_HANDOFF"]).write_text(json.dumps(form | {"log": note + failure}))
    return 1 if failure else 0


def write(name: str, way: Way) -> None:
    """Write the module, then its test."""
    for folder in ("tally", "tests"):
        Path(folder).mkdir(exist_ok=True)
        Path(folder, "__init__.py").touch()
    Path(f"tally/{name}.py").write_text((PIECES / f"{way.piece}.py.txt").read_text())
    Path(f"tests/test_{name}.py").write_text((PIECES / f"test_{name}.py.txt").read_text())


def test() -> str:
    """Run the package's tests and give what they said where they fail."""
    run = subprocess.run(
        [sys.executable, "-m", "unittest", "discover", "-s", "tests", "-t", "."],
        capture_output=True,
        text=True,
        check=False,
    )
    return "" if run.returncode == 0 else "\n" + run.stderr


def failed(name: str, way: Way, failure: str) -> dict[str, object]:
    """Take the file back and hand off what did not work and why."""
    Path(f"tally/{name}.py").unlink()
    Path(f"tests/test_{name}.py").unlink()
    reason = failure.strip().splitlines()
    error = next((line for line in reason if re.match(r"\w*Error:", line)), reason[-1])
    return {
        "result": "failed",
        "action": f"Tried to write tally/{name}.py: its tests fail",
        "current_state": f"tally/{name}.py is not written; the rest of the package passes its tests.",
        "next_step": "Write it in another way.",
        "ruled_out": [{"option": way.option, "why": error}],
        "touches": [{"kind": "file", "name": f"tally/{name}.py"}],
    }


def succeeded(name: str, way: Way) -> dict[str, object]:
    """Commit and hand off what is there now."""
    git("add", "tally", "tests")
    git("commit", "--quiet", "--message", f"Add tally/{name}.py")
    return {
        "result": "success",
        "action": f"Wrote tally/{name}.py and its test",
        "current_state": f"tally/{name}.py is committed and its tests pass. Way taken: {way.option}.",
        "touches": [{"kind": "file", "name": f"tally/{name}.py"}],
        "artifacts": [{"kind": "commit", "ref": git("rev-parse", "HEAD")}],
    }


def git(*args: str) -> str:
    """Run git and give what it prints."""
    command = ["git", *args]
    run = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603 - fixed words
    return run.stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
