"""Any table: its header, its headings, its records, in every form; and whatever bytes it holds."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.importing.intake import read_inputs
from gpuplanner.files.importing.log_choice import ReadOptions
from gpuplanner.files.job_logs.judging.json_records import flat, json_form, json_records
from gpuplanner.files.job_logs.mapping.any_table import log_layout
from gpuplanner.files.sources.source import TEXT, Source, survey
from gpuplanner.files.tables.column_mapping import ColumnMapping, mapping_text, parse_mapping, unique_headings
from gpuplanner.files.tables.table_layout import Layout
from gpuplanner.files.values.window_request import WindowRequest
from tests.some_of import examples

WHOLE_LOG = WindowRequest(whole_log=True)


@pytest.fixture
def put(tmp_path: Path) -> Any:
    """`put(text)` is the path of a file with that text."""

    def write(text: str | bytes, name: str = "table") -> str:
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return str(path)

    return write


def _layout(path: str, names: tuple[str, ...] = ()) -> Layout:
    found = log_layout(survey(path), names)
    assert found is not None
    return found


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_found(put: Any, delimiter: str) -> None:
    text = "\n".join(
        delimiter.join(row) for row in (["id", "note", "n"], ["1", "a, b; c", "2"], ["2", "x y", "3"])
    )
    layout = _layout(put(text.replace("a, b; c", "x") if delimiter in ",;" else text))
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
    ],
)
def test_the_header_is_found(put: Any, text: str, header_row: int | None, headings: tuple[str, ...]) -> None:
    layout = _layout(put(text))
    assert (layout.header_row if layout.header_rows else None, layout.headings) == (header_row, headings)


def test_columns_are_named_by_their_place_where_there_is_no_header(put: Any) -> None:
    path = put("j1,4,2026-01-05T10:00:00Z,2026-01-05T11:00:00Z\nj2,4,2026-01-05T10:00:00Z,never\n")
    for form in ("#{}", "column {}", "Column{}"):
        mapping = ",".join(
            f"{f}={form.format(n)}" for n, f in enumerate(("job_id", "gpus", "start", "end"), 1)
        )
        (file,) = read_inputs([path], options=ReadOptions(mapping=mapping), window_request=WHOLE_LOG).intake
        assert (file.rows_read, file.rows_accepted, file.rejected[0].row) == (2, 1, 2)


def test_rows_below_titles_keep_their_line_numbers(put: Any) -> None:
    path = put("Usage\n\nid,gpus,start,end\n1,4,2026-01-05T10:00:00Z,2026-01-05T11:00:00Z\n2,x,,\n")
    (file,) = read_inputs(
        [path],
        options=ReadOptions(mapping="job_id=id,gpus=gpus,start=start,end=end"),
        window_request=WHOLE_LOG,
    ).intake
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
    records = [record for _, record in json_records(source, form)]
    assert [{k: v for k, v in one.items() if k != "d"} for one in records if not isinstance(one, str)] == [
        {k: v for k, v in one.items() if k != "d"} for one in FLAT
    ]


def test_json_in_another_encoding(put: Any) -> None:
    source = survey(put(json.dumps([{"name": "é"}], ensure_ascii=False).encode("utf-16")))
    assert [record for _, record in json_records(source, json_form(source) or "")] == [{"name": "é"}]


def test_a_line_that_is_no_object_is_a_rejected_row_with_its_text(put: Any) -> None:
    good = '{"g": 2, "s": 1767225600, "e": 1767229200}'
    path = put(f"{good}\nnot json\n\n{good[:20]}\n{good}\n")
    (file,) = read_inputs(
        [path], options=ReadOptions(mapping="gpus=g,start=s:epoch_s,end=e:epoch_s"), window_request=WHOLE_LOG
    ).intake
    assert (file.rows_read, file.rows_accepted) == (4, 2)
    assert [(row.row, row.text.strip(",")) for row in file.rejected] == [(2, "not json"), (4, good[:20])]


def test_a_key_that_comes_late_is_found_too(put: Any) -> None:
    lines = [{"g": 1, "s": 1767225600}] * 300 + [{"g": 1, "s": 1767225600, "late": 1767229200}]
    path = put("\n".join(map(json.dumps, lines)))
    (file,) = read_inputs(
        [path],
        options=ReadOptions(mapping="gpus=g,start=s:epoch_s,end=late:epoch_s"),
        window_request=WHOLE_LOG,
    ).intake
    assert (file.rows_read, file.rows_accepted) == (301, 1)


@pytest.mark.parametrize(
    ("text", "code"),
    [('[{"a": 1}, {"a": 2}', "truncated_file"), ('[{"a": 1},\n {"a": x}]', "file_unreadable")],
)
def test_a_document_that_is_cut_off_or_broken_is_said(put: Any, text: str, code: str) -> None:
    source = survey(put(text))
    with pytest.raises(PlannerError) as caught:
        list(json_records(source, json_form(source) or ""))
    assert caught.value.code == code and "a" not in str(caught.value.what).split()


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 50_000, "[" + '{"a":[' * 30_000])
def test_json_without_a_bottom_is_no_table_and_no_trap(put: Any, text: str) -> None:
    source = survey(put(text))
    form = json_form(source)
    if form is not None:
        with pytest.raises(PlannerError, match="nested more than"):
            list(json_records(source, form))


def test_a_record_without_a_bottom_is_said(put: Any) -> None:
    filler = ", ".join('{"a": "%s"}' % ("x" * 1000) for _ in range(80))
    source = survey(put(f'[{filler}, {{"a": {"[" * 5000}{"]" * 5000}}}]'))
    with pytest.raises(PlannerError, match="nested more than"):
        list(json_records(source, json_form(source) or ""))


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
    mapping = ColumnMapping(
        dict(zip(FIELDS, unique_headings(texts), strict=True)),
        {"start": unit, "gpus": "milli"} if unit else {},
    )
    assert parse_mapping(mapping_text(mapping)) == mapping


# --- Whatever a file holds ---------------------------------------------------------------------

VALID = (
    b"id;ngpu;when;took;who\n1;2;1767225600;90;ann\n2;0.5;1767225600;60;bob\n3;1;2026-01-05T10:00:00Z;01:00:00;bob\n",
    b'{"id": 1, "ngpu": 2, "when": 1767225600, "took": 90}\n{"id": 2, "ngpu": 1, "when": 1767225600, "took": 60}\n',
    b'{"jobs": [{"id": 1, "ngpu": 2, "when": 1767225600, "took": 90, "who": {"name": "ann"}}]}',
)
ODD = [
    b'"',
    b",",
    b";",
    b"\n",
    b"\r",
    b"\0",
    b"\xff",
    b"{",
    b"}",
    b"[",
    b"]",
    b"-1",
    b"9" * 30,
    b"Unknown",
    b"#",
    b"1e999",
]


@st.composite
def damaged(draw: Any) -> bytes:
    data: bytes = draw(st.sampled_from(VALID))
    for _ in range(draw(st.integers(0, 6))):
        at = draw(st.integers(0, len(data)))
        data = data[:at] + draw(st.sampled_from(ODD)) + data[at + draw(st.sampled_from([0, 0, 1, 4, 30])) :]
    return data


def _records_law(path: Path, data: bytes) -> None:
    """Records and their headings, or one clear error. The file itself is there where it is read: as JSON."""
    head = data.decode("utf-8", "replace")
    source = Source(str(path), TEXT, len(data), "", head=head, at=str(path))
    if head.lstrip()[:1] in ("{", "["):
        path.write_bytes(data)
    try:
        layout = log_layout(source, ("ngpu", "when"))
        if layout is None:
            return
        assert len({heading.casefold() for heading in layout.headings}) == len(layout.headings)
        assert all(len(row) == len(layout.headings) for row in layout.body)
        if layout.json is not None:
            assert all(number >= 1 for number, _ in json_records(source, layout.json))
    except PlannerError as fault:
        error: PlannerError | None = fault
    else:
        error = None
    if error is not None:
        assert error.code in ("file_unreadable", "truncated_file") and error.remedy


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=damaged())
def test_damaged_tables_have_a_layout_or_a_clear_error(tmp_path: Path, data: bytes) -> None:
    _records_law(tmp_path / "any", data)


@pytest.mark.long
@settings(max_examples=20_000, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=damaged())
def test_damaged_tables_have_a_layout_or_a_clear_error_long(tmp_path: Path, data: bytes) -> None:
    _records_law(tmp_path / "any", data)


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
        read = read_inputs([str(path)], options=ReadOptions(mapping=mapping), window_request=WHOLE_LOG)
    except PlannerError as fault:
        error: PlannerError | None = fault
    else:
        error = None
    if error is not None:
        assert error.code in ("file_unreadable", "truncated_file") and error.remedy
        return
    for file in read.intake:
        ends = (file.rows_accepted, file.rows_rejected, file.rows_duplicate, file.rows_ignored)
        assert file.rows_read == sum(ends)
    if read.cube is not None:
        assert read.cube.total == read.jobs.milli_gpu_seconds
