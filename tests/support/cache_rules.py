"""The matching rules of prefix caches, as simulators that read request bodies as they are sent.

Each serves one body after the other and says how many of its tokens the engine had in its cache. A
token is four bytes. Nothing expires. They share no code with the package.
"""

from __future__ import annotations

from dataclasses import dataclass, field

TOKEN = 4
_MARKS = ("cache_control", "prompt_cache_breakpoint")


@dataclass(frozen=True)
class Part:
    """One block of a body: its message's role, its text, whether a mark ends it, whose input it ends."""

    role: str
    text: str
    is_marked: bool
    ends_message: bool


@dataclass(frozen=True)
class Served:
    """What a request held and what of it was in the cache, in tokens."""

    total: int
    cached: int

    @property
    def uncached(self):
        return self.total - self.cached


def parts(body):
    """Read a body in the order in which every API matches it: system, then messages."""
    found = [_part("system", block, ends=False) for block in body.get("system", ())]
    for message in body.get("messages") or body.get("input"):
        content = message["content"]
        if isinstance(content, str):
            found.append(Part(message["role"], content, False, True))
            continue
        last = len(content) - 1
        found += [
            _part(message["role"], block, ends=place == last) for place, block in enumerate(content)
        ]
    return found


def _part(role, block, *, ends):
    return Part(role, block["text"], any(mark in block for mark in _MARKS), ends)


def tokens(text):
    return len(text.encode()) // TOKEN


def whole(body):
    return "".join(part.text for part in parts(body))


def common(one, other):
    """Give the length of the common prefix, at the speed of comparing slices."""
    low, high = 0, min(len(one), len(other))
    if one[:high] == other[:high]:
        return high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if one[low:middle] == other[low:middle] else (low, middle)
    return low


@dataclass
class Prefix:
    """Local engines, and OpenAI before gpt-5.6: the longest prefix in steps, from a least length."""

    step: int
    least: int = 0
    seen: list[str] = field(default_factory=list)

    def serve(self, body):
        text = whole(body)
        longest = max((common(text, earlier) for earlier in self.seen), default=0)
        steps = longest // TOKEN // self.step * self.step
        self.seen = [text, *self.seen[:3]]
        return Served(tokens(text), steps if steps >= self.least else 0)


@dataclass
class LookBack:
    """Anthropic: what an earlier request wrote at a mark, within 20 blocks back from a mark."""

    least: int = 1024
    most: int = 4
    window: int = 20
    written: set[int] = field(default_factory=set)

    def serve(self, body):
        found = parts(body)
        sizes, digests = _chain(found)
        marks = [place for place, part in enumerate(found) if part.is_marked]
        assert len(marks) <= self.most, "the API refuses more"
        reach = {
            place for mark in marks for place in range(max(0, mark - self.window + 1), mark + 1)
        }
        hits = [sizes[place] for place in reach if digests[place] in self.written]
        self.written |= {digests[mark] for mark in marks if sizes[mark] >= self.least}
        return Served(sizes[-1], max(hits, default=0))


@dataclass
class Exact:
    """OpenAI from gpt-5.6: what was written at a mark, where this request has a mark as well."""

    least: int = 1024
    most: int = 4
    written: set[int] = field(default_factory=set)

    def serve(self, body):
        found = parts(body)
        sizes, digests = _chain(found)
        marks = [place for place, part in enumerate(found) if part.is_marked]
        hits = [sizes[mark] for mark in marks if digests[mark] in self.written]
        writes = self.most if body.get("prompt_cache_options") == {"mode": "explicit"} else 3
        self.written |= {digests[mark] for mark in marks[-writes:] if sizes[mark] >= self.least}
        return Served(sizes[-1], max(hits, default=0))


@dataclass
class Units:
    """DeepSeek V4: whole units only, kept at the ends of user inputs and of detected prefixes.

    `each_message`: every user's message ends a unit; else only the whole input does, which is the
    narrowest reading of its documentation. Units at a fixed spacing, which it has too, are left out.
    """

    each_message: bool = True
    kept: set[int] = field(default_factory=set)
    detected: list[str] = field(default_factory=list)
    before: str = ""

    def serve(self, body):
        found = parts(body)
        sizes, digests = _chain(found)
        text = "".join(part.text for part in found)
        hits = [size for size, digest in zip(sizes, digests, strict=True) if digest in self.kept]
        hits += [tokens(unit) for unit in self.detected if text.startswith(unit)]
        ends = [
            digest
            for part, digest in zip(found, digests, strict=True)
            if part.role == "user" and part.ends_message
        ]
        self.kept |= set(ends if self.each_message else ends[-1:])
        shared = text[: common(text, self.before)]
        self.detected = [shared, *(unit for unit in self.detected if unit != shared)][:200]
        self.before = text
        return Served(sizes[-1], max(hits, default=0))


def _chain(found):
    """Give for each part the tokens up to its end, and a digest of everything up to there."""
    sizes, digests, size, digest = [], [], 0, 0
    for part in found:
        size += len(part.text.encode())
        digest = hash((digest, part.role, part.text))
        sizes.append(size // TOKEN)
        digests.append(digest)
    return sizes, digests


def block_prefix():
    """Give the measure for all others: vLLM's blocks of 16 tokens."""
    return Prefix(step=16)


# The dialect in which a life is sent, and the rule by which its engine matches.
RULES = {
    "anthropic": ("anthropic", LookBack),
    "openai-new": ("openai-chat", Exact),
    "openai-old": ("openai-responses", lambda: Prefix(step=128, least=1024)),
    "deepseek": ("deepseek", Units),
}
NARROW = {"deepseek-narrow": ("deepseek", lambda: Units(each_message=False))}
