"""JSON of others: every value of a sound file, and of any other what came before its fault and what is wrong."""

import io
import json
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.sources.json_values import (
    DEPTH_AT_MOST,
    DIGITS_AT_MOST,
    GuardedBytes,
    TooDeepError,
    Watch,
    head_events,
    json_members,
    json_objects,
    json_paths,
    json_records,
    json_values,
    object_of_line,
    values_of_text,
    whole_values,
)
from gpuplanner.files.sources.source import survey
from tests.some_of import examples


def put(folder: Path, data: bytes) -> str:
    path = folder / "log.json"
    path.write_bytes(data)
    return str(path)


def test_json_nested_without_end_is_refused_before_it_fills_the_memory(tmp_path: Path) -> None:
    source = survey(put(tmp_path, b'{"jobs":' + b"[" * 300_000))
    with pytest.raises(PlannerError) as error:
        list(whole_values(source, "jobs.item", print))
    assert error.value.code == "file_unreadable"


@pytest.mark.parametrize(
    ("data", "count", "word"),
    [
        (b'{"jobs": [{"a": 1}, {"a": 2}]}', 2, None),
        (b'{"jobs": [{"a": 1}]}\n{"jobs": [{"a": 2}]}\n', 2, None),
        (b'{"jobs": [{"a": 1}, {"a": 2', 1, "cut off"),
        (b'{"jobs": [{"a": 1}, {"a": NaN}]}', 2, None),  # as some programs write it
        (b'{"jobs": [{"a": 1}, {"a": none}]}', 1, "broken"),
        (b'{"jobs": [{"a": 1}, {"a": ' + b"9" * 5000 + b"}]}", 0, "broken"),
        (b'{"jobs": [{"a": "' + b"9" * 5000 + b'"}]}', 1, None),
        (b'{"jobs": [{"a": "\xff"}, {"a": "\\ud800"}]}', 2, None),
        ('{"jobs": [{"a": "ø"}]}'.encode("utf-16"), 1, None),
        ('{"jobs": [{"a": "ø"}]}'.encode("latin-1"), 1, None),
        ('\ufeff{"jobs": [{"a": "ø"}]}'.encode(), 1, None),
    ],
)
def test_whole_values_come_before_the_fault_is_told(
    tmp_path: Path, data: bytes, count: int, word: str | None
) -> None:
    faults: list[str] = []
    values = list(whole_values(survey(put(tmp_path, data)), "jobs.item", faults.append))
    assert len(values) == count
    assert [word in str(fault) for fault in faults if word] == ([True] if word else [])
    assert bool(faults) == (word is not None)


DOCUMENT = '{"jobs": [{"a": 1.5e3, "b": true, "c": "\\u00e9x"}, {"a": -2, "b": null}], "n": 3}'


@pytest.mark.parametrize("at", range(len(DOCUMENT)))
def test_wherever_it_is_cut_it_is_said_to_be_cut(tmp_path: Path, at: int) -> None:
    source = survey(put(tmp_path, DOCUMENT[:at].encode() or b" "))
    for read in (json_values, json_members):
        with pytest.raises(PlannerError) as caught:
            list(read(source, "jobs.item"))
        assert caught.value.code == "truncated_file"


@pytest.mark.parametrize("at", range(len(DOCUMENT)))
def test_what_stands_in_the_way_is_no_cut(tmp_path: Path, at: int) -> None:
    source = survey(put(tmp_path, f"{DOCUMENT[:at]}\x07{DOCUMENT[at:]}".encode()))
    with pytest.raises(PlannerError) as caught:
        list(json_values(source, ""))
    assert caught.value.code == "file_unreadable"
    assert "\n" not in str(caught.value.what) and "^" not in str(caught.value.what)


@pytest.mark.parametrize("token", ["1e99999999999999999999", "9" * 5000])
def test_a_number_that_is_none_breaks_the_document_alone(tmp_path: Path, token: str) -> None:
    line = f'{{"a": {token}, "b": 1}}'
    source = survey(put(tmp_path, f"[{line}]".encode()))
    with pytest.raises(PlannerError, match="file_unreadable"):
        list(json_records(source))
    by_line = survey(put(tmp_path, f'{{"b": 0}}\n{line}\n{{"b": 2}}\n'.encode()))
    assert [(row, value["b"]) for row, value in json_records(by_line)] == [(1, "0"), (2, "1"), (3, "2")]


def test_a_line_too_deep_is_its_text_and_others_are_read(tmp_path: Path) -> None:
    deep = '{"a":' + "[" * 900 + "]" * 900 + "}"
    source = survey(put(tmp_path, f'{{"b": 0}}\n{deep}\n\n{{"b": 2}},\n[1]\n'.encode()))
    assert list(json_records(source)) == [(1, {"b": "0"}), (2, deep), (4, {"b": "2"}), (5, "[1]")]
    with pytest.raises(PlannerError, match="200"):
        values_of_text(deep, "x")


_LETTERS = ["\\\\", "\\n", "\\ud83d", "\\ude00", "\\uD83D\\uDE00", "\\u00e9", '\\"', "u", "ud83d", "x", "é"]
ESCAPES = st.lists(st.sampled_from(_LETTERS), max_size=8).map("".join)


@given(ESCAPES, ESCAPES, st.integers(1, 14))
def test_halves_of_letters_are_no_letters_wherever_chunks_end(key: str, text: str, size: int) -> None:
    line = f'{{"{key}": ["{text}"], "x": "{text}"}}'
    said = json.dumps(json.loads(line), ensure_ascii=False).encode("utf-16", "surrogatepass")
    wanted = json.loads(said.decode("utf-16", "replace"))
    assert object_of_line(line) == wanted
    assert values_of_text(line, "x") == [wanted]
    file = GuardedBytes(io.BytesIO(line.encode()).read)
    chunks = iter(lambda: file.read(size), b"")
    assert json.loads(b"".join(chunks)) == wanted and file.is_at_end


def test_halves_of_letters_do_no_harm(tmp_path: Path) -> None:
    line = '{"a\\udc00": ["\\udc00x", {"b": "\\ud83d\\ude00"}], "\\ud800": "\\ud800"}'
    values = list(json_values(survey(put(tmp_path, f"{line}{line}".encode())), ""))
    assert values == [{"a\ufffd": ["\ufffdx", {"b": "😀"}], "\ufffd": "\ufffd"}] * 2


def test_several_values_of_a_text_with_commas_or_without() -> None:
    assert values_of_text(' {"a": 1.50},\n[2] "x" ,', "x") == [{"a": "1.50"}, ["2"], "x"]
    with pytest.raises(PlannerError, match=r"truncated_file|file_unreadable"):
        values_of_text('{"a": 1', "x")


def test_objects_come_with_floats_and_nothing_else_does(tmp_path: Path) -> None:
    source = survey(put(tmp_path, b'[{"a": 1.5}, 3, [{"a": 2}], {"a": 4}]'))
    assert list(json_objects(source)) == [{"a": 1.5}, {"a": 4}]
    assert [type(value["a"]) for value in json_objects(source)] == [float, int]


def test_a_beginning_of_endless_names_is_not_followed() -> None:
    head = '{"a": 1, "' + "k" * 30_000 + '": {' + ", ".join(f'"{n}": 1' for n in range(3000)) + "}}"
    assert json_paths(head) == {"": None, "a": "1"}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.text(max_size=8),
    lambda inside: st.lists(inside, max_size=4) | st.dictionaries(st.text(max_size=6), inside, max_size=4),
    max_leaves=12,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(JSON, max_size=4), st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]))
def test_a_sound_file_of_any_encoding_is_read_as_it_was_written(
    tmp_path: Path, values: list[Any], encoding: str
) -> None:
    text = json.dumps({"jobs": values}, ensure_ascii=False)
    assert list(json_values(survey(put(tmp_path, text.encode(encoding))), "jobs.item")) == values


@given(st.text('{}[]",:\\u0d8 19eE.-+truefalsn', max_size=60))
def test_of_a_beginning_nothing_is_a_fault(text: str) -> None:
    assert all(isinstance(path, str) for path, _, _ in head_events("{" + text))
    found = object_of_line("{" + text)
    assert found is None or json.dumps(found, ensure_ascii=False).encode()


# --- JSON on its way to the parser: its nesting is known, wherever a chunk ends

KEYS = st.text('"\\[{', max_size=3)
VALUES = st.recursive(
    st.text('ab"\\[]{}\n', max_size=6) | st.integers() | st.none(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=12,
)


@settings(max_examples=examples(50))
@given(VALUES, st.integers(0, 60), st.lists(st.integers(1, 7), min_size=1, max_size=5))
def test_depth_is_followed_through_any_texts_and_chunks(value: object, more: int, sizes: list[int]) -> None:
    """What is nested to the limit passes, one deeper does not: so the depth of what came before was known."""
    before = json.dumps(value).encode()
    for layers, is_too_deep in ((DEPTH_AT_MOST, False), (DEPTH_AT_MOST + 1 + more, True)):
        data = before + b"[" * layers
        with pytest.raises(TooDeepError) if is_too_deep else nullcontext():
            watch, at = Watch(), 0
            while at < len(data):
                size = sizes[at % len(sizes)]
                watch.add(data[at : at + size])
                at += size


DIGITS, SIZES = st.integers(DIGITS_AT_MOST - 3, DIGITS_AT_MOST + 3), st.integers(1, 2 * DIGITS_AT_MOST)


@given(VALUES, DIGITS, st.booleans(), st.sampled_from(["", "-"]), SIZES)
def test_a_long_number_is_seen_and_a_long_text_of_digits_is_none(
    value: object, digits: int, is_text: bool, sign: str, size: int
) -> None:
    """Wherever chunks end, and whatever came before."""
    number = sign + "7" * digits
    data = f"[{json.dumps(value)},{json.dumps(number) if is_text else number},1]".encode()
    watch = Watch()
    with pytest.raises(ValueError) if digits >= DIGITS_AT_MOST and not is_text else nullcontext():  # noqa: PT011
        for at in range(0, len(data), size):
            watch.add(data[at : at + size])
