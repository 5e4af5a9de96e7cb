"""What a call imports before it answers: a small file is checked without engines of data frames and without plans."""

import subprocess
import sys
from pathlib import Path

import pytest

SMALL = {
    "jobs.csv": "job_id,gpus,start,end\n1,8,2026-01-01T00:00:00Z,2026-01-02T00:00:00Z\n",
    "prices.csv": "provider,GPU,price per hour\nAda,H100,2.50\n",
}
MANY = (
    "pandas",
    "pyarrow",
    "openpyxl",
    "icalendar",
    "gpuplanner.domain.evaluation",
    "gpuplanner.cli.commands",
)


def _imported(*argv: str) -> tuple[str, ...]:
    """Exit status, then every module that a call in a process of its own ends with."""
    program = (
        f"import sys; sys.argv = ['gpuplanner', *{argv!r}]\n"
        "from gpuplanner.__main__ import main\n"
        "print(main(), *sorted(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return tuple(done.stdout.splitlines()[-1].split())


@pytest.mark.long
@pytest.mark.parametrize("name", SMALL)
def test_a_small_file_is_checked_without_data_frames_and_plans(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text(SMALL[name])
    status, *modules = _imported("check", str(path))
    assert status == "0" and "gpuplanner.cli.reading" in modules
    assert not set(MANY) & set(modules)


def test_the_ways_to_charge_are_those_that_the_parser_takes() -> None:
    from gpuplanner.cli.arguments import OPTIONS
    from gpuplanner.domain.audit.cost_result import ChargeBy

    (by,) = (option for option in OPTIONS if option.form == "--by")
    assert by.how["choices"] == tuple(map(str, ChargeBy))


def test_the_version_is_said_without_numpy() -> None:
    program = (
        "import sys; sys.argv = ['gpuplanner', '--version']\n"
        "from gpuplanner.__main__ import main\n"
        "try:\n    main()\nexcept SystemExit as end:\n    print(end.code, 'numpy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "0 False"
