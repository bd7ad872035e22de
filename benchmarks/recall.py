"""How often a search finds what was asked for, on questions whose answers are known.

    python benchmarks/recall.py --eval DIR [--reference PYTHON] [--sample 100]

DIR (or AGENTJOURNAL_EVAL) holds a folder for each corpus: documents and questions as lines of
JSON. Each ranker gives its best three documents among those that existed when the question was
asked: `hits@3` is the share of questions with a right one among them, `MRR@3` the mean of one over
its place. The reference tool (0.1.9, in an environment of its own) is slow, so it and all others
are asked a sample for comparison; what is ours and BM25 is asked everything.
"""

from __future__ import annotations

import argparse
import os
import sys
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from support.corpus import read_corpus, write_store
from support.rankers import Bm25, Ours, Reference

if TYPE_CHECKING:
    from collections.abc import Sequence

    from support.corpus import Corpus, Question
    from support.rankers import Ranker

SHOWN = 3


def measured(ranker: Ranker, questions: Sequence[Question]) -> tuple[float, float]:
    """Give hits@3 and MRR@3 in percent."""
    places = [_place(ranker, each) for each in questions]
    hits, ranks = sum(map(bool, places)), sum(1 / place for place in places if place)
    return 100 * hits / len(places), 100 * ranks / len(places)


def _place(ranker: Ranker, question: Question) -> int:
    """Give the place of the first right answer among the best three; 0 where there is none."""
    best = islice(ranker.ids(question), SHOWN)
    return next((at for at, id_ in enumerate(best, 1) if id_ in question.relevant), 0)


def compare(corpus: Corpus, folder: Path, reference: Path | None, sample: int) -> None:
    """Print a line for each ranker."""
    write_store(corpus, folder / "store")
    rankers: dict[str, Ranker] = {
        "agent-journal": Ours(corpus, folder / "store", folder / "cache"),
        "BM25, whole documents": Bm25(corpus, folder / "store"),
    }
    for name, ranker in rankers.items():
        _print(corpus, name, ranker, corpus.questions)
        for kind in dict.fromkeys(each.kind for each in corpus.questions):
            some = [each for each in corpus.questions if each.kind == kind]
            _print(corpus, f"{name}: {kind}", ranker, some)
    if reference:
        spread = corpus.questions[:: max(len(corpus.questions) // sample, 1)][:sample]
        tool = Reference(corpus, folder / "store", reference)
        for name, ranker in {"engmem 0.1.9": tool, **rankers}.items():
            _print(corpus, f"{name}, sample", ranker, spread)
        tool.close()


def _print(corpus: Corpus, name: str, ranker: Ranker, questions: Sequence[Question]) -> None:
    hits, ranks = measured(ranker, questions)
    told = f"| {corpus.name} | {name} | {len(questions)} | {hits:.1f} | {ranks:.1f} |"
    print(told, flush=True)


def main() -> None:
    """Measure every corpus in the folder."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--eval", type=Path, default=os.environ.get("AGENTJOURNAL_EVAL"))
    parser.add_argument("--reference", type=Path, help="python of the reference's environment")
    parser.add_argument("--sample", type=int, default=100, help="questions for the reference")
    options = parser.parse_args()
    folders = sorted(each.parent for each in Path(options.eval or "-").glob("*/queries.jsonl.gz"))
    if not folders:
        sys.exit("recall: no evaluation data: name its folder with --eval or AGENTJOURNAL_EVAL")
    print("| corpus | ranker | questions | hits@3 | MRR@3 |\n|---|---|---:|---:|---:|")
    for folder in folders:
        with TemporaryDirectory() as temporary:
            compare(read_corpus(folder), Path(temporary), options.reference, options.sample)


if __name__ == "__main__":
    main()
