"""The table of faults tried and survived: python3 packaging/dev.py faults

    --quick        what every change is tested with, without the long tests where a row has others
    --minutes N    how long the soak is (1; an hour is 60)
    --only WORD    rows whose name holds it

Runs the suites of faults that there are and adds up what their tests count; a test that counts nothing is one fault
that was survived. Exit status 1 where one was silent, memory grew, or the control, a naive save, was not seen to lose.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as Xml
from collections import Counter
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).resolve().parents[2]
SAVES: Final = "tests/faults/test_save_faults.py"
PROJECT_FILE: Final = "tests/files/project/test_project_file.py"
CONTROL: Final = "control: a naive save under the same faults"
GROWN_MB_AT_MOST: Final = 30.0
WINDOW_GROWN_MB_AT_MOST: Final = 150.0
SUITES: Final[dict[str, tuple[str, ...]]] = {
    "kill -9 at any step of a save": (SAVES, "-k", "kill"),
    "any step of a save fails; the disk fills or writes other bytes": (SAVES, "-k", "not kill and not naive"),
    "each write, sync, rename of an export fails; full disks": ("tests/faults/test_output_faults.py",),
    "odd things in the way of an export": ("tests/faults/test_odd_outputs.py",),
    "flipped bits, cut ends: project and backup": (PROJECT_FILE, "-k", "flipped or _bit or truncated or any_bytes"),
    "flipped bits and crashes: journal": ("tests/app/test_autosave.py",),
    "flipped bits: kept rows": ("tests/files/job_logs/reduce/test_job_drill.py", "-k", "flipped"),
    "damaged answers of vendors": ("tests/files/request/test_damaged_answers.py",),
    "damaged files of any kind": ("tests/faults/test_damaged_files.py", "tests/files/job_logs/test_damaged_logs.py"),
    "hostile JSON and names": ("tests/files/test_hostile_json.py", "tests/cli/test_hostile_names.py"),
    "inputs that must stay": ("tests/faults/test_inputs_stay.py",),
    "two sessions on one project": (
        "tests/files/project/test_session_marks.py", "tests/files/project/test_project_backups.py",
        "tests/ui/flows/test_shared_file.py",
    ),
    "projects of earlier and later versions": (
        "tests/files/project/test_golden_projects.py", "tests/files/project/test_older_projects.py", PROJECT_FILE,
        "-k", "older or newer or before or golden or opens",
    ),
    CONTROL: (SAVES, "-k", "naive"),
}  # fmt: skip


def counted(report: Path) -> Counter[str]:
    """How the faults of a run of tests ended, from its report: survived, refused, lost, silent, skipped."""
    ends: Counter[str] = Counter()
    for case in Xml.parse(report).getroot().iter("testcase"):
        told = {one.get("name", ""): int(one.get("value", "0")) for one in case.iter("property")}
        if case.find("failure") is not None or case.find("error") is not None:
            ends["silent"] += 1
        elif case.find("skipped") is not None:
            ends["skipped"] += 1
        else:
            ends.update(told or {"survived": 1})
    return ends


def line(name: str, ends: Counter[str]) -> str:
    """One row of the table."""
    kinds = ("survived", "refused", "lost", "silent")
    cells = (sum(ends[kind] for kind in kinds), *(ends[kind] for kind in kinds), ends["skipped"])
    return f"| {name} | {' | '.join(f'{cell:,}' for cell in cells)} |"


def is_well(name: str, ends: Counter[str]) -> bool:
    """Whether nothing was lost without a word; of the control, whether it was seen to lose."""
    return not ends["silent"] and (
        ends["lost"] > 0 if name == CONTROL else not ends["lost"] and sum(ends.values()) > 0
    )


def run(words: tuple[str, ...], *, is_quick: bool) -> Counter[str]:
    """What a run of these tests counted; one that came to no report is silent."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        marks = ("not long",) if is_quick else ("long or not long",)
        options = (
            "-q",
            "-p",
            "no:cacheprovider",
            "-o",
            "junit_family=xunit1",
            f"--junit-xml={report}",
            "-m",
            *marks,
        )
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *options, *words], cwd=ROOT, capture_output=True, text=True
        )
        if is_quick and done.returncode == pytest.ExitCode.NO_TESTS_COLLECTED:  # all of them are long
            return run(words, is_quick=False)
        if done.returncode:
            print(done.stdout[-4000:], file=sys.stderr)
        return counted(report) if report.exists() else Counter(silent=1)


def main() -> int:
    """Run all, print the table as it comes."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--only", default="")
    asked = parser.parse_args()
    print(
        "| fault | tried | survived | refused in words | lost | silent | skipped tests |\n|---|---|---|---|---|---|---|"
    )
    are_well = True
    for name, words in SUITES.items():
        if asked.only in name:
            ends = run(words, is_quick=asked.quick)
            are_well &= is_well(name, ends)
            print(line(name, ends), flush=True)
    if asked.only in "soak":
        soak = [sys.executable, "-m", "tests.faults.soak", str(asked.minutes)]
        done = subprocess.run(soak, cwd=ROOT, capture_output=True, text=True)
        if done.returncode:
            print(f"The soak failed: {done.stderr[-2000:]}")
            return 1
        held = json.loads(done.stdout)
        are_well &= not held["most_mb"] - held["first_mb"] > GROWN_MB_AT_MOST
        are_well &= not held["window_mb"] - held["start_mb"] > WINDOW_GROWN_MB_AT_MOST
        print(
            f"\nSoak of {asked.minutes:g} minutes: {held['rounds']:,} rounds of 20 edits, evaluation, save and open, "
            f"all the same afterwards; {held['first_mb']:.0f} MB after the first quarter, "
            f"at most {held['most_mb']:.0f}, {held['last_mb']:.0f} at the end. {held['acts']:,} acts in a window: "
            f"{held['start_mb']:.0f} MB with the first plan, at most {held['window_mb']:.0f} since then."
        )
    print(
        "Nothing lost, nothing silent."
        if are_well
        else "NOT ALL WELL: see lost, silent, the control, or memory."
    )
    return 0 if are_well else 1


if __name__ == "__main__":
    sys.exit(main())
