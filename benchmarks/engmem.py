"""What a search of past work costs: cold, warm, after one change, and the first of all.

Run: python benchmarks/engmem.py [--sizes 1000,10000,50000] [--reference PATH] [--ripgrep PATH]
Beside it, over the same files: ripgrep, SQLite FTS5, and the reference tool in an environment of
its own, which is asked once. Names what is above its bound, and ends with 1 where anything is.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter, process_time, sleep

from support.documents import questions, write_documents

IMPORTS = "import click, sqlite3, json, dataclasses"
SEARCH = "from agentjournal.cli.engmem_quick import main; main()"
REPEATS = 7
WARM = 50
JUDGED = 10_000  # documents: of the following, what is measured there
MOST_IMPORTS = 1.5  # times the cost of the imports, for a cold search
MOST_WARM = 5.0  # ms
MOST_CHANGED = 100.0  # ms beside a cold search, where one file changed
MOST_FIRST = 15.0  # s until the first search has an answer
MOST_MEMORY = 150.0  # MB, at any number of documents
LOOKS = 0.05  # s between two looks at the memory of a program and of those that it started

WARM_PROGRAM = """
import sys, time, resource
from pathlib import Path
from agentjournal.compose.documents import Documents
sys.path.insert(0, sys.argv[3])
from support.documents import questions
documents = Documents(Path(sys.argv[1]), Path(sys.argv[2]))
index = documents.now(time.time_ns())
asked = list(questions(int(sys.argv[4])))
for question in asked[:5]:
    index.search(question)
begin = time.process_time()
for question in asked:
    index.search(question)
search = (time.process_time() - begin) / len(asked)
begin = time.process_time()
for question in asked:
    documents.now(time.time_ns()).search(question)
both = (time.process_time() - begin) / len(asked)
print(search * 1e3, both * 1e3)
"""


def spent(command: list[str], environment: dict[str, str]) -> tuple[float, float, float]:
    """Run a command and give its CPU milliseconds, wall milliseconds and peak memory in MB."""
    begin = perf_counter()
    process = os.posix_spawn(
        command[0],
        command,
        environment,
        file_actions=[
            (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
            (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
        ],
    )
    usage = os.wait4(process, 0)[2]
    cpu, wall = (usage.ru_utime + usage.ru_stime) * 1e3, (perf_counter() - begin) * 1e3
    return cpu, wall, usage.ru_maxrss / (1024**2 if sys.platform == "darwin" else 1024)


def together(command: list[str], environment: dict[str, str]) -> float | None:
    """Give the peak of a program and those it started, together in MB; None without `/proc`.

    What they share (the interpreter) counts once: each page in parts.
    """
    if not Path("/proc/self/smaps_rollup").exists():
        return None
    quiet = subprocess.DEVNULL
    peak, process = 0, subprocess.Popen(command, env=environment, stdout=quiet, stderr=quiet)
    while process.poll() is None:
        peak = max(peak, sum(map(_resident, [process.pid, *_started_by(process.pid)])))
        sleep(LOOKS)
    return peak / 1024


def _started_by(pid: int) -> list[int]:
    """Give the programs that a program started."""
    try:
        tasks = list(Path(f"/proc/{pid}/task").iterdir())
        return [int(each) for task in tasks for each in (task / "children").read_text().split()]
    except OSError:
        return []


def _resident(pid: int) -> int:
    """Give the memory of one program in KB, its share of what others have too."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)


def least(command: list[str], environment: dict[str, str], repeats: int = REPEATS) -> float:
    """Give the CPU milliseconds of the best of several runs: noise only adds."""
    return min(spent(command, environment)[0] for _ in range(repeats))


class Site:
    """A store of generated documents, with a cache and a home of its own."""

    def __init__(self, folder: Path, size: int) -> None:
        self.store = folder / "store"
        self.size = size
        write_documents(self.store, size)
        self.environment = {
            "HOME": str(folder),
            "XDG_CACHE_HOME": str(folder / "cache"),
            "PATH": os.environ["PATH"],
        }
        self.question = next(questions(1))

        self.command = [
            *(sys.executable, "-c", SEARCH, "search", self.question),
            *("--store", str(self.store)),
        ]

    def search(self, repeats: int = 1) -> tuple[float, float, float]:
        """Search once in a new process: CPU and wall milliseconds, MB."""
        return min(spent(self.command, self.environment) for _ in range(repeats))

    def together(self) -> float | None:
        """Give the MB of a first search and the programs that read for it, at their peak."""
        shutil.rmtree(self.environment["XDG_CACHE_HOME"], ignore_errors=True)
        return together(self.command, self.environment)

    def changed(self) -> tuple[float, float, float]:
        """Change one document, and give what the search costs that finds it."""
        file = sorted((self.store / "sessions").iterdir())[self.size // 2]
        file.write_text(file.read_text() + "\none line more\n")
        return self.search()

    def warm(self) -> tuple[float, float]:
        """Give the CPU milliseconds of a search in a living process, and with a look at the store."""
        cache = Path(self.environment["XDG_CACHE_HOME"]) / "agentjournal"
        command = [sys.executable, "-c", WARM_PROGRAM, str(self.store), str(cache)]
        told = subprocess.run(
            [*command, str(Path(__file__).parent), str(WARM)],
            env=self.environment,
            capture_output=True,
            check=True,
        )
        first, second = map(float, told.stdout.split())
        return first, second


def fts5(site: Site) -> tuple[float, float]:
    """Give the seconds of putting all documents into SQLite FTS5, and the milliseconds of a query."""
    import sqlite3

    database = sqlite3.connect(":memory:")
    database.execute("CREATE VIRTUAL TABLE document USING fts5(text, tokenize='porter')")
    begin = process_time()
    texts = ((file.read_text(),) for file in (site.store / "sessions").iterdir())
    database.executemany("INSERT INTO document VALUES (?)", texts)
    built = process_time() - begin
    asked = [" OR ".join(f'"{word}"' for word in each.split()) for each in questions(WARM)]
    query = "SELECT rowid FROM document WHERE document MATCH ? ORDER BY rank LIMIT 3"
    begin = process_time()
    for each in asked:
        database.execute(query, (each,)).fetchall()
    return built, (process_time() - begin) / len(asked) * 1e3


def measured(size: int, ripgrep: str | None, reference: str | None) -> list[str]:
    """Print the figures of one size, and give what is worse than it may be."""
    folder = Path(tempfile.mkdtemp(prefix="engmem-"))
    try:
        site = Site(folder, size)
        imports = least([sys.executable, "-c", IMPORTS], site.environment)
        tree = site.together()
        shutil.rmtree(site.environment["XDG_CACHE_HOME"], ignore_errors=True)
        built = site.search()
        changed = min(site.changed() for _ in range(3))
        site.search()
        cold = site.search(REPEATS)
        again = least([sys.executable, "-c", IMPORTS], site.environment)
        imports = min(imports, again)  # the machine may have been busy with something else
        warm, looked = site.warm()
        print(f"\n{size:,} documents (a process that only imports: {imports:.0f} ms CPU)")
        whole = f", {tree:.0f} with the programs that it starts" if tree else ""
        cpu = f"{built[0] / 1e3:.1f} s CPU"
        print(f"  first search    {built[1] / 1e3:8.1f} s wall, {cpu}, {built[2]:.0f} MB{whole}")
        ratio = f"{cold[0] / imports:.2f} x the imports"
        print(f"  cold search     {cold[0]:8.0f} ms CPU, {ratio}, {cold[2]:.0f} MB")
        more = f"{changed[0] - cold[0]:+.0f} ms to a cold search"
        print(f"  one file changed{changed[0]:8.0f} ms CPU, {more}; {changed[1]:.0f} ms wall")
        print(f"  warm search     {warm:8.1f} ms CPU; {looked:.1f} with a look at the store")
        grep = beside(site, ripgrep, reference, cold[0])
        bounds = [("MB of memory", max(built[2], cold[2], tree or 0.0), MOST_MEMORY)]
        if size == JUDGED:
            bounds += [
                ("times the imports for a cold search", cold[0] / imports, MOST_IMPORTS),
                ("ms for a warm search", warm, MOST_WARM),
                ("ms more after one change", changed[0] - cold[0], MOST_CHANGED),
                ("s for the first search", built[1] / 1e3, MOST_FIRST),
            ]
        if size >= JUDGED and grep is not None:
            bounds.append(("ms for a cold search beside ripgrep", cold[0], grep))
        return above(size, bounds)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def beside(site: Site, ripgrep: str | None, reference: str | None, cold: float) -> float | None:
    """Print the same search by others; give ripgrep's CPU milliseconds where it is there."""
    grep = None
    if ripgrep:
        command = [ripgrep, "-i", "-c", "|".join(site.question.split()), str(site.store)]
        grep = least(command, site.environment)
        print(f"  ripgrep         {grep:8.0f} ms CPU: {cold / grep:.2f} of it is ours")
    else:
        print("  ripgrep          is not there (--ripgrep)")
    built, query = fts5(site)
    print(
        f"  SQLite FTS5     {query:8.1f} ms CPU a query in a living process, {built:.1f} s to build"
    )
    if reference:
        command = [reference, "search", site.question, "--store", str(site.store)]
        cpu, _, memory = spent(command, site.environment)
        again = spent(command, site.environment)[0] if site.size < JUDGED else cpu
        print(f"  reference       {again:8.0f} ms CPU: {again / cold:.0f} x ours, {memory:.0f} MB")
    else:
        print("  reference        is not there (--reference)")
    return grep


def above(size: int, bounds: list[tuple[str, float, float]]) -> list[str]:
    """Say what is above its bound."""
    return [
        f"{size:,} documents: {found:.2f} {name}, above its bound of {most:.2f}"
        for name, found, most in bounds
        if found > most
    ]


def main() -> int:
    """Measure each size in turn."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="1000,10000", help="numbers of documents")
    parser.add_argument("--reference", help="the reference tool's program, engmem 0.1.9")
    parser.add_argument("--ripgrep", default=shutil.which("rg"), help="ripgrep's program")
    given = parser.parse_args()
    sizes = [int(each) for each in given.sizes.split(",")]
    wrong = [fault for n in sizes for fault in measured(n, given.ripgrep, given.reference)]
    print("\n" + ("\n".join(wrong) or "All within their bounds."))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
