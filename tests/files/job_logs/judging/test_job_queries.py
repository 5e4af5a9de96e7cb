"""The SQL that ships is what the query compiler makes of the expressions, and no compiler is loaded to read a log."""

import runpy
import subprocess
import sys
from pathlib import Path

from gpuplanner.files.system.resources import read_job_queries

MAKER = runpy.run_path(str(Path(__file__).parents[4] / "packaging" / "make_job_queries.py"))


def test_what_ships_is_what_the_compiler_makes() -> None:
    assert dict(read_job_queries()) == MAKER["job_queries"]()


def test_no_compiler_is_loaded_to_read_a_log(tmp_path: Path) -> None:
    log = tmp_path / "log.csv"
    log.write_text(MAKER["LOG"])
    code = (
        "import sys; from gpuplanner.files.importing.intake import read_inputs; "
        f"print(read_inputs([{str(log)!r}]).jobs.count, 'ibis' in sys.modules)"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.split() == ["2", "False"]
