"""Runs every benchmark, one after the other, each in a process of its own: `make bench`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


def main(names: list[str]) -> int:
    """Run the benchmarks named (all of them where none is) and say whether each came to its end."""
    files = sorted(each for each in HERE.glob("*.py") if each.name != Path(__file__).name)
    chosen = [each for each in files if not names or each.stem in names]
    failed = []
    for file in chosen:
        print(f"\n== {file.name}\n", flush=True)
        if subprocess.run([sys.executable, str(file)], check=False).returncode:
            failed.append(file.name)
    if failed:
        print(f"\nDid not end well: {', '.join(failed)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
