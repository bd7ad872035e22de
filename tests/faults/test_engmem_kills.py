"""F8: whoever dies while saving a document leaves the old or the new one, and nobody has to wait."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parent.parent / "support" / "engmem_kills.py"


def kills(folder: Path, *arguments: str) -> dict[str, int]:
    run = subprocess.run(
        [sys.executable, SCRIPT, folder, *arguments], check=True, capture_output=True, text=True
    )
    print(run.stdout)
    return json.loads(run.stdout)


def test_a_kill_inside_every_operation_leaves_the_old_or_the_new_document(tmp_path: Path) -> None:
    totals = kills(tmp_path)
    assert totals["kills"] >= 80
    for kind in ("third", "lost", "unfinished", "visible", "locked"):
        assert totals[kind] == 0, kind


def test_the_control_that_writes_in_place_leaves_a_third(tmp_path: Path) -> None:
    assert kills(tmp_path, "control")["third"] > 0
