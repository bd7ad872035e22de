"""What needs a package that is not installed says which command installs it."""

from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    ("module", "package", "extra"),
    [
        ("agentjournal.usage.sinks.prometheus", "prometheus_client", "prometheus"),
        ("agentjournal.usage.sinks.opentelemetry", "opentelemetry.trace", "otel"),
        ("agentjournal.usage.lane_client", "httpx", "llm"),
        ("agentjournal.agentloop.client", "httpx", "llm"),
    ],
)
def test_a_missing_package_is_answered_with_its_extra(module, package, extra):
    program = (
        f"import sys\nsys.modules[{package!r}] = None\n"
        "from agentjournal.errors import ExtraMissingError\n"
        f"try:\n    import {module}\nexcept ExtraMissingError as error:\n    print(error.next)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == f'Run `pip install "agent-journal[{extra}]"`.'


def test_without_httpx_everything_but_the_probe_works():
    program = (
        "import sys\nsys.modules['httpx'] = None\n"
        "from agentjournal.cli.main import run_command, agentjournal\n"
        "sys.exit(run_command(agentjournal, 'agentjournal', ['usage', 'probe', 'http://127.0.0.1:9']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert 'pip install "agent-journal[llm]"' in done.stderr
