"""Feeds one parser with bytes that reach ever more of its code: `python -m support.fuzz NAME FOLDER`.

An input may take one second of processor time, and the process 256 MB more than it began with; what
breaks this or raises an error ends the run, and stands in FOLDER. Options of libFuzzer may follow.
"""

from __future__ import annotations

import importlib
import random
import resource
import sys
import time
from pathlib import Path

import atheris

SECONDS = 1
MEGABYTES = 256
LONGEST = 4096  # bytes of an input
JSON_SHARE = 0.3  # of the changes


def escaped(word: str) -> str:
    """Write a word as the fuzzer's dictionaries do."""
    return "".join(f"\\x{byte:02x}" for byte in word.encode())


def main() -> None:
    name, folder, *options = sys.argv[1:]
    with atheris.instrument_imports(include=["agentjournal", "support"]):
        parsers = importlib.import_module("support.parsers")
        mutated = importlib.import_module("support.json_mutation").mutated
    parser = {**parsers.PARSERS, **parsers.PLANTED}[name]

    def once(data: bytes) -> None:
        begun = time.process_time()
        parser.parse(data)
        taken = time.process_time() - begun
        if taken > SECONDS:
            raise TimeoutError(f"{len(data)} bytes took {taken:.1f} s")

    def another(data: bytes, most: int, seed: int) -> bytes:
        chance = random.Random(seed)  # noqa: S311 - nothing secret
        changed = mutated(data, chance) if chance.random() < JSON_SHARE else None
        return atheris.Mutate(data, most) if changed is None else changed[:most]

    seeds = Path(folder) / "seeds"
    seeds.mkdir()
    for number, seed in enumerate(parser.seeds):
        (seeds / str(number)).write_bytes(seed[:LONGEST])
    words = Path(folder) / "words"
    words.write_text("".join(f'"{escaped(word)}"\n' for word in parsers.WORDS))
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    limits = [
        f"-max_len={LONGEST}",
        f"-rss_limit_mb={used + MEGABYTES}",
        f"-artifact_prefix={folder}/",
        f"-dict={words}",
        "-timeout=60",  # for what never ends; a busy machine takes longer than a second
        "-print_final_stats=1",
    ]
    atheris.Setup([sys.argv[0], *limits, *options, str(seeds)], once, custom_mutator=another)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
