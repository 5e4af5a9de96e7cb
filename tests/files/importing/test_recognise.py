"""The best reading wins: a clear table is read as one, a doubtful one is asked about, dialects give way to it."""

import csv
import io
import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.files.importing.best_reading import most_accepted
from gpuplanner.files.importing.intake import read_inputs
from gpuplanner.files.importing.log_choices import ReadOptions
from gpuplanner.files.importing.log_preview import preview_log
from gpuplanner.files.importing.recognise import recognise
from gpuplanner.files.importing.windowed_jobs import JobsRead
from gpuplanner.files.job_logs import recognisers
from gpuplanner.files.job_logs.dialects.slurm import sacct
from gpuplanner.files.job_logs.mapped_log import log_layout
from gpuplanner.files.job_logs.propose_columns import proposal_of
from gpuplanner.files.job_logs.recognisers import DIALECTS
from gpuplanner.files.sources.source import sources_of
from gpuplanner.files.values.lookback_period import WindowRequest
from gpuplanner.files.values.number_styles import plain_number
from tests.files.job_logs.row_ends import fates
from tests.some_of import examples, one_in, some_of

WHOLE_LOG = WindowRequest(whole_log=True)
GPU_HOURS = 8 * 2 + 4 * 1.5


def written(folder: Path, rows: Sequence[Sequence[str]], sign: str = ",", name: str = "odd.csv") -> Path:
    """A table whose cells hold no line ends."""
    out = io.StringIO()
    csv.writer(out, delimiter=sign, lineterminator="\n").writerows(rows)
    path = folder / name
    path.write_text(out.getvalue(), encoding="utf-8")
    return path


def read(path: Path, mapping: str | None = None) -> JobsRead:
    """A log as the command line reads it."""
    return read_inputs([str(path)], options=ReadOptions(mapping=mapping), window_request=WHOLE_LOG)


def table(headings: str, *rows: str) -> list[list[str]]:
    """Cells of lines, which a bar parts."""
    return [line.split("|") for line in (headings, *rows)]


def said(file: FileIntake) -> dict[str, str]:
    """The messages of a file by code."""
    return {issue.code: issue.message for issue in file.issues}


CLEAR = {
    "English": table(
        "GPU count|GPU type|Started|Ended|Job",
        "8|H100|2026-05-20T10:00:00Z|2026-05-20T12:00:00Z|a",
        "4|H100|2026-05-21T10:00:00Z|2026-05-21T11:30:00Z|b",
    ),
    "German": table(
        "Auftrag|Anzahl GPUs|GPU-Typ|Beginn|Dauer (h)",
        "a|8,0|H100|20.05.2026 10:00|2,0",
        "b|4,0|H100|21.05.2026 10:00|1,5",
    ),
    "French": table(
        "Identifiant|Nombre de GPU|Type de GPU|Début|Fin",
        "a|8|H100|20/05/2026 10:00|20/05/2026 12:00",
        "b|4|H100|21/05/2026 10:00|21/05/2026 11:30",
    ),
    "counted from 1970": table(
        "id|gpus|start_ts|runtime_ms|user", "a|8|1779271200|7200000|ann", "b|4|1779357600|5400000|bob"
    ),
    "looks like sacct": table(
        "JobID|User|State|Start|End|GPU count",
        "1|ann|COMPLETED|2026-05-20T10:00:00|2026-05-20T12:00:00|8",
        "2|bob|COMPLETED|2026-05-21T10:00:00|2026-05-21T11:30:00|4",
    ),
    "a spreadsheet's days": table(
        "Job|GPUs|Start|End", "a|8|46162.4166666667|46162.5", "b|4|46163.4166666667|46163.4791666667"
    ),
    "GPUs of each node": table(
        "Job|Nodes|GPUs per node|Start|End",
        "a|2|4|2026-05-20T10:00:00Z|2026-05-20T12:00:00Z",
        "b|1|4|2026-05-21T10:00:00Z|2026-05-21T11:30:00Z",
    ),
    "with the model": table(
        "Job|GPUs|Start|Duration (h:mm)",
        "a|8x H100|2026-05-20T10:00:00Z|2:00",
        "b|4x H100|2026-05-21T10:00:00Z|1:30",
    ),
}


@pytest.mark.parametrize("sign", some_of([",", ";", "\t"], quick=1))
@pytest.mark.parametrize("name", one_in(8, CLEAR))
def test_a_clear_table_is_read_without_options_and_what_was_taken_is_said(
    tmp_path: Path, name: str, sign: str
) -> None:
    path = written(tmp_path, CLEAR[name], sign)
    found = read(path)
    (file,) = found.intake
    assert not found.refused and fates(file) == ("mapped", 2, 2, 0, 0, 0)
    assert found.jobs.gpu_hours == pytest.approx(GPU_HOURS)
    assert "gpus=" in str(said(file)["read_as_table"])
    assert ("sacct" in str(said(file)["read_as_table"])) == ("sacct" in name)


@pytest.mark.parametrize("name", some_of(CLEAR, quick=1))
def test_a_printed_mapping_gives_the_same_rows_again(tmp_path: Path, name: str) -> None:
    path = written(tmp_path, CLEAR[name])
    with sources_of(str(path)) as (source,):
        layout = log_layout(source)
    words = proposal_of(layout).words
    assert words is not None
    again, alone = read(path, words), read(path)
    assert again.jobs == alone.jobs
    assert again.intake[0].rows_accepted == alone.intake[0].rows_accepted == 2


DOUBTFUL = {
    "when it was submitted": table("job|gpus|submitted|duration_s", "a|8|2026-05-20T10:00:00Z|60"),
    "a length without a unit": table("job|gpus|start|length", "a|8|2026-05-20T10:00:00Z|60"),
    "day or month": table(
        "job|gpus|start|end", "a|8|05/01/2026 10:00|05/02/2026 11:00", "b|8|05/03/2026 10:00|05/04/2026 11:00"
    ),
    "half a GPU or two": table("job|gpus|start|end", "a|0,5|2026-05-20T10:00:00Z|2026-05-20T12:00:00Z"),
    "is ambiguous": table("job|gpus|start|end", "a|1,024|2026-05-20T10:00:00Z|2026-05-20T12:00:00Z"),
    "a clock of its own": table(
        "job|gpus|start date|start time|end date|end time",
        "a|8|2026-05-20|10:00|2026-05-20|12:00",
        "b|8|2026-05-20|10:00|2026-05-21|12:00",
    ),
    "hours or minutes": table("job|gpus|start|duration", "a|8|2026-05-20T10:00:00Z|10:30"),
    "devices that may be anything": table(
        "job|devices|start|end", "a|8|2026-05-20T10:00:00Z|2026-05-20T12:00:00Z"
    ),
}


@pytest.mark.parametrize("name", some_of(DOUBTFUL, quick=1))
def test_what_is_not_sure_is_refused_with_what_to_write(tmp_path: Path, name: str) -> None:
    path = written(tmp_path, DOUBTFUL[name])
    found = read(path)
    assert not found.jobs.count and "is uncertain" in str(found.refused[0])
    (words,) = re.findall(r"--map '?([^' ]+(?: [^']+)?)'? \(", str(found.refused[0]))
    assert read(path, words).jobs.count  # written so, it is read


def test_reservations_are_no_jobs_unless_they_are_given_as_jobs(tmp_path: Path) -> None:
    rows = ("r|8|2026-05-20|2026-05-22", "s|8|2026-05-21|2026-05-23")
    path = written(tmp_path, table("Reservation|GPUs|From|To", *rows))
    assert recognise(str(path)).kind == "unknown"
    assert read(path).jobs.count == 2


def test_a_dialect_that_rejects_most_rows_gives_way(tmp_path: Path) -> None:
    rows = [(f"{n}", "8,0" if n % 2 else "4,0", "2026-05-20 10:00", "2026-05-20 12:00") for n in range(1, 7)]
    path = written(tmp_path, (("job_id", "gpus", "start", "end"), *rows))
    assert recognise(str(path)).format == recognisers.OWN_CSV_FORMAT
    found = read(path)
    (file,) = found.intake
    assert fates(file) == ("mapped", 6, 6, 0, 0, 0)
    assert found.jobs.gpu_hours == pytest.approx(6 * 6 * 2)
    assert said(file)["read_as_table"]


STEPS = {
    "steps of array tasks, one pending": (
        "123_1|a|gres/gpu=2|PENDING|Unknown|Unknown",
        "123_2.0|a|gres/gpu=2|COMPLETED|2026-03-01T02:00:00|2026-03-01T04:00:00",
        "124.0|a|gres/gpu=2|COMPLETED|2026-03-01T02:00:00|2026-03-01T04:00:00",
    ),
    "steps that look like numbers": (
        "123.0|a|gres/gpu=2|COMPLETED|2026-03-01T00:00:00|2026-03-01T02:00:00",
        "124.0|a|gres/gpu=4|COMPLETED|2026-03-01T00:00:00|2026-03-01T02:00:00",
        "125_1.0|a|gres/gpu=4|COMPLETED|2026-03-01T00:00:00|2026-03-01T02:00:00",
    ),
}


@pytest.mark.long
@pytest.mark.parametrize("name", one_in(8, STEPS))
@pytest.mark.parametrize("bad", [(), ("126|a|gres/gpu=x|COMPLETED|2026-03-01T00:00:00|2026-03-01T02:00:00",)])
def test_no_table_takes_for_jobs_what_the_dialect_ignores(
    tmp_path: Path, name: str, bad: tuple[str, ...]
) -> None:
    path = tmp_path / "log.csv"
    path.write_text("\n".join(("JobID|User|AllocTRES|State|Start|End", *STEPS[name], *bad)) + "\n")
    found = read(path)
    assert fates(found) == (sacct.FORMAT, 3 + len(bad), 0, len(bad), 0, 3)
    assert found.jobs.count == 0
    shown = preview_log(str(path))
    assert (shown.format, shown.is_mapped, shown.counts[1]) == (sacct.FORMAT, False, 0)


def test_of_two_dialects_the_one_that_accepts_more_rows_is_taken(tmp_path: Path) -> None:
    text = "JobID|Start|End|AllocTRES|State\n1|2026-05-20T10:00:00|2026-05-20T12:00:00|gres/gpu=8|COMPLETED\n"
    (tmp_path / "log.txt").write_text(text)
    both = [one for one in DIALECTS if one.format in (recognisers.OWN_CSV_FORMAT, sacct.FORMAT)]
    with sources_of(str(tmp_path / "log.txt")) as (source,):
        assert most_accepted(source, both).format == sacct.FORMAT
        assert most_accepted(source, both[::-1]).format == sacct.FORMAT


@pytest.mark.long
def test_a_list_of_gpus_stays_a_list_and_64_0_is_64(tmp_path: Path) -> None:
    times = ("2026-05-20T10:00:00Z", "2026-05-20T11:00:00Z")
    for first, second, hours in (("0,1,2,3", "0,1", 6), ("64,0", "1.024,5", 1088.5)):
        rows = (("job", "gpus", "start", "end"), ("a", first, *times), ("b", second, *times))
        assert read(written(tmp_path, rows)).jobs.gpu_hours == hours


@settings(max_examples=examples(15), deadline=None)
@given(st.lists(st.integers(0, 10**7).map(lambda n: n / 100), min_size=1, max_size=30), st.booleans())
def test_every_number_of_a_column_reads_back_from_either_style(numbers: list[float], has_gaps: bool) -> None:
    for style, swap in (("comma", str.maketrans(",.", ".,")), ("point", str.maketrans("", ""))):
        texts = [f"{number:,.2f}" if has_gaps else f"{number:.2f}" for number in numbers]
        assert [float(plain_number(text.translate(swap), style)) for text in texts] == numbers


DAY = "2026-03-01T00:00:00Z,2026-03-02T00:00:00Z"


@pytest.mark.parametrize(
    ("head", "row", "kind"),
    [
        ("Name,Type,Start,End,GPUs", f"n1,Node,{DAY},8", "unknown"),
        ("Name,Instance type,Start,End,GPUs", f"n1,p5.48xlarge,{DAY},8", "unknown"),
        ("Instance ID,Instance type,State,Start,End,GPUs", f"i-1,p5.48xlarge,running,{DAY},8", "unknown"),
        ("Name,Asset tag,Start,End,GPUs", f"n1,A1,{DAY},8", "unknown"),
        ("Name,Start,End,GPUs", f"train,{DAY},8", "jobs"),
        ("Job,Instance type,Start,End,GPUs", f"train,p5.48xlarge,{DAY},8", "jobs"),
        ("Name,User,Instance type,Start,End,GPUs", f"train,ann,p5.48xlarge,{DAY},8", "jobs"),
        ("Name,Status,Instance type,Start,End,GPUs", f"train,Succeeded,p5.48xlarge,{DAY},8", "jobs"),
    ],
)
def test_machines_from_when_to_when_are_no_jobs(tmp_path: Path, head: str, row: str, kind: str) -> None:
    other = row.replace("n1", "n2").replace("i-1", "i-2").replace("A1", "A2").replace("train", "eval")
    path = tmp_path / "table.csv"
    path.write_text(f"{head}\n{row}\n{other}\n", encoding="utf-8")
    assert recognise(str(path)).kind == kind
