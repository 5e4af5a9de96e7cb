"""Other tables through a mapping, in every file format."""

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import duckdb
import openpyxl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.export.cube_file import cube_sha256
from gpuplanner.files.importing.intake import ReadResult, read_inputs
from gpuplanner.files.importing.log_choices import ReadOptions
from gpuplanner.files.job_logs.judging.column_names import stated_amount
from gpuplanner.files.job_logs.judging.dialect import flat, job_records, json_form
from gpuplanner.files.job_logs.mapped_log import log_layout
from gpuplanner.files.sources.source import TEXT, Source, survey
from gpuplanner.files.tables.column_mapping import ColumnMapping, mapping_text, parse_mapping, unique_headings
from gpuplanner.files.tables.layout import Layout
from gpuplanner.files.values.lookback_period import WindowRequest
from tests.files.job_logs.cluster_damage import check_rows_add_up, often
from tests.files.job_logs.row_ends import Read, codes, fates
from tests.some_of import examples, one_in

WHOLE_LOG = WindowRequest(whole_log=True)
TABLE = "ngpu;when;took;who\n2;1767225600;90;ann\n0.5;1767225600;60;bob\n1;1767225600;;bob\n"


def test_a_mapping_is_read_from_its_words() -> None:
    mapping = parse_mapping('gpus=n:milli, start=submit:epoch_ms,"duration=how long, in h:h",name=a:b')
    assert mapping == ColumnMapping(
        {"gpus": "n", "start": "submit", "duration": "how long, in h", "name": "a:b"},
        {"gpus": "milli", "start": "epoch_ms", "duration": "h"},
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "gpus"),
        ("gpus", "FIELD=COLUMN"),
        ("gpus=n,start=s,end=e,size=x", "no field size"),
        ("gpus=n,start,end=e", "FIELD=COLUMN"),
        ("gpus=n:h,start=s,end=e", "h is not a unit of gpus"),
        ("gpus=n,start=s:milli,end=e", "milli is not a unit of start"),
        ("gpus=n,gpus=m,start=s,end=e", "twice"),
    ],
)
def test_a_mapping_that_cannot_be_is_a_usage_error(text: str, said: str) -> None:
    with pytest.raises(PlannerError, match=said) as caught:
        parse_mapping(text)
    assert caught.value.code == "usage"


@pytest.mark.parametrize(
    ("text", "delimiter"),
    [
        ("n,a;b\n1,2;3\n", ","),  # as good by both: the usual one
        ("n;a,b\n1;2\n3;4\n", ";"),  # with commas, two of three rows have one cell
        ("n\ta b\n1\t2 3\n", "\t"),
        ("n|a|b\n1|2|3\n", "|"),
    ],
)
def test_columns_are_apart_by_what_makes_equal_rows_and_by_commas_where_two_do(
    text: str, delimiter: str
) -> None:
    layout = log_layout(Source(path="log", kind=TEXT, size=len(text), sha256="", head=text, at="log"))
    assert layout is not None
    assert layout.delimiter == delimiter


OWN = "job_id,cluster,account,gpu_model,gpus,start,end,class"
ROW = "7,north,lab,H100,2,2026-01-01T00:00:00Z,2026-01-01T03:00:00Z,training"


def _hash(read: ReadResult) -> str:
    return cube_sha256(read.cube, read.workloads, read.window)


@pytest.mark.long
def test_a_mapping_may_say_only_what_differs_from_our_own_columns(read_log: Read) -> None:
    own = read_log(f"{OWN}\n{ROW}\n{ROW}\n")
    renamed = OWN.replace("gpus", "ngpu").replace("start", "submit_ts")
    read = read_log(f"{renamed}\n{ROW}\n{ROW}\n", mapping="gpus=ngpu,start=submit_ts")
    assert _hash(read) == _hash(own)
    assert fates(read) == ("mapped", 2, 1, 0, 1, 0)


def test_a_mapping_that_says_all_that_is_needed_reads_nothing_else(read_log: Read) -> None:
    read = read_log(f"{OWN}\n{ROW}\n", mapping="gpus=gpus,start=start,end=end")
    assert [(workload.cluster, workload.owner) for workload in read.workloads] == [("", "")]


@pytest.mark.long
@pytest.mark.parametrize(
    ("header", "words", "hours"),
    one_in(
        4,
        [
            ("gpus,start,duration,end", "duration=duration:h", 6),
            ("gpus,start,duration", "gpus=gpus", 2 * 3 / 3600),
            ("gpus,start,duration,till", "end=till", 8),
        ],
    ),
)
def test_an_end_and_a_duration_of_our_own_name(read_log: Read, header: str, words: str, hours: float) -> None:
    row = ("2", "2026-01-01T00:00:00Z", "3", "2026-01-01T04:00:00Z")[: header.count(",") + 1]
    read = read_log(f"{header}\n{','.join(row)}\n", mapping=words)
    assert read.jobs.milli_gpu_seconds == round(hours * 3_600_000)


def test_what_is_needed_and_stands_under_no_name_is_missing(read_log: Read) -> None:
    read = read_log("ngpu,from\n2,2026-01-01T00:00:00Z\n", mapping="gpus=ngpu")
    ((issue,),) = (file.issues for file in read.intake)
    assert issue.code == "missing_column" and "start, end" in str(issue.message)


@pytest.mark.long
def test_durations_in_a_unit_stand_for_ends(read_log: Read) -> None:
    read = read_log(TABLE, mapping="gpus=ngpu,start=when:epoch_s,duration=took:min,user=who")
    assert read.jobs.milli_gpu_seconds == (2 * 90 + 0.5 * 60) * 60_000
    assert fates(read) == ("mapped", 3, 2, 1, 0, 0)
    assert "bad_duration" in codes(read)
    assert [workload.owner for workload in read.workloads] == ["ann", "bob"]


def test_thousandths_and_milliseconds(read_log: Read) -> None:
    text = "g,s,e\n500,1767225600000,1767225660999\n"
    read = read_log(text, mapping="gpus=g:milli,start=s:epoch_ms,end=e:epoch_ms")
    assert read.jobs.milli_gpu_seconds == 500 * 60


def test_shares_of_gpus_may_have_a_decimal_comma(read_log: Read) -> None:
    counts = ("2", "0,5", "1,25", "1,500")  # the column decides as a whole: the last is one and a half
    rows = "".join(f"{n};{gpus};01.03.2026 10:00;60\n" for n, gpus in enumerate(counts))
    words = "job_id=id,gpus=gpus,start=begin:dmy,duration=runtime (min):min"
    read = read_log("id;gpus;begin;runtime (min)\n" + rows, mapping=words)
    assert read.jobs.milli_gpu_seconds == 5_250 * 3600
    assert not read.intake[0].rejected


AMOUNTS = (
    "who,from,to,GPU Hours,GPU Memory (GB),GPU %,Cost USD\n"
    "ann,2026-03-01T00:00:00Z,2026-03-02T00:00:00Z,96,80,50,7\n"
    "bob,2026-03-01T00:00:00Z,2026-03-01T12:00:00Z,24,80,50,7\n"
    "__idle__,2026-03-01T00:00:00Z,2026-03-01T12:00:00Z,12,80,50,7\n"
    "eve,2026-03-01T00:00:00Z,2026-03-01T00:00:00Z,1,80,50,7\n"
)


@pytest.mark.parametrize("column", ["GPU Hours", "GPU Hours:gpu_hours", "#4"])
def test_gpu_hours_of_a_row_are_gpus_over_its_time(read_log: Read, column: str) -> None:
    jobs = read_log(AMOUNTS, mapping=f"user=who,start=from,end=to,gpus={column}").jobs
    assert (jobs.gpu_hours, jobs.peak_milli_gpus) == (120, 6000)


@pytest.mark.parametrize(
    ("heading", "amount"),
    [
        ("GPU-h", "gpu_hours"),
        ("Total GPU hours used", "gpu_hours"),
        ("GPU-Stunden", "gpu_hours"),
        ("Heures GPU", "gpu_hours"),
        ("Hours", "h"),
        ("GPU utilization", "percent"),
        ("% GPU", "percent"),
        ("VRAM", "gb"),
        ("GPU price", "$"),
        *((name, "") for name in ("GPUs", "gpu_count", "num GPUs", "Anzahl GPUs", "gres/gpu", "H100")),
    ],
)
def test_a_heading_says_what_its_numbers_are(heading: str, amount: str) -> None:
    assert stated_amount(heading) == amount


def test_gpu_hours_need_an_end_and_may_have_a_length_for_it(read_log: Read) -> None:
    start = "2026-03-01T00:00:00Z"
    table = f"id,start,length,hours of GPUs,state\n1,{start},12,24,RUNNING\n2,{start},,24,RUNNING\n"
    read = read_log(
        table, mapping="job_id=id,state=state,start=start,duration=length:h,gpus=hours of GPUs:gpu_hours"
    )
    assert (read.jobs.gpu_hours, read.jobs.peak_milli_gpus) == (24, 2000)
    assert [row.row for row in read.intake[0].rejected] == [3]


@pytest.mark.parametrize("column", ["GPU Memory (GB)", "GPU %", "Cost USD"])
def test_an_amount_is_no_count_unless_it_is_said_to_be(read_log: Read, column: str) -> None:
    with pytest.raises(PlannerError) as fault:
        read_log(AMOUNTS, mapping=f"user=who,start=from,end=to,gpus={column}")
    assert fault.value.code == "usage"
    assert read_log(AMOUNTS, mapping=f"user=who,start=from,end=to,gpus={column}:gpu").jobs.gpu_jobs


def test_gpu_hours_are_read_without_a_mapping_where_no_count_is_beside_them(read_log: Read) -> None:
    table = "job,user,start,end,{0}GPU Hours\na,ann,2026-03-01T00:00:00Z,2026-03-02T00:00:00Z,{1}96\n"
    assert read_log(table.format("", "")).jobs.peak_milli_gpus == 4000
    assert read_log(table.format("GPUs,", "8,")).jobs.peak_milli_gpus == 8000


def test_a_mapped_column_that_is_not_there_is_named(read_log: Read) -> None:
    read = read_log(TABLE, mapping="gpus=ngpu,start=begin,end=finish")
    assert "begin, finish" in str(read.refused[0])
    assert "ngpu, when, took, who" in str(read.refused[0])


@pytest.mark.long
def test_a_mapping_of_our_own_columns_gives_the_same_as_none(read_log: Read) -> None:
    text = "job_id,gpus,start,end\n1,2,2026-01-05T10:00:00Z,2026-01-05T11:00:00Z\n"
    mapped = read_log(text, mapping="job_id=job_id,gpus=gpus,start=start,end=end")
    assert mapped.jobs == read_log(text).jobs


@pytest.mark.long
def test_a_workbook_and_a_parquet_file_are_read_like_text(tmp_path: Path) -> None:
    begun = datetime(2026, 1, 5, 10)
    rows = [(1, 2, begun, datetime(2026, 1, 5, 11, 30)), (2, 0.5, begun, None)]
    workbook = openpyxl.Workbook()
    sheet = workbook.active
    sheet.append(["job_id", "gpus", "start", "end"])
    for row in rows:
        sheet.append(row)
    workbook.save(tmp_path / "jobs.xlsx")
    with duckdb.connect() as connection:
        connection.execute('create table t (job_id int, gpus double, start timestamp, "end" timestamp)')
        connection.executemany("insert into t values (?, ?, ?, ?)", [list(row) for row in rows])
        connection.execute(f"copy t to '{tmp_path / 'jobs.parquet'}' (format parquet)")
    for name in ("jobs.xlsx", "jobs.parquet"):
        read = read_inputs([str(tmp_path / name)], window_request=WHOLE_LOG)
        assert fates(read) == ("own_csv", 2, 1, 1, 0, 0)
        assert read.intake[0].rejected[0].row == (3 if name.endswith("xlsx") else 2)
        assert read.jobs.milli_gpu_seconds == 3 * 3_600_000


@pytest.mark.long
def test_a_parquet_file_may_hold_times_with_their_zone(tmp_path: Path) -> None:
    path = tmp_path / "jobs.parquet"
    with duckdb.connect() as connection:
        connection.execute("set timezone = 'Asia/Kolkata'")
        connection.execute(
            f"""copy (select 1 as job_id, 8.0::double as gpus, timestamp '2026-01-05 10:00:00.5' as start,
                timestamptz '2026-01-05 11:00:00+00' as "end") to '{path}' (format parquet)"""
        )
    read = read_inputs([str(path)], window_request=WindowRequest(whole_log=True))
    assert read.jobs.milli_gpu_seconds == 8 * 3_600_000
    assert codes(read).keys() >= {"mixed_timezones", "naive_time_assumed_utc"}


# --- Any table: its header, its headings, its records, in every form; and whatever bytes it holds


@pytest.fixture
def put(tmp_path: Path) -> Any:
    """`put(text)` is the path of a file with that text."""

    def write(text: str | bytes, name: str = "table") -> str:
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return str(path)

    return write


def _mapped(path: str, words: str) -> ReadResult:
    return read_inputs([path], options=ReadOptions(mapping=words), window_request=WHOLE_LOG)


def _layout(path: str, names: tuple[str, ...] = ()) -> Layout:
    found = log_layout(survey(path), names)
    assert found is not None
    return found


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_found(put: Any, delimiter: str) -> None:
    rows = (["id", "note", "n"], ["1", "x" if delimiter in ",;" else "a, b; c", "2"], ["2", "x y", "3"])
    layout = _layout(put("\n".join(map(delimiter.join, rows))))
    assert (layout.delimiter, layout.headings, layout.header_row) == (delimiter, ("id", "note", "n"), 1)


@pytest.mark.parametrize(
    ("text", "header_row", "headings"),
    [
        ("a,b\n1,2\n", 1, ("a", "b")),
        ("1,2\n3,4\n", None, ("column 1", "column 2")),
        ("j-1,Unknown\nj-2,3\n", None, ("column 1", "column 2")),
        ("Report\n\nby hand,2026\n\na,b,c,d\n1,2,3,4\n4,5,6,7\n", 5, ("a", "b", "c", "d")),
        ("a,a,\n1,2,3\n", 1, ("a", "column 2", "column 3")),
        ("name:s,b\n1,2\n", 1, ("column 1", "b")),
        ("2nd user,n_1234567\n1,2\n", 1, ("2nd user", "n_1234567")),
    ],
)
def test_the_header_is_found(put: Any, text: str, header_row: int | None, headings: tuple[str, ...]) -> None:
    layout = _layout(put(text))
    assert (layout.header_row if layout.header_rows else None, layout.headings) == (header_row, headings)


@pytest.mark.long
def test_columns_are_named_by_their_place_where_there_is_no_header(put: Any) -> None:
    path = put("j1,4,2026-01-05T10:00:00Z,2026-01-05T11:00:00Z\nj2,4,2026-01-05T10:00:00Z,never\n")
    for form in ("#{}", "column {}", "Column{}"):
        fields = enumerate(("job_id", "gpus", "start", "end"), 1)
        (file,) = _mapped(path, ",".join(f"{field}={form.format(n)}" for n, field in fields)).intake
        assert (file.rows_read, file.rows_accepted, file.rejected[0].row) == (2, 1, 2)


def test_rows_below_titles_keep_their_line_numbers(put: Any) -> None:
    path = put("Usage\n\nid,gpus,start,end\n1,4,2026-01-05T10:00:00Z,2026-01-05T11:00:00Z\n2,x,,\n")
    (file,) = _mapped(path, "job_id=id,gpus=gpus,start=start,end=end").intake
    assert (file.rows_read, file.rows_accepted) == (2, 1)
    assert [row.row for row in file.rejected] == [5]


# --- JSON --------------------------------------------------------------------------------------

OBJECTS = [{"a": {"b": 1, "c": [1, 2]}, "d": None}, {"a": {"b": 1.50}, "e": True, "f": [{"g": "x"}]}]
FLAT = [{"a.b": "1", "a.c": "1,2", "d": ""}, {"a.b": "1.5", "e": "true", "f.0.g": "x"}]


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("\n".join(json.dumps(one) for one in OBJECTS), "lines"),
        (json.dumps(OBJECTS), "item"),
        (json.dumps(OBJECTS, indent=2), "item"),
        (json.dumps({"meta": {"n": 2}, "jobs": OBJECTS}, indent=1), "jobs.item"),
        (json.dumps({"meta": {"n": 2}, "jobs": OBJECTS}), "jobs.item"),
        ("\n".join(json.dumps(one, indent=2) for one in OBJECTS), ""),
        ("\ufeff" + json.dumps(OBJECTS), "item"),
    ],
)
def test_records_of_every_form_of_json(put: Any, text: str, form: str) -> None:
    source = survey(put(text))
    assert json_form(source) == form
    records = [record for _, record in job_records(source, form) if not isinstance(record, str)]
    found, flat_ones = (
        [{k: v for k, v in one.items() if k != "d"} for one in many] for many in (records, FLAT)
    )
    assert found == flat_ones


def test_json_in_another_encoding(put: Any) -> None:
    source = survey(put(json.dumps([{"name": "é"}], ensure_ascii=False).encode("utf-16")))
    assert [record for _, record in job_records(source, json_form(source) or "")] == [{"name": "é"}]


def test_a_line_that_is_no_object_is_a_rejected_row_with_its_text(put: Any) -> None:
    good = '{"g": 2, "s": 1767225600, "e": 1767229200}'
    path = put(f"{good}\nnot json\n\n{good[:20]}\n{good}\n")
    (file,) = _mapped(path, "gpus=g,start=s:epoch_s,end=e:epoch_s").intake
    assert (file.rows_read, file.rows_accepted) == (4, 2)
    assert [(row.row, row.text.strip(",")) for row in file.rejected] == [(2, "not json"), (4, good[:20])]


def test_a_key_that_comes_late_is_found_too(put: Any) -> None:
    lines = [{"g": 1, "s": 1767225600}] * 300 + [{"g": 1, "s": 1767225600, "late": 1767229200}]
    path = put("\n".join(map(json.dumps, lines)))
    assert fates(_mapped(path, "gpus=g,start=s:epoch_s,end=late:epoch_s"))[1:3] == (301, 1)


@pytest.mark.parametrize(
    ("text", "code"),
    [('[{"a": 1}, {"a": 2}', "truncated_file"), ('[{"a": 1},\n {"a": x}]', "file_unreadable")],
)
def test_a_document_that_is_cut_off_or_broken_is_said(put: Any, text: str, code: str) -> None:
    source = survey(put(text))
    with pytest.raises(PlannerError) as caught:
        list(job_records(source, json_form(source) or ""))
    assert caught.value.code == code and "a" not in str(caught.value.what).split()


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 50_000, "[" + '{"a":[' * 30_000])
def test_json_without_a_bottom_is_no_table_and_no_trap(put: Any, text: str) -> None:
    source = survey(put(text))
    form = json_form(source)
    if form is not None:
        with pytest.raises(PlannerError, match="nested over"):
            list(job_records(source, form))


def test_a_record_without_a_bottom_is_said(put: Any) -> None:
    filler = ", ".join('{"a": "%s"}' % ("x" * 1000) for _ in range(80))
    source = survey(put(f'[{filler}, {{"a": {"[" * 5000}{"]" * 5000}}}]'))
    with pytest.raises(PlannerError, match="nested over"):
        list(job_records(source, json_form(source) or ""))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6),
    lambda inside: st.lists(inside, max_size=4) | st.dictionaries(st.text(max_size=6), inside, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(st.text(max_size=6), JSON, max_size=5))
def test_an_object_becomes_texts(value: dict[str, object]) -> None:
    assert all(isinstance(text, str) for text in flat(value).values())


# --- Words -------------------------------------------------------------------------------------

FIELDS = ["gpus", "start", "end", "duration", "name", "user", "gpu_activity_percent"]
HEADINGS = st.text(min_size=1, max_size=10)


@given(st.lists(HEADINGS, min_size=7, max_size=7), st.sampled_from(["", "iso", "epoch_ms", "dmy"]))
def test_the_words_of_a_mapping_are_read_back(texts: list[str], unit: str) -> None:
    columns = dict(zip(FIELDS, unique_headings(texts), strict=True))
    mapping = ColumnMapping(columns, {"start": unit, "gpus": "milli"} if unit else {})
    assert parse_mapping(mapping_text(mapping)) == mapping


# --- Whatever a file holds ---------------------------------------------------------------------

VALID = (
    b"id;ngpu;when;took;who\n1;2;1767225600;90;ann\n2;0.5;1767225600;60;bob\n3;1;2026-01-05T10:00:00Z;01:00:00;bob\n",
    b'{"id": 1, "ngpu": 2, "when": 1767225600, "took": 90}\n{"id": 2, "ngpu": 1, "when": 1767225600, "took": 60}\n',
    b'{"jobs": [{"id": 1, "ngpu": 2, "when": 1767225600, "took": 90, "who": {"name": "ann"}}]}',
)
ODD = [
    *(b'"', b",", b";", b"\n", b"\r", b"\0", b"\xff", b"{", b"}", b"[", b"]", b"-1", b"9" * 30),
    *(b"Unknown", b"#", b"1e999"),
]


@st.composite
def damaged(draw: Any) -> bytes:
    data: bytes = draw(st.sampled_from(VALID))
    for _ in range(draw(st.integers(0, 6))):
        at = draw(st.integers(0, len(data)))
        data = data[:at] + draw(st.sampled_from(ODD)) + data[at + draw(st.sampled_from([0, 0, 1, 4, 30])) :]
    return data


@often
@given(data=damaged())
def test_damaged_tables_have_a_layout_or_a_clear_error(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    """Records and their headings, or one clear error. The file itself is there where it is read: as JSON."""
    path = tmp_path_factory.getbasetemp() / "any"
    head = data.decode("utf-8", "replace")
    source = Source(path=str(path), kind=TEXT, size=len(data), sha256="", head=head, at=str(path))
    if head.lstrip()[:1] in ("{", "["):
        path.write_bytes(data)
    try:
        layout = log_layout(source, ("ngpu", "when"))
        if layout is not None:
            assert len({heading.casefold() for heading in layout.headings}) == len(layout.headings)
            assert all(len(row) == len(layout.headings) for row in layout.body)
        if layout is not None and layout.json is not None:
            assert all(number >= 1 for number, _ in job_records(source, layout.json))
    except PlannerError as fault:
        error = fault
    else:
        return
    assert error.code in ("file_unreadable", "truncated_file") and error.remedy


UNITS = st.tuples(
    st.sampled_from(("gpu", "milli", "slurm", "list")),
    st.sampled_from(("epoch_s", "iso", "dmy", "epoch_ns")),
    st.sampled_from(("s", "d", "ms")),
)


@pytest.mark.long
@settings(max_examples=examples(5), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=damaged(), units=UNITS)
def test_every_row_of_a_damaged_table_is_accounted_for(
    tmp_path: Path, data: bytes, units: tuple[str, str, str]
) -> None:
    path = tmp_path / "any"
    path.write_bytes(data)
    mapping = f"job_id=id,gpus=ngpu:{units[0]},start=when:{units[1]},duration=took:{units[2]}"
    try:
        read = _mapped(str(path), mapping)
    except PlannerError as fault:
        error = fault
    else:
        for file in read.intake:
            check_rows_add_up(file)
        assert read.cube is None or read.cube.total == read.jobs.milli_gpu_seconds
        return
    assert error.code in ("file_unreadable", "truncated_file") and error.remedy
