"""Whatever happened to a log of any kind: an answer or one clear error, and every row in exactly one end."""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.importing.import_jobs import import_jobs
from gpuplanner.files.importing.log_choices import ReadOptions
from gpuplanner.files.importing.recognise import recognise
from gpuplanner.files.job_logs.dialects import lsf, ray
from gpuplanner.files.job_logs.dialects.kubernetes import kubernetes_pods, kueue, opencost
from gpuplanner.files.job_logs.dialects.traces import philly
from gpuplanner.files.job_logs.recognisers import DIALECTS
from gpuplanner.files.sources.source import survey
from gpuplanner.files.values.lookback_period import WindowRequest
from tests.files.job_logs.cluster_damage import (
    check_rows_add_up,
    check_texts,
    damaged_text,
    damaged_value,
    often,
)
from tests.files.job_logs.log_shapes import SHAPES, LogShape
from tests.files.job_logs.row_ends import codes
from tests.some_of import examples, one_in

INPUTS = 5_000  # of each importer in a long run; others every time
RECORDS_AT_ONCE = 100
FILES = 60  # of each shape in a long run; others every time
FACTS = {dialect.format: dialect.facts for dialect in DIALECTS}
SHAPES_OF = Counter(shape.format for shape in SHAPES.values())

ODD = st.sampled_from([*'|\n\r\x00"{]\ud7ffé=,+.', "9" * 30, "-1", "null", "1e999"])
DAMAGE = st.lists(st.tuples(st.integers(0, 5000), ODD | st.text(max_size=4), st.integers(0, 40)), max_size=4)
REFUSED = ("truncated_file", "file_unreadable", "missing_column", "bad_number", "not_a_job_log")
Damage = list[tuple[int, str, int]]
SEEDS = st.lists(st.integers(0, 2**32), min_size=RECORDS_AT_ONCE, max_size=RECORDS_AT_ONCE)


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One file that every example writes again."""
    return tmp_path_factory.mktemp("damaged") / "log"


def _rows_read(log: Path, text: str, shape: LogShape, format: str | None = None) -> int:
    """How many rows the importer says it read, each accounted for; 0 where the file is refused, with what to do."""
    log.write_bytes(text.encode("utf-8", "surrogatepass"))
    options = ReadOptions(format=format, mapping=shape.mapping)
    try:
        read = import_jobs([str(log)], options=options, window_request=WindowRequest(whole_log=True))
        if describe := FACTS.get(format or ""):
            describe(survey(str(log)))
    except PlannerError as refusal:
        fault = refusal
    else:
        for file in read.intake:
            check_rows_add_up(file)
            assert {row.code for row in file.rejected} <= set(codes(file))
        assert read.cube is None or read.cube.total == read.jobs.milli_gpu_seconds
        return sum(file.rows_read for file in read.intake)
    assert fault.code in REFUSED and fault.remedy, fault
    return 0


def _with_damaged_records(log: Path, name: str, seeds: list[int]) -> int:
    """A file of one record for each seed, damaged by itself (0: not at all), below sound ones. How many were read."""
    shape = SHAPES[name]

    def record(place: int, seed: int) -> Any:
        sound = shape.records[place % len(shape.records)]
        chance = random.Random(f"{seed} {place}")
        damaged: Callable[..., Any] = damaged_text if isinstance(sound, str) else damaged_value
        return damaged(sound, chance) if seed else sound

    text = shape.whole([record(place, seed) for place, seed in enumerate([*[0] * shape.sound, *seeds])])
    return min(len(seeds), max(0, _rows_read(log, text, shape, shape.format or None) - shape.sound))


def _with_damaged_file(log: Path, name: str, damage: Damage, is_told: bool) -> None:
    text = SHAPES[name].text
    for at, put, gone in damage:
        at %= len(text) + 1
        text = text[:at] + put + text[at + gone :]
    _rows_read(log, text, SHAPES[name], SHAPES[name].format or None if is_told else None)


def test_every_recogniser_of_job_logs_has_a_shape_here() -> None:
    assert {shape.format for shape in SHAPES.values()} == {"", *(dialect.format for dialect in DIALECTS)}


@pytest.mark.long
def test_sound_logs_are_recognised(log: Path) -> None:
    for name, shape in SHAPES.items():
        log.write_text(shape.text, encoding="utf-8")
        assert shape.mapping or recognise(str(log)).format == shape.format, name


@pytest.mark.parametrize("name", one_in(48, SHAPES))
def test_sound_logs_are_read(log: Path, name: str) -> None:
    """Each dialect has a test of its own; this is of the texts that are damaged here."""
    assert _rows_read(log, SHAPES[name].text, SHAPES[name]) >= 1


@pytest.mark.long
@settings(max_examples=examples(2))
@given(name=st.sampled_from(sorted(SHAPES)), seeds=SEEDS)
def test_damaged_records_never_lose_a_row(log: Path, name: str, seeds: list[int]) -> None:
    _with_damaged_records(log, name, seeds)


@pytest.mark.long
@settings(max_examples=examples(4))
@given(name=st.sampled_from(sorted(SHAPES)), damage=DAMAGE, is_told=st.booleans())
def test_a_damaged_file_never_loses_a_row(log: Path, name: str, damage: Damage, is_told: bool) -> None:
    _with_damaged_file(log, name, damage, is_told)


@pytest.mark.long
@pytest.mark.parametrize("name", SHAPES)
def test_many_damaged_records_never_lose_a_row(log: Path, name: str) -> None:
    """INPUTS records of each importer, each damaged by itself, of all shapes that it reads together.

    Many stand in one file, since a whole import costs much and a row of it little. Only those are counted that the
    importer says it read: what a stray quote has swallowed, and files that were refused, are not.
    """
    wanted = INPUTS / SHAPES_OF[SHAPES[name].format]
    counted = 0

    @settings(max_examples=round(1.2 * wanted / RECORDS_AT_ONCE) + 1, suppress_health_check=list(HealthCheck))
    @given(SEEDS)
    def read(seeds: list[int]) -> None:
        nonlocal counted
        counted += _with_damaged_records(log, name, seeds)

    read()
    assert counted >= wanted


@pytest.mark.long
@pytest.mark.parametrize("name", SHAPES)
@settings(max_examples=FILES, suppress_health_check=[HealthCheck.too_slow])
@given(damage=DAMAGE, is_told=st.booleans())
def test_many_damaged_files_never_lose_a_row(log: Path, name: str, damage: Damage, is_told: bool) -> None:
    _with_damaged_file(log, name, damage, is_told)


TEXTS_OF: Mapping[str, Callable[[Any], Iterable[Any]]] = {
    "philly": philly.run_texts,
    "allocation": lambda record: [opencost.read_json_job("name", record)],
    "lsb.acct": lambda record: [lsf.record_texts(record)],
    "bjobs": lambda record: [lsf.bjobs_texts(record)],
    "ray": lambda record: [ray.ray_job_texts(record)],
    "kueue": lambda record: [kueue.workload_texts(record)],
    "pods": lambda record: [kubernetes_pods.pod_texts(record, {"n1": {"nvidia.com/gpu.replicas": "4"}})],
}
"""What a dialect makes of a record: texts of jobs."""


@pytest.mark.parametrize("name", TEXTS_OF)
@often
@given(st.integers(0, 2**32))
def test_whatever_a_record_holds_it_is_texts(name: str, seed: int) -> None:
    chance = random.Random(seed)
    record = chance.choice(SHAPES[name].records)
    damaged = damaged_text(record, chance) if isinstance(record, str) else damaged_value(record, chance)
    for texts in TEXTS_OF[name](damaged):
        check_texts(texts)
