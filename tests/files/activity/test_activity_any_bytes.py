"""Whatever an activity file holds: an answer or one clear error, every row in exactly one end."""

import tempfile
from functools import cache
from math import ceil
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.activity.activity_intake import ACTIVITY_DIALECTS, Tally
from gpuplanner.files.activity.prometheus import describe_metric_list as describe_list
from gpuplanner.files.activity.sample_labels import held_by, read_selector
from gpuplanner.files.activity.sonar_samples import describe_inventory
from gpuplanner.files.importing.recognise import activity_dialect, recognise_source
from gpuplanner.files.sources.source import TEXT, survey
from gpuplanner.files.values.host_lists import HOSTS_AT_MOST, expand_hosts
from tests.files.activity.activity_texts import TEXTS
from tests.some_of import examples, one_in

PIECES = (
    '"', ",", "{", "}", "[", "]", "=", " ", "\n", "\r", "\0", "é", "#", ":", "%", "-", "1e999", "NaN", "null",
    "9" * 30, "2026-01-05 10:30:00", "0.5", "GPU 0", "gpus=", "DCGM_FI_DEV_GPU_UTIL", '"data":', '"values":[[',
)  # fmt: skip
CHANGES = st.lists(
    st.tuples(st.integers(0, 2000), st.integers(0, 40), st.sampled_from(PIECES)), min_size=1, max_size=12
)
INVENTORY = """{"data":{"type":"sysinfo","attributes":{"node":"n1","cards":[{"model":"H100","memory":5}]}}}
{"errors":[]}
"""


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    """Gone with the process."""
    return tempfile.TemporaryDirectory(prefix="gpuplanner-")


def _damaged(text: str, changes: list[tuple[int, int, str]]) -> str:
    for at, length, piece in changes:
        at %= len(text) + 1
        text = text[:at] + piece + text[at + length :]
    return text


def _read(number: int, changes: list[tuple[int, int, str]]) -> None:
    path = Path(_folder().name) / TEXTS[number].name
    path.write_bytes(_damaged(TEXTS[number].text, changes).encode())
    source = survey(str(path))
    dialect = activity_dialect(recognise_source(source))
    if dialect is None:
        return
    tally = Tally(is_zoned=True)
    readings, code = 0, None
    try:
        for reading in dialect.readings(source, "Europe/Oslo"):
            readings += 1
            tally.add(reading)
            for sample in reading.samples:
                assert 0 <= sample.milli_percent <= 100_000 * max(1, len(set(sample.gpu.split(","))))
                assert sample.at_s is not None or reading.fault
    except PlannerError as error:
        code = error.code
    assert code in (None, "truncated_file", "file_unreadable", "missing_column")
    file = tally.ends.intake(source, "activity", dialect.format)
    assert file.rows_read == readings == file.rows_accepted + file.rows_rejected + file.rows_ignored
    assert len(file.rejected) == file.rows_rejected
    said = {issue.code for issue in file.issues} - {"encoding", "short_row"}
    assert {row.code for row in file.rejected} == said
    tally.facts(dialect.record_name)


@pytest.mark.parametrize("number", one_in(16, range(len(TEXTS))), ids=[of.name for of in TEXTS])
@settings(max_examples=examples(12))
@given(changes=CHANGES)
def test_damage_is_told_and_never_loses_rows(number: int, changes: list[tuple[int, int, str]]) -> None:
    _read(number, changes)


INPUTS = 4_000  # of each importer, in the long run: 20,000 took 15 minutes
DIALECT_OF = [max(ACTIVITY_DIALECTS, key=lambda dialect: dialect.sniff(of.text)) for of in TEXTS]


def test_every_recogniser_of_activity_has_a_text_here() -> None:
    assert {id(dialect) for dialect in DIALECT_OF} == {id(dialect) for dialect in ACTIVITY_DIALECTS}


@pytest.mark.long
@pytest.mark.parametrize("number", range(len(TEXTS)), ids=[of.name for of in TEXTS])
def test_damage_is_told_and_never_loses_rows_however_long(number: int) -> None:
    """INPUTS files of each dialect; the texts that one dialect reads share them."""

    @settings(max_examples=ceil(INPUTS / DIALECT_OF.count(DIALECT_OF[number])))
    @given(changes=CHANGES)
    def read(changes: list[tuple[int, int, str]]) -> None:
        _read(number, changes)

    read()


@settings(max_examples=examples(15))
@given(changes=CHANGES)
def test_what_is_described_is_described_or_refused(changes: list[tuple[int, int, str]]) -> None:
    path = Path(_folder().name) / "described"
    path.write_bytes(_damaged(INVENTORY, changes).encode())
    source = survey(str(path))
    if source.kind != TEXT:
        return
    for describe in (describe_inventory, describe_list):
        code = None
        try:
            file = describe(source)
        except PlannerError as error:
            code = error.code
        assert code in (None, "truncated_file", "file_unreadable")
        if code is None:
            assert file.rows_read == file.rows_accepted + file.rows_rejected + file.rows_ignored


@settings(max_examples=examples(75))
@given(text=st.text("abn019-[],.;/* +", max_size=30))
def test_any_list_of_hosts_is_names_or_none(text: str) -> None:
    names = expand_hosts(text)
    assert len(names) == len(set(names)) <= HOSTS_AT_MOST
    assert not any(set("[], ;") & set(name) for name in names)


@settings(max_examples=examples(75))
@given(text=st.text('ab{}=",\\ ~', max_size=30))
def test_any_selector_is_labels_or_none(text: str) -> None:
    selector = read_selector(text)
    if selector is not None:
        held_by(selector.labels)
