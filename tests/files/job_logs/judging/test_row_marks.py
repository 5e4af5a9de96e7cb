"""Rows that say different things are told apart, however a dialect has put its fields together."""

from pathlib import Path

import pytest

from gpuplanner.files.job_logs.judging.dialect import JobTable
from gpuplanner.files.job_logs.judging.job_store import JOBS, create_jobs
from gpuplanner.files.job_logs.judging.row_validation import judge_rows
from gpuplanner.files.sources.raw_table import RawTable, load_raw
from gpuplanner.files.sources.source import survey
from gpuplanner.files.system.engine import open_engine
from tests.some_of import some_of

ROWS = "n,start,end\n" + "".join(
    f"{count},2026-01-0{1 + count}T00:00:00Z,2026-01-0{2 + count}T00:00:00Z\n" for count in range(1, 7)
)


@pytest.mark.parametrize(
    "gpus",
    some_of(
        ["c0", "coalesce(nullif(c0, ''), 'c9')", "told", "coalesce(told, c0)", "concat(c0, '')", '"told"'],
        quick=2,
    ),
    ids=["column", "of_a_column", "named", "mixed", "function", "quoted"],
)
def test_each_row_has_its_own_gpus(tmp_path: Path, gpus: str) -> None:
    path = tmp_path / "log.csv"
    path.write_text(ROWS, encoding="utf-8")
    with open_engine() as engine:
        create_jobs(engine)
        raw = load_raw(engine, survey(str(path)), "loaded", ("n", "start", "end"))
        engine.run('create or replace table "log_0" as select *, c0 as told from "loaded"')
        table = JobTable(
            raw=RawTable(name="log_0", columns=raw.columns, delimiter=raw.delimiter),
            fields={"gpus": gpus, "start": "c1", "end": "c2"},
        )
        judge_rows(engine, table, 0, None)
        found = engine.all(f"select milli_gpus, code from {JOBS} order by line")
    assert found == [(1000 * count, 0) for count in range(1, 7)]
