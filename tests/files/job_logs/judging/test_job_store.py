"""Rows come out of the store as they went in, however narrow it keeps them."""

from collections.abc import Iterator

import pytest

from gpuplanner.files.job_logs.judging.job_store import (
    JOBS,
    add_jobs,
    create_store,
    drop_jobs,
    seldom_columns,
    set_column,
)
from gpuplanner.files.system.engine import Engine, open_engine

SMALL = (3, 7, 127, 511, True, 70, 1)
HUGE_FILE = (40_000, 8, 0, 1, False, 70, 2)
HUGE_LINE = (3, 2**33, 0, 64, True, 70, 3)
HUGE_NODES = (3, 9, 1, 0, False, 1_000_000, 4)


@pytest.fixture
def engine() -> Iterator[Engine]:
    with open_engine() as engine:
        create_store(engine)
        yield engine


def add(engine: Engine, *rows: tuple[object, ...], seldom: tuple[str, ...] = ()) -> None:
    told = ", ".join(str(row) for row in rows)
    more = "".join(f", '{column}'" if column == "hosts" else ", 50" for column in seldom)
    columns = "".join(f", {column}" for column in seldom)
    add_jobs(
        engine,
        f"""select *, 1 as kind, 2 as name_id, null as model_id, 0 as state_id, 1000 as milli_gpus, 100 as end_s
        from (select *{more} from (values {told}))
            r (file, line, code, flags, is_running, nodes, start_s, job_id{columns})""",
        seldom,
    )


def stored(engine: Engine) -> list[tuple[object, ...]]:
    return engine.all(
        f"select file, line, code, flags, is_running, nodes, start_s from {JOBS} order by start_s"
    )


@pytest.mark.parametrize("huge", [HUGE_FILE, HUGE_LINE, HUGE_NODES])
def test_what_is_too_large_is_kept_beside_what_is_not(engine: Engine, huge: tuple[object, ...]) -> None:
    add(engine, (*SMALL, "a"))
    add(engine, (*huge, "b"), (*SMALL, "a"))
    assert stored(engine) == [SMALL, SMALL, huge]
    add(engine, (*SMALL, "a"))  # into what is wide by now
    assert stored(engine) == [SMALL, SMALL, SMALL, huge]


def test_only_accepted_rows_with_an_id_share_a_run(engine: Engine) -> None:
    good, bad = (0, 1, 0, 0, False, 1, 5), (0, 2, 1, 0, False, 1, 5)
    add(engine, (*good, "a"), (*good, "a"), (*good, "b"), (*bad, "a"))
    runs = [run for (run,) in engine.all(f"select run from {JOBS} order by code, job_id")]
    assert runs[0] == runs[1] != runs[2]
    assert runs[3] is None


def test_columns_that_no_log_has_take_no_room_until_one_does(engine: Engine) -> None:
    add(engine, (*SMALL, "a"))
    assert "hosts" not in seldom_columns(engine)
    add(engine, (*HUGE_NODES, "b"), seldom=("hosts", "activity_milli_percent"))
    found = engine.all(f"select job_id, hosts, activity_milli_percent from {JOBS} order by job_id")
    assert found == [("a", None, None), ("b", "hosts", 50)]


def test_a_column_is_written_anew_and_rows_leave(engine: Engine) -> None:
    add(engine, (*SMALL, "a"), (*HUGE_FILE, "b"))
    set_column(
        engine,
        "activity_milli_percent",
        "f.found",
        f"select place, 7 as found from {JOBS} where job_id = 'b'",
    )
    set_column(
        engine, "job_id", "? || f.job_id", f"select place, job_id from {JOBS} where job_id = 'a'", ["x"]
    )
    found = engine.all(f"select job_id, activity_milli_percent from {JOBS} order by job_id")
    assert found == [("b", 7), ("xa", None)]
    drop_jobs(engine, f"select place from {JOBS} where job_id = 'b'")
    assert stored(engine) == [SMALL]
