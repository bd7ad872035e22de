"""What a consolidation costs the prefix cache: layouts beside the reference's, and four matching rules.

Run: python benchmarks/consolidation.py [TURNS]
Simulated, 2,000 turns, a token of four bytes; nothing here asks a model. Ends with 1 where layout v2
breaks a promise.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from support.cache_life import PREAMBLE, TAIL, Life, floor, run
from support.cache_rules import NARROW, RULES

K = 1024
SIZES = ((32 * K, 400), (32 * K, 800), (128 * K, 800))
# Name, layout, keep fraction, and what a simulation of the same layout gave elsewhere (share, times
# the floor, worst turn, most times one fact was summarised again).
LAYOUTS = (
    ("keep half", "v1", 0.5, ("95.2 1.71 18.3k 58", "91.7 1.92 18.7k 120", "98.0 1.71 66.7k 24")),
    (
        "keep a quarter",
        "v1",
        0.25,
        ("95.9 1.29 11.9k 39", "93.2 1.35 11.9k 78", "98.3 1.25 35.1k 16"),
    ),
    ("v2: tiers of four", "v2", 0.5, ("96.1 1.07 3.1k 2", "94.0 1.13 4.7k 3", "98.3 1.03 4.7k 1")),
)
SHARE, AMPLIFICATION, WORST, AGAIN = 0.94, 1.15, 5000, 3


def layouts(turns):  # noqa: ANN001, ANN201
    """Print each layout at each size under block prefixes, beside the figures to reproduce."""
    print(f"block prefixes, {turns} turns, a preamble of {PREAMBLE} tokens and a tail of {TAIL}")
    heads = f"{'share':>6} {'x floor':>8} {'worst':>6} {'again':>5}"
    print(f"{'layout':<18} {'window':>6} {'turn':>5}  {heads}   beside")
    for name, layout, keep, beside in LAYOUTS:
        for (window, turn), expected in zip(SIZES, beside, strict=True):
            life = Life(layout, window, turn, keep)
            tally, least = run(life, turns, {})["block"], floor(turn, {})["block"]
            print(
                f"{name:<18} {window // K:>5}k {turn:>5}  {tally.share:>6.1%}"
                f" {tally.uncached / turns / least:>8.2f} {tally.worst:>6}"
                f" {life.summarised_again:>5}   {expected}"
            )


def rules(turns):  # noqa: ANN001, ANN201
    """Print layout v2 at a window of 32k and turns of 800 under each rule; give what it breaks."""
    life = Life("v2", 32 * K, 800)
    tallies, least = run(life, turns, {**RULES, **NARROW}), floor(800, {**RULES, **NARROW})
    print(f"layout v2, window 32k, turns of 800: {life.consolidated} consolidations")
    print(
        f"{'rule':<16} {'share':>6} {'x floor':>8} {'asking too':>10} {'worst':>6} {'of block':>9}"
    )
    broken = [f"a fact is summarised again {life.summarised_again} times"] * (
        life.summarised_again > AGAIN
    )
    for name, tally in tallies.items():
        times = tally.uncached / turns / least[name]
        asking = (tally.uncached + tally.distilling) / turns / least[name]
        print(
            f"{name:<16} {tally.share:>6.1%} {times:>8.2f} {asking:>10.2f} {tally.worst:>6}"
            f" {tally.cached / tallies['block'].cached:>9.1%}"
        )
        holds = tally.share >= SHARE and asking <= AMPLIFICATION and tally.worst <= WORST
        if not holds and name not in NARROW:
            broken.append(f"{name}: share, amplification or worst turn")
    apart = life.asked_apart / turns / least["block"]
    below = tallies["block"].distilling / turns / least["block"]
    print(
        f"asking for each consolidation: {below:.3f} x floor below the live prompt, {apart:.2f} in"
    )
    print("a request of its own. The floor is a life that never consolidates, under the same rule.")
    print(
        "deepseek-narrow keeps units only where a request's whole input ends, and is not promised."
    )
    return broken


def main(turns: int = 2000) -> int:
    """Print both tables; give 1 where a promise of layout v2 is broken."""
    layouts(turns)
    print()
    broken = rules(turns)
    for promise in broken:
        print(f"BROKEN: {promise}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:2])))
