"""The fates that the portable expression gives are those of the embedded engine, row by row, and so are its numbers."""

import random
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from functools import partial
from pathlib import Path
from typing import Any

import ibis
import pytest

from gpuplanner.files.job_logs import recognisers
from gpuplanner.files.job_logs.judging.job_store import (
    CODES,
    IGNORED_CODES,
    JOBS,
    KINDS,
    NAMES,
    STATES,
    create_jobs,
)
from gpuplanner.files.job_logs.judging.row_validation import judge_rows
from gpuplanner.files.job_logs.judging.text_typing import (
    Units,
    distinct_texts,
    judged_rows,
    read_texts,
    staged_texts,
)
from gpuplanner.files.job_logs.mapped_log import mapped_dialect
from gpuplanner.files.sources.issue_texts import LONG, SHORT
from gpuplanner.files.sources.raw_table import whole_table
from gpuplanner.files.sources.source import survey
from gpuplanner.files.system.engine import Engine, open_engine
from gpuplanner.files.tables.column_mapping import parse_mapping
from gpuplanner.files.values.gpu_names import read_gpu_count
from tests.some_of import one_in, some_of

OF_EVERY_ROW = "line, fate, code"
OF_JOBS = (
    'line, job_id, cluster, name, account, "user", milli_gpus, nodes, start_s, end_s, is_running, state, finality, '
    "activity_milli_percent, label, model, flags"
)
AS_KEPT = f"""(
    select j.* exclude (code), k.* exclude (kind), n.text as name, s.text as state, s.finality, c.code, c.fate
    from {JOBS} j join {KINDS} k using (kind) join {NAMES} n on n.id = j.name_id
    join {STATES} s on s.id = j.state_id join codes c on c.number = j.code)"""

ODD_TIMES = (
    *("", "Unknown", " n/a ", "noon", "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z"),
    *("1899-01-01T00:00:00Z", "9999-12-31T00:00:00Z", "20260301T101112Z", "2026-03-31"),
    *("2026-03-29T02:30:00", "2026-10-25T02:30:00", "2026-03-29 02:30:00 Europe/Oslo"),
    *("2026-03-01T00:00:00 Nowhere/Land", "2024-02-29T23:59:59.999Z"),
)


def _time(chance: random.Random, epoch_s: int) -> str:
    if chance.random() < 0.15:
        return chance.choice(ODD_TIMES)
    at = datetime.fromtimestamp(epoch_s, UTC).astimezone(timezone(timedelta(hours=chance.choice((0, 1, -5)))))
    forms = (at.isoformat(), at.strftime("%Y-%m-%d %H:%M:%S"), at.strftime("%Y-%m-%dT%H:%M:%S.5%z"))
    return chance.choice(forms)


def _row(chance: random.Random) -> dict[str, str]:
    start_s = 1_767_225_600 + chance.randrange(0, 365 * 86_400)
    texts = {
        "job_id": ("7", "8", "", " 9 "), "cluster": ("north", ""), "name": ("train-1", "Träin", ""),
        "account": ("lab", "", "\t"), "user": ("ann", ""), "queue": ("long", ""), "gpu_model": ("H100", ""),
        "gpus": ("1", "8", "0.4285", "", "0", "-1", "x", "1e3", "0.0001"),
        "nodes": ("1", "2.0", "1.5", "x", "0", ""),
        "state": ("COMPLETED", "running", "PD", "CANCELLED by 7", "", "odd"),
        "gpu_activity_percent": ("50", "7.25%", "101", "x", ""),
        "class": ("training", "Inference", "other", ""), "model": ("m", ""),
    }  # fmt: skip
    end_s = start_s + chance.choice((0, 1, 3600, 90_000, -60))
    picked = {field: chance.choice(choices) for field, choices in texts.items()}
    return picked | {"start": _time(chance, start_s), "end": _time(chance, end_s)}


def _both(
    path: Path, fields: dict[str, str], units: Units, gpu_unit: str, dialect: Any, zone: str | None
) -> None:
    """Asserts that both ways give the same rows."""
    with open_engine() as engine:
        create_jobs(engine)
        table = dialect(survey(str(path)), engine, "log_0")
        raw = whole_table(engine, table.raw)
        ragged = {**dict.fromkeys(raw.ragged.short, SHORT), **dict.fromkeys(raw.ragged.long, LONG)}
        kinds = {"line": "bigint", "ragged": "varchar"}
        engine.keep("ragged_rows", {"line": [*ragged], "ragged": [*ragged.values()]}, kinds)
        engine.run(f'create table kept as select * from "{raw.name}" left join ragged_rows using (line)')
        table = replace(table, raw=raw)
        judge_rows(engine, table, 0, zone)
        numbers = range(len(CODES) + 1)
        fates = ["accepted", *("ignored" if code in IGNORED_CODES else "rejected" for code in CODES)]
        kinds = {"number": "int", "code": "varchar", "fate": "varchar"}
        engine.keep("codes", {"number": [*numbers], "code": [None, *CODES], "fate": fates}, kinds)
        expected = _rows(engine, AS_KEPT)
        backend = ibis.duckdb.from_connection(engine.connection)
        column_of = {field: table.raw.column(heading) for field, heading in fields.items()}
        texts = staged_texts(backend.table("kept"), column_of, units, "ragged")

        def make_table(name: str, types: dict[str, str], rows: Iterable[tuple[Any, ...]]) -> Any:
            kinds = {"string": "varchar", "int64": "bigint"}
            columns = zip(*rows, strict=True) if rows else [()] * len(types)
            told = {name: list(cells) for name, cells in zip(types, columns, strict=True)}
            engine.keep(name, told, {column: kinds[kind] for column, kind in types.items()})
            return backend.table(name)

        told = engine.all(ibis.to_sql(distinct_texts(texts), dialect="duckdb"))
        read_gpus = partial(read_gpu_count, unit=gpu_unit)
        readings = read_texts(told, units, read_gpus, zone, make_table)
        judged = ibis.to_sql(judged_rows(texts, readings, units, 0), dialect="duckdb")
        assert _rows(engine, f"({judged})") == expected
        short = "select line from short_lines join jobs using (file, line) where code = 0 order by line"
        told = f"select line from ({judged}) where is_short and fate = 'accepted' order by line"
        assert engine.all(told) == engine.all(short)


def _rows(engine: Engine, table: str) -> list[list[dict[str, Any]]]:
    """How every row ended, and all that is known of those that count."""

    def rows(columns: str, where: str) -> list[dict[str, Any]]:
        found = engine.all(f"select {columns} from {table} where {where} order by line")
        return [dict(zip(columns.split(", "), row, strict=True)) for row in found]

    return [rows(OF_EVERY_ROW, "true"), rows(OF_JOBS, "fate = 'accepted'")]


def _write(path: Path, rows: list[dict[str, str]]) -> Path:
    lines = [",".join(rows[0]), *(",".join(row.values()) for row in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.mark.long
def test_rows_of_too_few_and_too_many_cells_end_alike(tmp_path: Path) -> None:
    chance = random.Random(4)
    path = _write(tmp_path / "log.csv", [_row(chance) for _ in range(300)])
    header, *lines = path.read_text(encoding="utf-8").splitlines()
    cut = (lambda line: line, lambda line: line.rpartition(",")[0], "{},more".format, "{},,".format)
    lines = [chance.choice(cut)(line) for line in lines]
    path.write_text("\n".join([header, *lines, "what", ""]), encoding="utf-8")
    _both(path, recognisers.COLUMN_OF, Units(), "gpu", recognisers.own_csv_rows, None)


@pytest.mark.parametrize("zone", one_in(4, [None, "Europe/Oslo"]))
@pytest.mark.parametrize("seed", some_of([1, 2], quick=1))
def test_our_own_columns_end_alike(tmp_path: Path, seed: int, zone: str | None) -> None:
    chance = random.Random(seed)
    path = _write(tmp_path / "log.csv", [_row(chance) for _ in range(800)])
    _both(path, recognisers.COLUMN_OF, Units(), "gpu", recognisers.own_csv_rows, zone)


@pytest.mark.long
def test_numbers_with_units_end_alike(tmp_path: Path) -> None:
    chance = random.Random(3)
    rows = [
        {
            "g": chance.choice(("500", "1000", "", "-5", "x")),
            "from": chance.choice(("1767225600000", "1767225600999", "x", "", "-5")),
            "took": chance.choice(("1.5", "90", "01:30:00", "", "x", "2-03")),
            "status": chance.choice(("done", "RUNNING", "PENDING", "CANCELLED")),
        }
        for _ in range(300)
    ]
    path = _write(tmp_path / "table.csv", rows)
    mapping = parse_mapping("gpus=g:milli,start=from:epoch_ms,duration=took:min,state=status")
    fields = {"gpus": "g", "start": "from", "elapsed": "took", "state": "status"}
    units = Units(start="epoch_ms", elapsed="min", end_is_elapsed=True)
    _both(path, fields, units, "milli", mapped_dialect(mapping).rows, None)
