"""JSON on its way to the parser: its nesting is known, whatever stands in its texts and wherever a chunk ends."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.json_bytes import DEPTH_AT_MOST, TooDeepError, Watch
from gpuplanner.files.json_values import whole_values
from gpuplanner.files.source import survey

VALUES = st.recursive(
    st.text('ab"\\[]{}\n', max_size=6) | st.integers() | st.none(),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text('"\\[{', max_size=3), inner, max_size=3)
    ),
    max_leaves=12,
)


def put(folder: Path, data: bytes) -> str:
    path = folder / "log.json"
    path.write_bytes(data)
    return str(path)


@settings(max_examples=200)
@given(VALUES, st.integers(0, 60), st.lists(st.integers(1, 7), min_size=1, max_size=5))
def test_depth_is_followed_through_any_texts_and_chunks(value: object, more: int, sizes: list[int]) -> None:
    """What is nested to the limit passes, one deeper does not: so the depth of what came before was known."""
    before = json.dumps(value).encode()
    for layers, is_too_deep in ((DEPTH_AT_MOST, False), (DEPTH_AT_MOST + 1 + more, True)):
        data = before + b"[" * layers
        watch = Watch()
        raised = False
        at = 0
        try:
            while at < len(data):
                size = sizes[at % len(sizes)]
                watch.add(data[at : at + size])
                at += size
        except TooDeepError:
            raised = True
        assert raised == is_too_deep


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
        (b'{"jobs": [{"a": 1}, {"a": NaN}]}', 1, "broken"),
        (b'{"jobs": [{"a": 1}, {"a": ' + b"9" * 5000 + b"}]}", 0, "broken"),
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
    assert [word in fault for fault in faults if word] == ([True] if word else [])
    assert bool(faults) == (word is not None)
