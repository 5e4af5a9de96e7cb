"""A log read in parts, as Spark hands them out, is the log read whole: without Spark, the function of each part."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from gpuplanner.domain.model.cube import Workload
from gpuplanner.domain.model.window import Window
from gpuplanner.files.export.cube_file import cube_sha256
from gpuplanner.files.importing.import_jobs import import_jobs
from gpuplanner.files.importing.log_choices import NONE_GIVEN, LogChoice, ReadOptions
from gpuplanner.files.importing.spark.spark_log import settled
from gpuplanner.files.importing.spark.spark_part import SettledLog, judged_part
from gpuplanner.files.job_logs.judging.expression import clipped_jobs, hourly_steps, repeated_rows
from gpuplanner.files.job_logs.judging.job_store import IGNORED_CODES
from gpuplanner.files.job_logs.reduce.reduction import cube_of_steps
from gpuplanner.files.tables.column_mapping import parse_mapping
from gpuplanner.files.values.lookback_period import WindowRequest
from tests.some_of import some_of

HEADER = "job_id,cluster,name,account,gpu_model,gpus,start,end,state,class"


def made_lines(seed: int, count: int = 200) -> list[str]:
    """Jobs, some told again later or at fault, in odd forms, and rows that are no jobs."""
    chance = random.Random(seed)
    lines: list[str] = []
    for _ in range(count):
        if lines and chance.random() < 0.2:
            lines.append(chance.choice(lines))
            continue
        start = f"2026-02-{chance.randrange(1, 28):02}T{chance.randrange(24):02}:{chance.randrange(60):02}:00"
        zone = chance.choice(("Z", "+01:00", "", " Europe/Oslo"))
        end = chance.choice(
            (f"2026-03-01 {chance.randrange(24):02}:59:59.5Z", "", "noon", "20260301T101112Z")
        )
        gpus = chance.choice(("8", "1", "0.4285", "", "x"))
        state = chance.choice(("COMPLETED", "RUNNING", "PENDING", "odd"))
        name = chance.choice(("train", '"run, 3"', "Träin-1"))
        cells = (chance.choice(("7", "8", "", "9")), chance.choice(("a", "")), name, chance.choice("xy"))
        lines.append(",".join((*cells, chance.choice(("H100", "")), gpus, start + zone, end, state, "")))
        if chance.random() < 0.05:
            lines.append(chance.choice(("total", HEADER, f"{lines[-1]},more", "what", "")))
    return lines


def cut(rows: Sequence[str], chance: random.Random) -> list[Sequence[str]]:
    """Rows in parts of any length, in their order; some are empty."""
    at = sorted(chance.randrange(len(rows) + 1) for _ in range(chance.randrange(6)))
    return [rows[first:last] for first, last in zip([0, *at], [*at, len(rows)], strict=True)]


def batches_of(lines: Sequence[str], file: int | None) -> Iterator[pa.RecordBatch]:
    """Lines as Spark hands them over, a few at a time."""
    for first in range(0, len(lines), 7):
        some = [line.encode() for line in lines[first : first + 7]]
        columns = [pa.array(some, pa.binary()), pa.array([file] * len(some), pa.int32())]
        yield pa.RecordBatch.from_arrays(columns, ["line", "file"])


def log_of(path: Path, choice: LogChoice = NONE_GIVEN, **whole: bool) -> SettledLog:
    """What holds for every part of a log in a file."""
    return settled(
        SettledLog(path=str(path), number=0, choice=choice), path, path.read_bytes().split(b"\n"), **whole
    )[0]


def judged(log: SettledLog, parts: Sequence[Iterator[pa.RecordBatch]]) -> pa.Table:
    """All rows of all parts."""
    batches = [batch for number, part in enumerate(parts) for batch in judged_part(log, part, number)]
    return pa.Table.from_batches(batches)


def hash_of(table: pa.Table, window: Window) -> str:
    """The hash of the cube of judged rows, each run once."""
    with duckdb.connect() as connection:
        connection.register("judged", table)
        accepted = "(select * from judged where fate = 'accepted')"
        once = f"(select * from {accepted} anti join ({repeated_rows(accepted)}) using (file, line))"
        key = "concat_ws('/', cluster, owner, workload_name, nullif(label, ''))"
        connection.execute(
            f"""create table once as select *, dense_rank() over (order by key) - 1 as workload
            from (select * replace (-1 as gpu_model), {key} as key from {once})"""
        )
        keys = connection.execute("select distinct key from once order by key").fetchall()
        steps = connection.execute(hourly_steps(f"({clipped_jobs('once', window)})")).fetchnumpy()
    cube = cube_of_steps(window.hours, (), range(len(keys)), steps)
    return cube_sha256(cube, [Workload(key=key, name="", cluster="", owner="") for (key,) in keys], window)


def assert_alike(log: SettledLog, parts: Sequence[Iterator[pa.RecordBatch]], options: ReadOptions) -> None:
    """Parts of a log count as the whole of it does."""
    whole = import_jobs([log.path], options, window_request=WindowRequest(whole_log=True))
    assert whole.cube is not None and whole.window is not None
    table = judged(log, parts)
    assert hash_of(table, whole.window) == cube_sha256(whole.cube, whole.workloads, whole.window)
    (file,) = whole.intake
    assert sum(table["row_count"].to_pylist()) == file.rows_read
    ended = {row.code for row in file.rejected} | set(IGNORED_CODES)
    assert _counts(table) == {issue.code: issue.count for issue in file.issues if issue.code in ended}


def _counts(table: pa.Table) -> dict[str, int]:
    """How many rows were not accepted, by code."""
    counts: Counter[str] = Counter()
    for row in table.to_pylist():
        if row["fate"] != "accepted":
            counts.update(dict.fromkeys(row["issues"] or (), row["row_count"]))
    return dict(counts)


@pytest.mark.long
@pytest.mark.parametrize("seed", some_of(range(30), quick=2))
def test_however_a_log_is_cut_it_counts_alike(tmp_path: Path, seed: int) -> None:
    chance, lines = random.Random(seed), made_lines(seed)
    path = tmp_path / "log.csv"
    path.write_text("\n".join([HEADER, *lines]), encoding="utf-8")
    options = ReadOptions(timezone=chance.choice((None, "Europe/Oslo")), cluster="west")
    log = replace(log_of(path, LogChoice(timezone=options.timezone)), cluster="west")
    first, *others = cut([HEADER, *lines], chance)
    parts = [batches_of(first, 7), *(batches_of(part, None) for part in others)]
    assert_alike(log, parts, options)


@pytest.mark.long
def test_the_head_of_the_whole_log_decides_for_every_part(tmp_path: Path) -> None:
    """Day and month are open, or the other way round, in all parts but the first."""
    rows = ["7;1,5;25.02.2026 10:00;1", *(f"{n};1,5;0{n % 9 + 1}.02.2026 10:00;2" for n in range(30))]
    path = tmp_path / "table.csv"
    path.write_text("\n".join(["a table of jobs", "ID;n;begun;took", *rows]), encoding="utf-8")
    mapping = parse_mapping("job_id=ID,gpus=n,start=begun,duration=took:h")
    log = log_of(path, LogChoice(mapping=mapping))
    assert log.header == (b"a table of jobs", b"ID;n;begun;took")
    lines = path.read_text(encoding="utf-8").split("\n")
    parts = [batches_of(lines[:4], 7), batches_of(lines[4:20], None), batches_of(lines[20:], None)]
    assert_alike(log, parts, ReadOptions(mapping=mapping))


def test_headers_of_the_files_of_a_folder_are_no_rows(tmp_path: Path) -> None:
    lines = made_lines(5, 40)
    path = tmp_path / "log.csv"
    path.write_text("\n".join([HEADER, *lines]), encoding="utf-8")
    log = log_of(path)
    files = [batches_of([HEADER, *lines[:11]], 1), batches_of([HEADER, *lines[11:]], 2)]
    assert_alike(log, [chain(*files)], ReadOptions())


@pytest.mark.long
def test_of_a_log_that_is_no_utf_8_every_part_is_read_alike(tmp_path: Path) -> None:
    row = "{},a,{},x,,1,2026-02-01T00:00:00Z,2026-02-01T01:00:00Z,,"
    lines = [row.format(1, "Träin"), row.format(2, "Träin"), row.format(3, "run")]
    path = tmp_path / "log.csv"
    text = [HEADER.encode(), lines[0].encode("cp1252"), lines[1].encode(), lines[2].encode()]
    path.write_bytes(b"\n".join(text))
    log = log_of(path, is_utf_8=False)
    assert log.encoding == "cp1252"
    parts = [
        iter([pa.RecordBatch.from_arrays([pa.array(some, pa.binary()), pa.array(file, pa.int32())], ["line", "file"])])
        for some, file in ((text[:2], [7, 7]), (text[2:], [None, None]))
    ]  # fmt: skip
    assert_alike(log, parts, ReadOptions())


@pytest.mark.long
def test_parts_of_a_parquet_log_are_read_by_its_first_rows(tmp_path: Path) -> None:
    rows = {
        "n": ["1,5", *["2"] * 20],
        "begun": [*range(1_767_225_600, 1_767_225_621)],
        "took": [*range(60, 81)],
        "id": [f"{number}.batch" if number % 3 else str(number) for number in range(21)],
    }
    path = tmp_path / "jobs.parquet"
    pq.write_table(pa.table(rows), path)
    mapping = parse_mapping("job_id=id,gpus=n,start=begun:epoch_s,duration=took:min")
    log = log_of(path, LogChoice(mapping=mapping))
    batches = pa.table(rows).to_batches(max_chunksize=5)
    assert_alike(log, [iter(batches[:2]), iter([]), iter(batches[2:])], ReadOptions(mapping=mapping))
