"""The preview of a log: what it says is what the import does."""

import gzip
import json
import zipfile
from pathlib import Path

import openpyxl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gpuplanner.domain.model.errors import Cancelled, PlannerError
from gpuplanner.files.importing.first_row import NaiveTime, naive_sample
from gpuplanner.files.importing.intake import read_inputs
from gpuplanner.files.importing.log_choices import LogChoice, ReadOptions
from gpuplanner.files.importing.log_preview import LogPreview, preview_log
from gpuplanner.files.tables.column_mapping import MAPPED_FIELDS, ColumnMapping, mapping_text
from gpuplanner.files.tables.known_shapes import header_key
from gpuplanner.files.values.lookback_period import WindowRequest
from tests.files.job_logs.row_ends import fates
from tests.some_of import examples, one_in, some_of

FIXTURES = Path(__file__).parent.parent / "fixtures"
OWN_ROW = "1,8,2026-07-03 02:14:09,2026-07-03 09:00:00\n"
OWN = f"job_id,gpus,start,end\n{OWN_ROW}{OWN_ROW}"
OTHER = (
    "id;num_gpus;started;took_min\n"
    "1;8;2026-07-03T02:14:09;90\n2;x;2026-07-03T02:14:09;90\n3;;2026-07-03T02:14:09;1\n"
)


def _put(folder: Path, content: str | bytes, name: str = "log.txt") -> str:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return str(path)


def _counts_of_import(path: str, preview: LogPreview) -> tuple[int, ...]:
    mapping = preview.mapping if preview.is_mapped else None
    options = ReadOptions(mapping=mapping)
    return fates(read_inputs([path], options=options, window_request=WindowRequest(whole_log=True)))[1:]


@pytest.mark.long
@pytest.mark.parametrize("name", one_in(4, ["sacct_P_header.txt", "jobs.csv"]))
@pytest.mark.parametrize("rows_at_most", some_of([20_000, None], quick=1))
def test_counts_and_issues_are_those_of_the_import(name: str, rows_at_most: int | None) -> None:
    path = str(FIXTURES / name)
    preview = preview_log(path, rows_at_most=rows_at_most)
    assert preview.counts == _counts_of_import(path, preview)
    assert not preview.is_sample and not preview.is_mapped and preview.mapping is None
    (file,) = read_inputs([path], window_request=WindowRequest(whole_log=True)).intake
    assert (preview.issues, preview.rejected, preview.format) == (file.issues, file.rejected, file.format)
    assert preview.rows[0][0] == 2 and len(preview.rows[0][1]) == len(preview.columns)


def test_a_table_is_mapped_and_told_field_by_field(tmp_path: Path) -> None:
    path = _put(tmp_path, OTHER)
    preview = preview_log(path, LogChoice(timezone="Europe/Oslo"))
    assert preview.is_mapped and preview.missing == () and preview.mapping is not None
    assert mapping_text(preview.mapping) == "job_id=id,gpus=num_gpus,start=started,duration=took_min:min"
    assert preview.counts == (3, 2, 1, 0, 0) == _counts_of_import(path, preview)
    fields = {field.field: field for field in preview.fields}
    assert list(fields) == list(MAPPED_FIELDS)
    assert (fields["gpus"].first_text, str(fields["gpus"].read_as)) == ("8", "8 GPUs")
    assert str(fields["start"].read_as) == "3 Jul 2026 00:14:09 UTC"
    assert str(fields["gpus"].below[0]) == "cannot be read"  # of the row below
    assert (fields["duration"].unit, str(fields["duration"].read_as)) == ("min", "1 h 30 min")
    assert [name for name, field in fields.items() if field.is_required] == ["gpus", "start", "duration"]
    assert fields["cluster"].column is None and fields["cluster"].units == ()
    assert preview.naive_sample == NaiveTime(text="2026-07-03T02:14:09", unit="iso")
    assert [column.heading for column in preview.columns] == ["id", "num_gpus", "started", "took_min"]
    assert preview.columns[1].samples == ("8", "x")
    assert tuple(map(str, preview.details)) == ("108 bytes", "UTF-8", '";" separated')
    assert preview.rejected[0].row == 3


def test_another_unit_changes_what_is_counted(tmp_path: Path) -> None:
    path = _put(tmp_path, OTHER)
    columns = {"gpus": "num_gpus", "start": "started", "duration": "took_min"}
    given_mapping = ColumnMapping(columns, {"start": "epoch_ms", "duration": "d"})
    preview = preview_log(path, LogChoice(mapping=given_mapping))
    assert preview.counts == (3, 0, 3, 0, 0) == _counts_of_import(path, preview)
    fields = {field.field: field for field in preview.fields}
    assert (str(fields["start"].read_as), str(fields["duration"].read_as)) == ("cannot be read", "90 d")
    assert fields["start"].note and fields["start"].units[0] == "iso"


@pytest.mark.parametrize(
    ("mapping", "missing"),
    [
        (ColumnMapping({"start": "started"}), ("no column for gpus", "no column for end or duration")),
        (ColumnMapping({"gpus": "num_gpus", "start": "no", "end": "started"}), ("no column no",)),
        (ColumnMapping({}), ("no column for gpus", "no column for start", "no column for end or duration")),
    ],
)
def test_a_mapping_that_lacks_something_says_what(
    tmp_path: Path, mapping: ColumnMapping, missing: tuple[str, ...]
) -> None:
    preview = preview_log(_put(tmp_path, OTHER), LogChoice(mapping=mapping))
    assert tuple(map(str, preview.missing)) == missing
    assert preview.counts == (0, 0, 0, 0, 0)
    assert len(preview.rows) == 3 and preview.mapping == mapping


@pytest.mark.long
def test_our_own_log_may_be_mapped_all_the_same(tmp_path: Path) -> None:
    path = _put(tmp_path, OWN)
    preview = preview_log(path, LogChoice(format="mapped"))
    assert preview.is_mapped and preview.counts == preview_log(path).counts == (2, 1, 0, 1, 0)
    assert preview.naive_sample == NaiveTime(text="2026-07-03 02:14:09", unit="iso")


@pytest.mark.parametrize(
    ("text", "unit", "zone", "meaning"),
    [
        ("2026-07-01T12:00:00", "iso", "Europe/Oslo", "1 Jul 2026 10:00:00 UTC"),  # summer
        ("2026-12-01T12:00:00", "iso", "Europe/Oslo", "1 Dec 2026 11:00:00 UTC"),
        ("2026-03-29T02:30:00", "iso", "Europe/Oslo", "29 Mar 2026 01:30:00 UTC"),  # skipped on the clock
        ("2026-10-25T02:30:00", "iso", "Europe/Oslo", "25 Oct 2026 00:30:00 UTC"),  # twice on the clock
        ("01/07/2026 00:00", "dmy", "Etc/GMT-2", "30 Jun 2026 22:00:00 UTC"),  # two hours ahead of UTC
        ("2026-07-01T00:00:00", "iso", "Asia/Kolkata", "30 Jun 2026 18:30:00 UTC"),
    ],
)
def test_a_time_without_a_zone_means_an_instant(text: str, unit: str, zone: str, meaning: str) -> None:
    sample = naive_sample([text], unit)
    assert sample is not None and str(sample.meaning_in(zone)) == meaning


@pytest.mark.parametrize("text", ["2026-07-01T12:00:00+02:00", "2026-07-01T12:00:00Z", "none", ""])
def test_a_time_with_its_own_zone_asks_for_none(text: str) -> None:
    assert naive_sample([text], "iso") is None


def test_a_log_that_is_almost_ours_is_proposed_a_mapping(tmp_path: Path) -> None:
    preview = preview_log(_put(tmp_path, OWN.replace(",end", ",finished")))
    assert preview.is_mapped and preview.missing == () == preview.doubts
    assert str(preview.why)
    assert preview.counts == (2, 1, 0, 1, 0)


@pytest.mark.parametrize(
    ("content", "kind", "said"),
    [
        ("", "unknown", "it is empty"),
        (b"\x89PNG....", "unknown", "it is a picture: give its table as CSV or XLSX"),
        ("contract_id,gpus,start\nc,1,2026-01-01\n", "contracts", "contains contracts"),
        ("hello\nworld\n", "unknown", "no column for gpus"),
    ],
)
def test_what_is_no_log_says_why(tmp_path: Path, content: str | bytes, kind: str, said: str) -> None:
    preview = preview_log(_put(tmp_path, content))
    assert preview.kind == kind and said in str(preview.missing[0]) and preview.counts[0] == 0


def test_a_format_that_is_not_there_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(PlannerError, match="unknown job log format"):
        preview_log(_put(tmp_path, OWN), LogChoice(format="nonsense"))
    with pytest.raises(PlannerError, match="file not found"):
        preview_log(str(tmp_path / "gone.csv"))


def test_a_format_that_does_not_fit_says_what_is_missing(tmp_path: Path) -> None:
    preview = preview_log(_put(tmp_path, OTHER), LogChoice(format="own_csv"))
    assert not preview.is_mapped and "no column job_id" in str(preview.missing[0])


# --- The first rows ----------------------------------------------------------------------------


def _many(count: int) -> list[tuple[str, int, str, str]]:
    return [(f"j{n}", n % 4, "2026-07-03T02:00:00Z", "2026-07-03T03:00:00Z") for n in range(count)]


def _written(folder: Path, form: str, count: int) -> str:
    head, rows = ("name_of_job", "gpu_count", "started", "ended"), _many(count)
    if form == "xlsx":
        workbook = openpyxl.Workbook()
        sheet = workbook.active
        for row in (head, *rows):
            sheet.append(row)
        workbook.save(folder / "log.xlsx")
        return str(folder / "log.xlsx")
    if form == "parquet":
        import duckdb

        with duckdb.connect() as connection:
            _put(folder, "\n".join(",".join(map(str, row)) for row in (head, *rows)), "log.csv")
            table = f"(from read_csv('{folder}/log.csv'))"
            connection.execute(f"copy {table} to '{folder}/log.parquet' (format parquet)")
        return str(folder / "log.parquet")
    objects = [dict(zip(head, row, strict=True)) for row in rows]
    text = {
        "csv": "\n".join(",".join(map(str, row)) for row in (head, *rows)),
        "lines": "\n".join(map(json.dumps, objects)),
        "array": json.dumps({"jobs": objects}, indent=1),
    }[form.removesuffix(".gz").removesuffix(".zip")]
    if form.endswith(".gz"):
        return _put(folder, gzip.compress(text.encode()))
    if form.endswith(".zip"):
        with zipfile.ZipFile(folder / "log.zip", "w") as archive:
            archive.writestr("readme.md", "what this is\n")
            archive.writestr("jobs.csv", text.replace(",".join(head), "job_id,gpus,start,end"))
        return str(folder / "log.zip")
    return _put(folder, text)


@pytest.mark.long
@pytest.mark.parametrize("form", one_in(7, ["csv", "csv.gz", "csv.zip", "lines", "array", "xlsx", "parquet"]))
def test_a_long_log_is_counted_by_its_first_rows(tmp_path: Path, form: str) -> None:
    path = _written(tmp_path, form, 2500)
    part = preview_log(path, rows_at_most=1200)
    first = 1201 if form == "lines" else 1200  # the line of a header is one of the lines that are taken
    assert part.is_sample and part.counts == (first, first, 0, 0, 0)
    assert Path(part.path).name in (Path(path).name, "jobs.csv")
    whole = preview_log(path, rows_at_most=None)
    assert not whole.is_sample and whole.counts == (2500, 2500, 0, 0, 0)
    enough = preview_log(path, rows_at_most=2500)
    assert not enough.is_sample and enough.counts == whole.counts
    assert enough.fields == part.fields


@settings(max_examples=examples(10), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.binary(max_size=300) | st.text(alphabet='a1,;|\n"{}[]:. ', max_size=120).map(str.encode))
def test_whatever_a_file_holds_it_has_a_preview_or_one_clear_error(tmp_path: Path, data: bytes) -> None:
    path = _put(tmp_path, data)
    try:
        preview = preview_log(path, rows_at_most=20)
    except PlannerError as fault:
        code: str | None = fault.code
    else:
        code = None
        assert preview.counts[0] == sum(preview.counts[1:])
        assert preview.missing or preview.counts[0] >= 0
    assert code in (None, "file_unreadable", "truncated_file")


def test_a_preview_stops_when_it_is_told_to(tmp_path: Path) -> None:
    with pytest.raises(Cancelled):
        preview_log(_put(tmp_path, OWN), is_cancelled=lambda: True)


def test_a_header_is_known_again_whatever_its_capitals() -> None:
    assert header_key(["Job ID", "GPUs "]) == header_key(["job id", "gpus"]) != header_key(["job id gpus"])


def test_what_every_row_has_is_no_column_that_is_missing(tmp_path: Path) -> None:
    path = _put(tmp_path, OTHER)
    mapping = ColumnMapping({"gpus": "=1", "start": "started", "duration": "took_min"}, {"duration": "min"})
    preview = preview_log(path, LogChoice(mapping=mapping))
    (gpus,) = (field for field in preview.fields if field.field == "gpus")
    assert (preview.missing, gpus.first_text, str(gpus.read_as), str(gpus.note)) == ((), "1", "1 GPU", "")
    assert preview.counts == (3, 3, 0, 0, 0)
