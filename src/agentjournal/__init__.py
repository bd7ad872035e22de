"""Keep what coding agents learned: a log per project, journals, and "was this tried?"."""

from __future__ import annotations

# Where each public name lives: it is imported when asked for, so that a hook pays for nothing else.
# Types stand in `__init__.pyi`; a test keeps the two alike.
_HOMES = {
    "agentjournal.brief.brief": ("Brief",),
    "agentjournal.compose.keeper": ("Keeper", "open_journal"),
    "agentjournal.errors": (
        "AgentJournalError",
        "ConsolidationError",
        "InputError",
        "JournalError",
        "PrefixBroken",
        "RevisionConflict",
    ),
    "agentjournal.journal.consolidate": ("Consolidated", "consolidate"),
    "agentjournal.journal.consolidation": (
        "Consolidation",
        "ConsolidationPlan",
        "ConsolidationRequest",
    ),
    "agentjournal.journal.due": ("MemoryLimits", "consolidation_due"),
    "agentjournal.journal.entry": ("Entry", "Utterance", "sorted_utterances"),
    "agentjournal.journal.export": ("export_snapshot",),
    "agentjournal.journal.floor": ("keep_within",),
    "agentjournal.journal.journal": ("Journal",),
    "agentjournal.journal.lint": ("lint_prompt",),
    "agentjournal.journal.neutral": ("neutral_lines",),
    "agentjournal.journal.prefix": ("check_prefix_extension", "first_divergence", "is_cache_safe"),
    "agentjournal.journal.prompt": ("Prompt",),
    "agentjournal.journal.routing": ("Routing", "routing"),
    "agentjournal.journal.rendering": ("render_entries",),
    "agentjournal.journal.segment": ("Segment",),
    "agentjournal.journal.tokens": ("TokenLedger",),
    "agentjournal.journal.volatile": ("Volatile", "scan_volatile"),
    "agentjournal.lanes.chat_consolidator": ("ChatConsolidator",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = sorted(_HOME_OF)  # noqa: PLE0605 - a list all the same


def __getattr__(name: str) -> object:
    """Import a public name from where it lives, on first use."""
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names, loaded or not."""
    return sorted({*globals(), *__all__})
