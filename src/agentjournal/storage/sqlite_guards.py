"""The switches that every SQLite connection of ours gets."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import apsw

__all__ = ["guard"]

_PRAGMAS = {
    "wal_autocheckpoint": 0,  # checkpoints are made under the queue only
    "fullfsync": 1,
    "checkpoint_fullfsync": 1,
    "secure_delete": 1,
    "temp_store": "MEMORY",
    "trusted_schema": 0,
    "cell_size_check": 1,
    "case_sensitive_like": 1,  # as on PostgreSQL
    "query_only": 1,  # until a transaction, which holds the queue, says otherwise
}


def guard(connection: apsw.Connection) -> apsw.Connection:
    """Set every switch and give the connection back."""
    for name, value in _PRAGMAS.items():
        connection.pragma(name, value)
    return connection
