"""What a process that was started says: errors come through, its warnings do not, and nothing of ours is lost."""

import subprocess
import sys

import pytest

SAID = """
import os, subprocess, sys, threading
from gpuplanner.files.importing.spark.spark_session import errors_only
code = "import sys; sys.stderr.write('26/11/20 15:52:35 WARN Utils: x\\\\n26/11/20 15:52:35 ERROR Utils: y\\\\n')"
with errors_only():
    process = subprocess.Popen([sys.executable, "-c", code])
process.wait()
for passing_on in threading.enumerate()[1:]:
    passing_on.join()
sys.stderr.write("26/11/20 15:52:35 WARN ours\\n")
"""


@pytest.mark.long
def test_only_warnings_of_what_was_started_are_left_out() -> None:
    done = subprocess.run([sys.executable, "-c", SAID], capture_output=True, text=True, check=True)
    assert done.stderr.splitlines() == ["26/11/20 15:52:35 ERROR Utils: y", "26/11/20 15:52:35 WARN ours"]
