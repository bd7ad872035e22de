"""A light suffix stemmer for technical English: `retries`, `retried` and `retry` are one word."""

from __future__ import annotations

__all__ = ["inflected_from", "stem"]

MINIMUM = 4  # letters that must stay when a derivational ending goes

# Forms that no suffix rule reaches, and that notes about software are full of.
IRREGULAR = {
    "broke": "break",
    "broken": "break",
    "built": "build",
    "caught": "catch",
    "children": "child",
    "chose": "choose",
    "chosen": "choose",
    "fell": "fall",
    "froze": "freeze",
    "frozen": "freeze",
    "held": "hold",
    "indices": "index",
    "kept": "keep",
    "lost": "lose",
    "ran": "run",
    "rebuilt": "rebuild",
    "sent": "send",
    "slept": "sleep",
    "taken": "take",
    "threw": "throw",
    "thrown": "throw",
    "took": "take",
    "written": "write",
    "wrote": "write",
}

# Tried in order, the first that fits is applied: ending, what takes its place.
DERIVED = (
    ("bility", "ble"),
    ("ically", "ic"),
    ("ently", ""),
    ("ily", "y"),
    ("ification", "ify"),
    ("ation", ""),
    ("ition", "it"),
    ("ately", ""),
    ("ement", ""),
    ("ment", ""),
    ("ence", ""),
    ("ency", ""),
    ("ance", ""),
    ("ancy", ""),
    ("ent", ""),
    ("ity", ""),
    ("ator", ""),
    ("ate", ""),
    ("val", "v"),
    ("tional", "t"),
    ("tion", "t"),
    ("sion", "s"),
    ("tor", "t"),
    ("ly", ""),
    ("er", ""),
)

# What is left of -able, -ible, -age and -ure once the silent e is gone.
WORN = ("abl", "ibl", "ag", "ur")
_VOWELS = frozenset("aeiouy")


def stem(word: str) -> str:
    """Cut a casefolded word to the part that its inflections share.

    Words of three letters or fewer, and those with anything but a to z, stay as they are.
    """
    if len(word) < MINIMUM or not (word.isascii() and word.isalpha()):
        return word
    root = IRREGULAR.get(word) or _without_tense(_singular(word))
    root = _without_derivation(root).removesuffix("e")
    for ending in WORN:
        if root.endswith(ending) and len(root) - len(ending) >= MINIMUM:
            root = root.removesuffix(ending).removesuffix("e")
    return _evened(root)


def inflected_from(word: str) -> str:
    """Cut only what inflection adds: `stored` and `stores` meet, `storage` stays another word.

    >>> inflected_from("retries"), inflected_from("batching"), inflected_from("routing")
    ('retry', 'batch', 'rout')
    """
    if len(word) < MINIMUM or not (word.isascii() and word.isalpha()):
        return word
    return _evened((IRREGULAR.get(word) or _without_tense(_singular(word))).removesuffix("e"))


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > MINIMUM:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zzes")):
        return word[:-2]
    is_plural = word.endswith("s") and not word.endswith(("ss", "us", "is", "ias", "vas"))
    return word[:-1] if is_plural else word


def _without_tense(word: str) -> str:
    if word.endswith("ied") and len(word) > MINIMUM:
        return word[:-3] + "y"
    ending = "ing" if word.endswith("ing") else "ed" if word.endswith("ed") else ""
    if not ending:
        return word
    root = word.removesuffix(ending)
    is_verb = len(root) >= MINIMUM - 1 and _has_vowel(root) and not word.endswith("eed")
    if not is_verb:
        return word
    return root[:-2] if _is_worn_ate(root) else root


def _is_worn_ate(root: str) -> bool:
    """Say whether `validat` comes from `validate` (`repeat` does not)."""
    return root.endswith("at") and len(root) - 2 >= MINIMUM and root[-3] not in "aeiou"


def _without_derivation(word: str) -> str:
    for ending, put in DERIVED:
        if word.endswith(ending) and len(word) - len(ending) + len(put) >= MINIMUM:
            return word[: len(word) - len(ending)] + put
    return word


def _evened(root: str) -> str:
    """Even out what the cuts leave: a doubled consonant, British spelling."""
    if len(root) > MINIMUM and root.endswith("is"):
        return root[:-1] + "z"
    if len(root) > MINIMUM and root.endswith("our"):
        return root[:-2] + "r"
    is_doubled = len(root) >= MINIMUM and root[-1] == root[-2] and root[-1] not in "aeiou"
    return root[:-1] if is_doubled else root


def _has_vowel(word: str) -> bool:
    return not _VOWELS.isdisjoint(word)
