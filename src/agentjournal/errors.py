"""Every error that the package raises on purpose, as one shallow tree.

AgentJournalError
├── ConfigurationError      a setting is wrong                                     exit 2
├── InputError              a value given by the caller breaks a rule (faults)     exit 2
├── NotFoundError           no such project, task, step, file                      exit 2
├── ExtraMissingError       a feature needs a package that is not installed        exit 2
├── ConflictError           somebody else holds it, or it is already otherwise     exit 1
├── ForeignProgramError     git, a worker or another program failed                exit 1
├── JournalError            a journal's contract does not hold                     exit 1
│   ├── PrefixBroken            a later prompt does not extend an earlier one
│   ├── ConsolidationError      the consolidator failed; the journal is untouched
│   └── RevisionConflict        the journal changed while it was being consolidated
└── StoreError              the store could not do it                              exit 1
    ├── StoreBusyError          another process holds the write queue
    ├── StoreFullError          no room is left
    ├── StoreUnavailableError   it cannot be opened or reached
    ├── OutcomeUnknownError     the commit may or may not be stored: retry with the same id
    ├── ConstraintError         a row would break a rule of the schema
    ├── SchemaError             made by a newer version, or not ours
    └── DamagedError            what is stored is not what was written
"""

from __future__ import annotations

from agentjournal.frozen import frozen


@frozen(kw_only=True)
class Fault:
    """One broken rule of one field: what, the rule, what was given, the remedy."""

    field: str
    rule: str
    got: str
    remedy: str

    def __str__(self) -> str:
        """Give the fault as one line."""
        return f"{self.field}: {self.rule} (got {self.got}). {self.remedy}"


class AgentJournalError(Exception):
    """Anything that the package refuses or cannot do; catching it is always enough.

    `message` says what failed and the value that caused it, `next` what to do about it.
    """

    kind = "error"
    exit_code = 1

    def __init__(self, message: str, *, next: str = "") -> None:  # noqa: A002 - the word users see
        super().__init__(message)
        self.message = message
        self.next = next

    def __str__(self) -> str:
        """Give the message and, where there is one, the next step."""
        return f"{self.message} Next: {self.next}" if self.next else self.message


class ConfigurationError(AgentJournalError):
    """A setting is wrong: the message names it and where it comes from."""

    kind = "configuration"
    exit_code = 2


class InputError(AgentJournalError):
    """A value breaks a rule; `faults` names every broken one, and nothing was stored."""

    kind = "input"
    exit_code = 2

    def __init__(self, message: str, *, faults: tuple[Fault, ...] = (), next: str = "") -> None:  # noqa: A002 - as above
        super().__init__(message, next=next)
        self.faults = faults

    def __str__(self) -> str:
        """Give the message, then a line for each fault."""
        return "\n".join([super().__str__(), *(f"  - {fault}" for fault in self.faults)])


class NotFoundError(AgentJournalError):
    """What was asked for does not exist here."""

    kind = "not_found"
    exit_code = 2


class ExtraMissingError(AgentJournalError):
    """An optional package is not installed; `next` is the command that installs it."""

    kind = "extra_missing"
    exit_code = 2


class ConflictError(AgentJournalError):
    """Somebody else holds it, or it already is otherwise; nothing was changed."""

    kind = "conflict"


class ForeignProgramError(AgentJournalError):
    """Another program (git, a worker) could not be run or failed."""

    kind = "foreign_program"


class JournalError(AgentJournalError):
    """A journal's contract does not hold."""

    kind = "journal"


class PrefixBroken(JournalError):  # noqa: N818 - the public name that users catch
    """A later prompt does not strictly extend an earlier one.

    `at` is the first differing byte (None where only the length is wrong), `where` names its block, turn
    or JSON path, `cache_safe` says whether the later one still starts with the earlier one, `grew`
    whether it is longer.
    """

    kind = "prefix_broken"

    def __init__(
        self, message: str, *, at: int | None, cache_safe: bool, grew: bool, where: str = ""
    ) -> None:
        super().__init__(message)
        self.at = at
        self.where = where
        self.cache_safe = cache_safe
        self.grew = grew


class ConsolidationError(JournalError):
    """The consolidator failed or returned nothing; the journal is as it was."""

    kind = "consolidation"


class RevisionConflict(JournalError):  # noqa: N818 - the public name that users catch
    """The journal changed while its oldest part was being distilled; nothing was applied."""

    kind = "revision_conflict"


class StoreError(AgentJournalError):
    """The store could not do what was asked."""

    kind = "store"


class StoreBusyError(StoreError):
    """Another process held the write queue for longer than the bounded wait."""

    kind = "store_busy"


class StoreFullError(StoreError):
    """No room is left on the device; nothing was written."""

    kind = "store_full"


class StoreUnavailableError(StoreError):
    """The store cannot be opened or reached."""

    kind = "store_unavailable"


class OutcomeUnknownError(StoreError):
    """The commit failed in a way that leaves open whether it is stored; retry with the same id."""

    kind = "outcome_unknown"


class ConstraintError(StoreError):
    """A row would break a rule of the schema; nothing was written."""

    kind = "constraint"


class SchemaError(StoreError):
    """The store was made by a newer version, or is no store of ours."""

    kind = "schema"


class DamagedError(StoreError):
    """What is stored is not what was written; nothing was repaired."""

    kind = "damaged"
