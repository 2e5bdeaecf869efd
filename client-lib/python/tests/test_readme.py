"""The examples of README, to the letter, each in a process of its own."""

import os
import re
import subprocess
import sys
from pathlib import Path

README = (Path(__file__).parents[1] / "README.md").read_text("utf-8")
EXAMPLES = re.findall(r"(?ms)^<!-- runnable -->\n\n```python\n(.*?)^```$", README)


def run(sidecar, program):
    return subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True, timeout=60,
        env={**os.environ, **sidecar.environment},
    ).stdout  # fmt: skip


def test_examples_do_what_they_say(sidecar):
    start, recording = EXAMPLES
    assert run(sidecar, start) == "paid\npaid again\n"
    assert sidecar.count('checkout{route="/pay"}') == 3
    run(sidecar, recording)
    assert sidecar.count('pay{kind="response"}') == 100
    assert sidecar.total("upload")["sum"] == 4096


def test_variables_of_readme_are_those_that_are_read():
    from hdr_sidecar.config import _VARIABLES

    table = README.split("## Configuration")[1].split("An empty variable")[0]
    assert set(re.findall(r"HDR_SIDECAR_\w+", table)) == set(_VARIABLES)
