"""Waits in a thread: replays of the newest plans are kept, and equal a new replay."""

from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from gpuplanner.app.past.waits import MOST_LAID, KeptQueue, Queueing
from gpuplanner.domain.evaluation import Evaluation, evaluate_advice, evaluate_audit, unheard, with_outlook
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import DAY_S
from gpuplanner.domain.queue.waiting import pool_waits
from gpuplanner.files.importing.intake import read_inputs
from gpuplanner.files.system.resources import read_tables


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


def test_the_waits_of_decisions_are_asked_for_apart_and_of_the_plan_that_is_asked_about(
    on_sizes: tuple[Path, list[Evaluation]], qtbot: QtBot
) -> None:
    """A replay that is kept was laid before the plan had decisions; those of the question count."""
    folder, prices = on_sizes[0].parent, on_sizes[0].parent / "prices.csv"
    prices.write_text(
        "offer_id,provider,gpu_model,pricing_category,term_months,rate_usd_per_gpu_hour\nod,V,H100,STANDARD,0,9\n"
    )
    read = read_inputs(
        [str(folder / "jobs.csv")], [str(folder / "contracts.csv")], [str(prices)], rows_dir=on_sizes[0]
    )
    project = read.project()
    (contract,) = project.contracts
    ends_s = project.window.end_s + 40 * DAY_S
    project = replace(project, contracts=(replace(contract, end_s=ends_s),))
    advised = evaluate_advice(project, project.scenarios[0].name, read_tables())
    decided = with_outlook(advised)
    asking = Queueing(KeptQueue(on_sizes[0]))
    with qtbot.waitSignal(asking.answered) as first:
        asking.ask(advised, sizes=0)
    with qtbot.waitSignal(asking.answered) as told:
        asking.ask(decided, sizes=0, is_later=True)
    asking.close()
    assert first.args[0].later is None
    waits = told.args[0].later.decisions["contract:k"]
    assert (waits.begins_s, waits.main.after.never_jobs) == (ends_s, 1)
