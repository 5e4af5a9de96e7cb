"""Walks in a thread: the newest question is answered, the same one at once, and only with what was asked."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from gpuplanner.app import looking_back
from gpuplanner.app.looking_back import (
    MOST_LAID,
    Backtesting,
    Costing,
    KeptQueue,
    Queueing,
    Tracer,
    TrackFiles,
    Tracking,
    Walked,
    past_logs_from,
)
from gpuplanner.app.sourcing import TrafficReader, project_with_traffic
from gpuplanner.domain.audit.audit import audit
from gpuplanner.domain.audit.cost_result import Period
from gpuplanner.domain.audit.variance import halves
from gpuplanner.domain.evaluation import Evaluation, evaluate_audit, unheard
from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.places import Traffic
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool, Tables
from gpuplanner.domain.model.window import iso_utc
from gpuplanner.domain.queue.waiting import pool_waits
from gpuplanner.files.importing.intake import read_inputs
from gpuplanner.files.system.resources import read_tables
from tests.cli.test_plan import JOB_HEADER
from tests.domain.commitment.conftest import START_S, Load, contract, offer
from tests.domain.commitment.conftest import case as case_of
from tests.domain.track.conftest import MONTH, planned
from tests.oracle.crafted import CRAFTED
from tests.oracle.projects import random_case

# --- Walks in a thread: the newest question is answered, the same one at once, and only with what was
# asked


def of_hours(hours: int) -> Project:
    return case_of(
        [Load(pool=Pool.INFERENCE, gpus=[4.0] * hours)], (), [offer("od", 0, 7.0), offer("m1", 1, 3.5)]
    ).project


MADE, LONGER = of_hours(2 * 730), of_hours(3 * 730)


@pytest.fixture
def walks(qtbot):
    made = Backtesting(Tables(), lambda project, on_progress, is_cancelled: LONGER)
    yield made
    made.close()


def ask(walks: Backtesting, qtbot, project=MADE, *, is_whole_log: bool = False) -> Walked:
    with qtbot.waitSignal(walks.answered) as found:
        walks.ask(project, project.scenarios[0].name, is_whole_log=is_whole_log)
    return found.args[0]


def test_the_window_or_the_whole_log_is_walked(walks, qtbot):
    assert len(ask(walks, qtbot).backtest.folds) == 1
    whole = ask(walks, qtbot, is_whole_log=True)
    assert whole.is_whole_log
    assert len(whole.backtest.folds) == 2


def test_the_same_question_has_the_same_answer_at_once(walks, qtbot):
    first = ask(walks, qtbot)
    assert ask(walks, qtbot) is first
    assert ask(walks, qtbot, replace(MADE, title="other")) is first
    plan = replace(MADE.scenarios[0], assumptions={"recency_half_life_days": 7.0})
    assert ask(walks, qtbot, replace(MADE, scenarios=(plan,))) is not first


def test_rows_that_are_gone_are_said(qtbot):
    def gone(project, on_progress, is_cancelled):
        raise PlannerError("rows", "file_missing", "they are gone", "import the log again")

    walks = Backtesting(Tables(), gone)
    with qtbot.waitSignal(walks.failed) as found:
        walks.ask(MADE, MADE.scenarios[0].name, is_whole_log=True)
    assert found.args[0].code == "file_missing"
    walks.close()


def test_the_past_is_known_by_the_rows_where_they_are_kept(walks, qtbot):
    def past(project, on_progress, is_cancelled):
        assert project is MADE
        return lambda windows: [replace(of_hours(window.hours), window=window) for window in windows]

    assert not ask(walks, qtbot).backtest.knows_rows
    with_rows = Backtesting(Tables(), lambda project, on_progress, is_cancelled: LONGER, past)
    assert ask(with_rows, qtbot).backtest.knows_rows
    with_rows.close()


def test_without_kept_rows_there_is_no_past_to_read(tmp_path):
    assert past_logs_from(tmp_path)(MADE, lambda share, text: None, lambda: False) is None


# --- A plan against what came, in a thread: answered once, cancelled, and told why nothing came of it

PLAN = planned(
    [Load(pool=Pool.TRAINING, gpus=[10.0] * MONTH)],
    [contract("old", 6, 2.0, 24, MONTH)],
    [offer("od", 0, 5.0)],
)


@pytest.fixture
def tracking() -> Iterator[Tracking]:
    made = Tracking(Tables())
    yield made
    made.close()


def log(folder: Path, from_h: int, gpus: int = 10) -> TrackFiles:
    """GPUs for four hours, some hours after the plan's log began."""
    at = [iso_utc(START_S + 3600 * (from_h + hour)) for hour in (0, 4)]
    path = folder / f"{from_h}.csv"
    path.write_text(JOB_HEADER + f"1,c1,train,H100,{gpus},1,{at[0]},{at[1]},training\n", encoding="utf-8")
    return TrackFiles((str(path),))


@pytest.mark.long
def test_it_reads_and_compares(qtbot: QtBot, tracking: Tracking, tmp_path: Path) -> None:
    files = log(tmp_path, MONTH)
    with qtbot.waitSignal(tracking.answered) as told:
        tracking.ask(PLAN, files)
    assert told.args[0].planned == pytest.approx(4 * 32)
    assert told.args[0].actual == pytest.approx(4 * 32)
    with qtbot.waitSignal(tracking.answered) as again:
        tracking.ask(PLAN, files)
    assert again.args[0] is told.args[0]
    with qtbot.waitSignal(tracking.answered) as anew:
        tracking.ask(PLAN, log(tmp_path, MONTH, gpus=16))
    assert anew.args[0].actual == pytest.approx(4 * (32 - 4 * 5 + 10 * 5))


def test_a_file_that_is_refused_is_never_left_out(qtbot: QtBot, tracking: Tracking, tmp_path: Path) -> None:
    no_contracts = tmp_path / "contracts.csv"
    no_contracts.write_text("colour,taste\nred,sweet\n", encoding="utf-8")
    jobs = log(tmp_path, MONTH).jobs
    with qtbot.waitSignal(tracking.failed) as told:
        tracking.ask(PLAN, TrackFiles(jobs, (str(no_contracts),)))
    assert isinstance(told.args[0], PlannerError) and str(no_contracts) in str(told.args[0])


def test_it_says_why_nothing_came_of_it(qtbot: QtBot, tracking: Tracking, tmp_path: Path) -> None:
    with qtbot.waitSignal(tracking.failed) as told:
        tracking.ask(PLAN, log(tmp_path, 10))
    assert "31 Jan 2026" in str(told.args[0])
    with qtbot.waitSignal(tracking.failed) as told:
        tracking.ask(PLAN, TrackFiles((str(tmp_path / "nowhere.csv"),)))
    assert isinstance(told.args[0], PlannerError) and told.args[0].code == "file_missing"


def test_who_cancels_hears_nothing(qtbot: QtBot, tracking: Tracking, tmp_path: Path) -> None:
    told: list[object] = []
    tracking.answered.connect(told.append)
    tracking.ask(PLAN, log(tmp_path, MONTH))
    tracking.cancel()
    tracking.close()
    assert not tracking.is_busy and told == []


# --- Costs in a thread: asked again they are answered at once, and only what could differ is worked out
# again


@pytest.fixture
def case():
    return random_case(3)


@pytest.fixture
def asked(case):
    made = Costing()
    yield made, case.project, audit(case.project, case.classifications)
    made.close()


def answer(qtbot, service, *question):
    with qtbot.waitSignal(service.answered) as told:
        service.ask(*question)
    return told.args[0]


def test_the_same_question_is_answered_at_once_with_the_same(qtbot, asked):
    service, project, of_past = asked
    first = answer(qtbot, service, project, of_past, halves(project.window))
    again = answer(qtbot, service, replace(project, title="other"), of_past, halves(project.window))
    assert again is first
    assert not service.is_busy


def test_other_periods_keep_the_unit_costs(qtbot, asked):
    service, project, of_past = asked
    first = answer(qtbot, service, project, of_past, halves(project.window))
    other = answer(qtbot, service, project, of_past, (Period(0, 1), Period(1, 2)))
    assert other.unit is first.unit
    assert other.variance != first.variance


def test_new_traffic_is_looked_at(qtbot, asked):
    service, project, of_past = asked
    first = answer(qtbot, service, project, of_past, halves(project.window))
    start_s = project.window.start_s
    traffic = {
        first.unit.endpoints[0].key: Traffic(start_s=start_s, end_s=start_s + 3600, hours=((start_s, 5, 5),))
    }
    after = answer(qtbot, service, replace(project, traffic=traffic), of_past, halves(project.window))
    assert after.unit.endpoints[0].tokens is not None


def test_a_fault_is_told(qtbot, asked, monkeypatch):
    service, project, of_past = asked

    def broken(*_):
        raise ValueError("broken")

    monkeypatch.setattr(looking_back.unit_costs, "unit_costs", broken)
    with qtbot.waitSignal(service.failed) as told:
        service.ask(project, of_past, halves(project.window))
    assert str(told.args[0]) == "broken"


def test_requests_are_read_and_put_into_the_project(qtbot, case, tmp_path):
    path = tmp_path / "requests.csv"
    path.write_text("timestamp,context_tokens,generated_tokens\n2026-01-01T00:00:00Z,7,9\n", encoding="utf-8")
    reader, key = TrafficReader(), case.project.workloads[0].key
    with qtbot.waitSignal(reader.found) as told:
        reader.start(key, path)
    after = project_with_traffic(case.project, *told.args)
    assert after.traffic[key].hours == ((1_767_225_600, 7, 9),)
    assert [file.kind for file in after.intake][-1] == "traffic"
    path.write_text("a,b\n1,2\n", encoding="utf-8")
    with qtbot.waitSignal(reader.failed) as failed:
        reader.start(key, path)
    assert isinstance(failed.args[0], PlannerError)
    reader.close()


# --- Explain a figure, worked out beside the window: the hours behind an audit are made once


def test_the_newest_question_is_answered_and_the_trail_is_kept(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = []
    real = looking_back.evidence_of
    monkeypatch.setattr(looking_back, "evidence_of", lambda *given: made.append(given) or real(*given))
    case = CRAFTED["two_clusters"]()
    project, tracer = case.project, Tracer()
    found = audit(project, case.classifications)
    for kind in ("cost", "spend", "utilization"):
        with qtbot.waitSignal(tracer.answered) as answered:
            tracer.ask(project, found, figure(kind))
        assert answered.args[0].figure_id == figure(kind)
    assert len(made) == 1
    with qtbot.waitSignal(tracer.answered):
        tracer.ask(project, audit(project, case.classifications), figure("cost"))
    assert len(made) == 2, "another audit has other hours"
    tracer.close()


def test_a_figure_that_there_is_not_is_told_as_a_failure(qtbot: QtBot) -> None:
    case = CRAFTED["two_clusters"]()
    tracer = Tracer()
    with qtbot.waitSignal(tracer.failed) as failed:
        tracer.ask(case.project, audit(case.project, case.classifications), figure("cost", "nowhere"))
    assert isinstance(failed.args[0], KeyError | StopIteration)
    tracer.close()


# --- A log on several plans: replays of the newest are kept, and are what a new one would be --------


@pytest.fixture(scope="module")
def on_sizes(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Evaluation]]:
    """A job of 8 GPUs and 10 h, and an hour later one of 2 GPUs and 1 h, on contracts of 8 to 12 GPUs."""
    folder, found = tmp_path_factory.mktemp("sizes"), list[Evaluation]()
    rows = ("1,atlas,sft,H100,8,2026-06-01T00:00:00Z,2026-06-01T00:00:00Z,2026-06-01T10:00:00Z,training",
            "2,atlas,chat,H100,2,2026-06-01T01:00:00Z,2026-06-01T10:00:00Z,2026-06-01T11:00:00Z,inference")  # fmt: skip
    (folder / "jobs.csv").write_text(
        "\n".join(("job_id,cluster,name,gpu_model,gpus,submit,start,end,class", *rows))
    )
    for gpus in (8, 9, 10, 11, 12):
        signed = f"k,V,atlas,H100,{gpus},2.00,2026-06-01,2027-06-01,COMMITTED"
        head = "contract_id,provider,cluster,gpu_model,gpus,rate_usd_per_gpu_hour,start,end,pricing_category"
        (folder / "contracts.csv").write_text(f"{head}\n{signed}\n")
        read = read_inputs(
            [str(folder / "jobs.csv")], [str(folder / "contracts.csv")], rows_dir=folder / "rows"
        )
        project = read.project()
        found.append(evaluate_audit(project, project.scenarios[0].name, read_tables()))
    same_log = [replace(one, project=replace(one.project, jobs=found[0].project.jobs, same=found[0].project.same,
                window=found[0].project.window, workloads=found[0].project.workloads)) for one in found]  # fmt: skip
    return folder / "rows", same_log


def test_replays_of_the_newest_plans_are_kept_and_right(on_sizes: tuple[Path, list[Evaluation]]) -> None:
    """The second job waits 9 h on 8 and 9 GPUs and not at all from 10 on, whatever was asked before."""
    queue, sizes = KeptQueue(on_sizes[0]), on_sizes[1]
    waited = []
    for of in (*sizes[:MOST_LAID], *reversed(sizes[:MOST_LAID])):
        rows = pool_waits(queue.read(of, unheard, lambda: False))
        waited.append(next(row.waits.mean_h for row in rows or () if row.pool is Pool.INFERENCE))
    assert waited == [9, 9, 0, 0, 0, 0, 9, 9]
    laid = [queue.read(of, unheard, lambda: False) for of in sizes[:MOST_LAID]]
    assert [queue.read(of, unheard, lambda: False) for of in sizes[:MOST_LAID]] == laid
    assert all(len(one.known) == 1 for one in laid)


def test_the_oldest_plan_is_dropped_and_laid_anew(on_sizes: tuple[Path, list[Evaluation]]) -> None:
    queue, sizes = KeptQueue(on_sizes[0]), on_sizes[1]
    laid = [queue.read(of, unheard, lambda: False) for of in sizes]
    assert len(sizes) == MOST_LAID + 1 and queue.read(sizes[-1], unheard, lambda: False) is laid[-1]
    anew = queue.read(sizes[0], unheard, lambda: False)
    assert anew is not laid[0] and anew.log is laid[0].log and not anew.known
    assert queue.read(sizes[2], unheard, lambda: False) is laid[2]
    assert queue.read(sizes[1], unheard, lambda: False) is not laid[1]


def test_the_logs_own_waits_are_by_class_whatever_pools_a_plan_has(
    on_sizes: tuple[Path, list[Evaluation]], qtbot: QtBot
) -> None:
    first = on_sizes[1][0].project
    key = next(one.key for one in first.workloads if one.name == "chat")
    plan = replace(first.scenarios[0], pools={key: Pool.BURST})
    moved = evaluate_audit(replace(first, scenarios=(plan,)), plan.name, read_tables())
    assert Pool.BURST in moved.figures.whole_pools
    asking = Queueing(KeptQueue(on_sizes[0]))
    with qtbot.waitSignal(asking.answered) as told:
        asking.ask_log(moved)
    asking.close()
    assert {row.name for row in told.args[0] if row.by == "pool"} == {"training", "inference"}
