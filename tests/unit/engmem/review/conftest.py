from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from support.documents import make_store
from support.reviewed import make_files

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return make_store(tmp_path / "store", make_files())
