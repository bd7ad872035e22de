"""A program that uses the store prints nothing but its own words, whatever the driver notes."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import sys
import psycopg
from agentjournal.errors import StoreError
from agentjournal.storage.open import open_database
from agentjournal.storage.statement import parse_statement

pid = parse_statement("pid", "SELECT pg_backend_pid() AS pid")
database = open_database(sys.argv[1])
try:
    with database.transaction() as transaction:
        number = transaction.rows(pid)[0]["pid"]
        with psycopg.connect(sys.argv[1], autocommit=True) as other:
            other.execute("SELECT pg_terminate_backend(%s)", (number,))
        transaction.rows(pid)
except StoreError as error:
    print(error.kind)
database.close()
"""


def test_a_lost_connection_is_one_error_of_ours_and_no_word_of_the_pool_s(postgres_url):
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM, postgres_url], capture_output=True, text=True, check=True
    )
    assert (ran.stdout, ran.stderr) == ("store_unavailable\n", "")
