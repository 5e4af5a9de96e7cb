"""Waits in later months by hand: a contract ends, and the log is replayed on the GPUs that are left."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from gpuplanner.domain.commitment.decision_waits import ChangedWait, DecisionWaits, PoolWait
from gpuplanner.domain.commitment.next_decision import NextDecision
from gpuplanner.domain.commitment.plan.comparison import Horizon
from gpuplanner.domain.commitment.result import Order
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import DAY_S, MONTH_S
from gpuplanner.domain.queue.ground import Queueing
from gpuplanner.domain.queue.later_months import LaterWaits, Ranges, later_waits
from gpuplanner.domain.queue.sentences import longer_checks, wait_lines, with_waiting
from gpuplanner.domain.queue.waiting import Waiting, pool_waits, waiting_of
from tests.domain import worlds
from tests.domain.commitment.conftest import contract
from tests.domain.queue.queued_jobs import SERVES, TRAINS, Row, log_of

PLAN_S = worlds.PLAN_S
STAYS = contract("stays", 8, 2.0, None, worlds.HOURS)
ENDS = contract("PO-2", 8, 2.0, 2, worlds.HOURS)
DAILY = tuple(
    Row(kind=TRAINS, gpus=8, eligible_h=24 * day, start_h=24 * day, end_h=24 * day + 10)
    for day in range(30)
    for _ in range(2)
)
"""Two jobs of 8 GPUs and 10 h at 0:00 of each day: on 16 GPUs none waits, on 8 the second of each day waits 10 h."""
NO_RANGES = Ranges({}, {})


def laid(
    *contracts: Contract, rows: tuple[Row, ...] = DAILY, orders: tuple[Order, ...] = (), **values: Any
) -> Queueing:
    """A log on a plan that has these contracts and orders, and no other."""
    of = worlds.plan()
    project = replace(of.project, contracts=contracts)
    advice = replace(of.advised, orders=orders)
    return Queueing(replace(of, project=project, advice=advice, **values), log_of(rows))


def ending(of: Contract = ENDS, **values: Any) -> NextDecision:
    """The decision that ends a contract on its last day."""
    given = {"kind": "end", "subject": of.contract_id, "number": 4, "ends_s": of.end_s} | values
    return NextDecision(decision_id=f"contract:{of.contract_id}", contract_id=of.contract_id, **given)


def order(gpus: float, start_s: int, pool: Pool = Pool.TRAINING, **values: Any) -> Order:
    """An order of H100 for the rest of the twelve months."""
    first = worlds.plan().advised.orders[0]
    given = {"pool": pool, "gpu_model": "H100", "gpus": gpus, "start_s": start_s, "run": "", "reason": "now"}
    return replace(first, end_s=start_s + 12 * MONTH_S, **(given | values))


def of_pool(later: LaterWaits, decision: NextDecision, pool: Pool = Pool.TRAINING) -> ChangedWait:
    """The wait of a pool without a decision and with it."""
    pools = later.decisions[decision.decision_id].pools
    return next(changed for changed in pools if changed.after.pool is pool)


# --- Known answer 69 of the model: 16 GPUs of which 8 leave when month 2 begins -------------------


def test_a_contract_that_ends_makes_jobs_wait_from_the_month_that_it_ends_in() -> None:
    queueing, decision = laid(STAYS, ENDS), ending()
    assert ENDS.end_s == PLAN_S + 1460 * 3600
    later = later_waits(queueing, [decision], NO_RANGES)
    waits = later.decisions[decision.decision_id]
    assert (waits.month, waits.begins_s) == (2, ENDS.end_s)
    assert (waits.p90_h, waits.without_p90_h) == (10.0, 0.0)
    worst = later.worst_in(Horizon.TWELVE_MONTHS)
    assert worst is not None
    assert (worst.wait.p90_h, worst.month, worst.begins_s) == (10.0, 2, PLAN_S + 2 * MONTH_S)
    assert worst.decision is not None
    assert worst.decision.decision_id == decision.decision_id


def test_the_wait_is_what_the_command_queue_says_of_the_gpus_that_are_left() -> None:
    """A plan whose first month has lost the contract already waits as the later month of the other plan does."""
    decision = ending()
    later = of_pool(later_waits(laid(STAYS, ENDS), [decision], NO_RANGES), decision)
    (left,) = pool_waits(laid(STAYS)) or ()
    (both,) = pool_waits(laid(STAYS, replace(ENDS, end_s=None))) or ()
    assert (later.after.p90_h, later.without.p90_h) == (left.waits.p90_h, both.waits.p90_h) == (10.0, 0.0)


def test_the_first_month_shows_nothing_of_it() -> None:
    """The plan's own replay is of month 0, in which both contracts run."""
    (row,) = pool_waits(laid(STAYS, ENDS)) or ()
    assert row.waits.p90_h == 0.0


def test_a_contract_that_ends_at_the_last_second_of_a_month_counts_in_that_month() -> None:
    early = replace(ENDS, end_s=PLAN_S + 2 * MONTH_S - 1)
    decision = ending(early)
    waits = later_waits(laid(STAYS, early), [decision], NO_RANGES).decisions[decision.decision_id]
    assert (waits.month, waits.p90_h, waits.without_p90_h) == (1, 10.0, 0.0)


def test_an_order_that_takes_over_ends_the_wait_and_without_the_decision_it_is_not_placed() -> None:
    """4 GPUs ordered in place of 8: a job of 8 fits on no set of 12, as the order is a set of its own; of 4 it does."""
    rows = tuple(row._replace(gpus=4) for row in DAILY)
    four, six = order(4, ENDS.end_s or 0), contract("small", 4, 2.0, 2, worlds.HOURS)
    alone = contract("alone", 4, 2.0, None, worlds.HOURS)
    decision = ending(six, orders=(four,))
    later = later_waits(laid(alone, six, rows=rows, orders=(four,)), [decision], NO_RANGES)
    assert (of_pool(later, decision).after.p90_h, of_pool(later, decision).without.p90_h) == (0.0, 0.0)
    none = later_waits(laid(alone, six, rows=rows), [decision], NO_RANGES)
    assert (of_pool(none, decision).after.p90_h, of_pool(none, decision).without.p90_h) == (10.0, 0.0)
    late = replace(
        four, start_s=(ENDS.end_s or 0) + 20 * DAY_S
    )  # within the month: after its last change it is there
    third = later_waits(laid(alone, six, rows=rows, orders=(late,)), [decision], NO_RANGES)
    assert of_pool(third, decision).after.p90_h == 0.0


@pytest.mark.parametrize("values", [{"reason": "if_it_lasts"}, {"run": "a run"}])
def test_orders_that_may_not_be_placed_and_runs_of_planned_work_do_not_count(values: dict[str, str]) -> None:
    rows, decision = tuple(row._replace(gpus=4) for row in DAILY), ending(replace(ENDS, milli_gpus=4000))
    held = (replace(STAYS, milli_gpus=4000), replace(ENDS, milli_gpus=4000))
    later = later_waits(
        laid(*held, rows=rows, orders=(order(4, ENDS.end_s or 0, **values),)), [decision], NO_RANGES
    )
    assert of_pool(later, decision).after.p90_h == 10.0


def test_jobs_larger_than_what_is_left_never_start_and_are_worse_than_any_wait() -> None:
    """One job of 16 GPUs and 2 h beside the others: on 8 GPUs it never starts, 32 GPU-h."""
    rows = (*DAILY, Row(kind=TRAINS, gpus=16, eligible_h=20, start_h=20, end_h=22))
    decision = ending()
    later = later_waits(laid(STAYS, ENDS, rows=rows), [decision], NO_RANGES)
    waits = later.decisions[decision.decision_id]
    assert (waits.main.after.never_jobs, waits.main.after.never_gpu_hours) == (1, 32.0)
    assert waits.is_much_longer


# --- Which decisions, which months, how often --------------------------------------------------------


@pytest.mark.parametrize(
    "values",
    [
        {"kind": "renew"},
        {"is_in_plan": False},
        {"contract_id": ""},
        {"ends_s": None},
        {"ends_s": PLAN_S + 12 * MONTH_S},
    ],
)
def test_a_decision_that_ends_no_gpus_in_twelve_months_has_no_wait(values: dict[str, Any]) -> None:
    decision = replace(ending(), **values)
    assert later_waits(laid(STAYS, ENDS), [decision], NO_RANGES).decisions == {}


def test_only_decisions_due_within_14_days_are_replayed_where_not_all_is_asked() -> None:
    near, far = (ending(by_s=PLAN_S + 14 * DAY_S + later_s) for later_s in (-1, 0))
    queueing = laid(STAYS, ENDS)
    assert later_waits(queueing, [far], NO_RANGES, is_whole=False) == LaterWaits()
    soon = later_waits(queueing, [near], NO_RANGES, is_whole=False)
    assert (list(soon.decisions), soon.months) == (["contract:PO-2"], ())


def test_the_headline_says_first_how_many_jobs_never_start() -> None:
    rows = (*DAILY, Row(kind=TRAINS, gpus=16, eligible_h=20, start_h=20, end_h=22))
    lines = wait_lines(waiting_of(laid(STAYS, ENDS, rows=rows), 0, decisions=(ending(),)))
    assert all("1 job never starts" in str(line) for line in lines)
    assert "(D4)" in str(lines[0])


@pytest.mark.parametrize("seed", range(20))
def test_queue_by_queue_is_as_all_at_once(seed: int) -> None:
    """Jobs of three queues on GPUs drawn: each month waits as a plan that has its GPUs from the first month on."""
    chance = Random(seed)
    rows = tuple(
        Row(
            kind=chance.randrange(3),
            gpus=chance.choice((1, 2, 4)),
            eligible_h=at,
            start_h=at,
            end_h=at + length,
        )
        for at, length in sorted((chance.randrange(400), chance.randint(1, 30)) for _ in range(60))
    )
    places = (("c1", "H100"), ("c2", "H100"), ("c1", "A100"))
    held = [
        contract(
            f"PO-{at}", chance.randint(1, 6), 2.0, chance.choice((None, 1.5, 3, 7.2)), worlds.HOURS,
            cluster=cluster, gpu_model=model,
        )
        for at, (cluster, model) in enumerate(places * 2)
    ]  # fmt: skip
    orders = (order(chance.randint(1, 3), PLAN_S + chance.randrange(6) * MONTH_S),)
    decisions = [ending(row) for row in held if row.end_s is not None]
    later = later_waits(laid(*held, rows=rows, orders=orders), decisions, NO_RANGES)
    assert later.decisions.keys() == {row.decision_id for row in decisions}
    for decision in decisions:
        waits, month = later.decisions[decision.decision_id], (decision.ends_s or 0) - PLAN_S
        last_s = PLAN_S + (month // MONTH_S + 1) * MONTH_S - 1
        left = [replace(row, end_s=None) for row in held if row.end_s is None or row.end_s > last_s]
        there = tuple(replace(one, start_s=PLAN_S) for one in orders if one.start_s <= last_s)
        alone = pool_waits(laid(*left, rows=rows, orders=there)) or ()
        assert {row.pool: row.waits.p90_h for row in alone} == {
            changed.after.pool: changed.after.p90_h for changed in waits.pools
        }


def test_each_set_of_gpus_is_replayed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """16 GPUs in months 0 and 1, 8 from month 2 on: two replays, in which are both sides of the decision."""
    from gpuplanner.domain.queue import later_months

    runs = list[object]()
    run = later_months.replay

    def counted(*args: Any, **values: Any) -> Any:
        runs.append(args)
        return run(*args, **values)

    monkeypatch.setattr(later_months, "replay", counted)
    later_waits(laid(STAYS, ENDS), [ending()], NO_RANGES)
    assert len(runs) == 2


def test_a_contract_paid_by_use_that_the_plan_stops_is_there_without_the_decision() -> None:
    """The plan has none of the on-demand contract; its first month waits, and without the decision nobody does."""
    from gpuplanner.domain.model.tables import PricingCategory

    by_use = replace(ENDS, end_s=None, pricing_category=PricingCategory.STANDARD)
    decision = ending(by_use, ends_s=PLAN_S)
    waits = later_waits(laid(STAYS, by_use), [decision], NO_RANGES).decisions[decision.decision_id]
    assert (waits.month, waits.p90_h, waits.without_p90_h) == (0, 10.0, 0.0)


def test_nothing_is_known_of_a_log_on_today() -> None:
    assert later_waits(laid(STAYS, ENDS, scenario="Today"), [ending()], NO_RANGES) == LaterWaits()


# --- What is said ------------------------------------------------------------------------------------


def waits_of(without_h: float | None, after_h: float | None, never: int = 0, **values: Any) -> DecisionWaits:
    pool = ChangedWait(
        without=PoolWait(pool=Pool.TRAINING, p90_h=without_h),
        after=PoolWait(
            pool=Pool.TRAINING, p90_h=after_h, never_jobs=never, never_gpu_hours=8 * never, **values
        ),
    )
    return DecisionWaits(begins_s=1_814_400_000, month=7, pools=(pool,))  # 1 July 2027


@pytest.mark.parametrize(
    ("waits", "words", "is_much_longer"),
    [
        (waits_of(4.8, 64.0), "training P90 4.8 → 64.0 h from Jul 2027", True),
        (
            waits_of(4.8, 37.0, low_h=29.0, high_h=64.04),
            "training P90 4.8 → 37.0 h from Jul 2027 (corrected by the log: 29.0 to 64.0 h)",
            True,
        ),
        (waits_of(2.6, 2.6), "training P90 2.6 h with and without it", False),
        (waits_of(2.6, 3.6), "training P90 2.6 → 3.6 h from Jul 2027", False),
        (waits_of(2.6, 3.7), "training P90 2.6 → 3.7 h from Jul 2027", True),
        (waits_of(3.7, 2.6), "training P90 3.7 → 2.6 h from Jul 2027", False),
        (waits_of(0.0, 0.0, never=1), "1 training job never starts from Jul 2027 (8 GPU-h)", True),
        (waits_of(0.0, 0.0, never=2), "2 training jobs never start from Jul 2027 (16 GPU-h)", True),
    ],
)
def test_a_wait_in_words_and_from_when_on_it_is_a_warning(
    waits: DecisionWaits, words: str, is_much_longer: bool
) -> None:
    assert (str(waits.text), waits.is_much_longer) == (words, is_much_longer)
    decision = replace(ending(), waits=waits)
    checks = longer_checks([decision])
    said = f"{waits.text_without_range} (decision D4)"
    assert [(check.code, check.severity, check.subject, str(check.message)) for check in checks] == [
        ("decision_waits", "amber", "PO-2", said)
    ] * is_much_longer
    assert [check.is_first for check in checks] == [waits.main.increase[0] > 0] * is_much_longer
    assert str(decision.wait_words) == f"D4 End PO-2: {words}"


def test_the_pool_that_waits_longest_more_is_the_one_that_is_named() -> None:
    burst = ChangedWait(
        without=PoolWait(pool=Pool.BURST, p90_h=40.0), after=PoolWait(pool=Pool.BURST, p90_h=41.0)
    )
    waits = waits_of(4.8, 64.0)
    both = replace(waits, pools=(burst, *waits.pools))
    assert (both.p90_h, both.without_p90_h) == (64.0, 4.8)
    assert both.lengthens(Pool.BURST)
    assert not replace(waits, pools=(replace(burst, after=burst.without),)).lengthens(Pool.BURST)


def answered(queueing: Queueing, *decisions: NextDecision) -> Waiting:
    return waiting_of(queueing, 0, decisions=decisions)


def test_the_headline_names_the_worst_month_and_the_decision_before_it() -> None:
    queueing = laid(STAYS, ENDS)
    lines = tuple(map(str, wait_lines(answered(queueing, ending()))))
    assert lines == (
        "P90 wait, Training: 0.0 → 10.0 h from Apr 2026, after PO-2 ends (D4)",
        "P90 wait, Training: 0.0 → 10.0 h from Apr 2026 (D4)",
        "P90 wait, Training: 0.0 → 10.0 h from Apr 2026",
        "P90 wait, Training: 0.0 → 10.0 h",
        "P90 wait 0.0 → 10.0 h",
    )
    assert str(wait_lines(answered(queueing))[0]) == "P90 wait, Training: 0.0 → 10.0 h from Apr 2026"
    assert str(wait_lines(waiting_of(queueing, 0))[0]) == "P90 wait, Training, replayed: 0.0 → 0.0 h"


def test_jobs_that_never_start_today_either_are_not_what_the_plan_does() -> None:
    """A job of 32 GPUs never starts, today or later; one of 16 starts today alone."""
    rows = (*DAILY, *(Row(kind=TRAINS, gpus=gpus, eligible_h=20, start_h=20, end_h=22) for gpus in (32, 16)))
    later = waiting_of(laid(STAYS, ENDS, rows=rows), 0, decisions=(ending(),)).later
    assert later is not None
    worst, first = later.worst_in(Horizon.TWELVE_MONTHS), later.worst_in(Horizon.NEXT_MONTH)
    assert worst is not None
    assert first is not None
    assert (worst.month, worst.wait.never_jobs, later.never_more(worst.wait)) == (2, 2, 1)
    assert (first.wait.never_jobs, later.never_more(first.wait)) == (1, 0)


def test_a_pool_of_which_nothing_ever_starts_hides_no_other() -> None:
    """Of inference no job starts, today or later, and its wait is unknown: the wait of training counts."""
    never = Row(kind=SERVES, gpus=2, eligible_h=1, start_h=1, end_h=2)
    small = contract("small", 1, 2.0, None, worlds.HOURS, cluster="c2")
    queueing, decision = laid(STAYS, ENDS, small, rows=(*DAILY, never)), ending()
    for place in (queueing, queueing.of_today):
        place.__dict__["offers"] = ()  # nobody sells GPUs by use
    later = waiting_of(queueing, 0, decisions=(decision,)).later
    assert later is not None
    worst, waits = later.worst_in(Horizon.TWELVE_MONTHS), later.decisions[decision.decision_id]
    assert worst is not None
    assert (worst.wait.pool, worst.wait.p90_h) == (Pool.TRAINING, 10.0)
    assert {changed.after.p90_h for changed in waits.pools} == {None, 10.0}
    assert waits.main.after.pool is Pool.TRAINING
    assert not waits.lengthens(Pool.INFERENCE)


def test_the_headline_of_a_period_is_of_its_months() -> None:
    """Next month nobody waits; month 12 waits as the worst of the twelve does."""
    waiting = waiting_of(laid(STAYS, ENDS), 0, decisions=(ending(),))
    assert waiting.later is not None
    worst = {horizon: waiting.later.worst_in(horizon) for horizon in Horizon}
    assert {horizon: row and (row.month, row.wait.p90_h) for horizon, row in worst.items()} == {
        Horizon.NEXT_MONTH: (0, 0.0),
        Horizon.MONTH_12: (11, 10.0),
        Horizon.TWELVE_MONTHS: (2, 10.0),
    }
    said = {horizon: "(D4)" in str(wait_lines(waiting, horizon)[0]) for horizon in Horizon}
    assert said == {Horizon.NEXT_MONTH: False, Horizon.MONTH_12: True, Horizon.TWELVE_MONTHS: True}


def test_a_decision_of_another_cluster_is_not_named_though_it_takes_effect_later() -> None:
    """K serves c2, whose jobs do not wait for what c1 loses: its end leaves training as it is."""
    other = contract("K", 8, 2.0, 2, worlds.HOURS, cluster="c2")
    rows = (*DAILY, Row(kind=SERVES, gpus=1, eligible_h=1, start_h=1, end_h=2))
    decisions = (ending(), ending(other, number=5))
    later = later_waits(laid(STAYS, ENDS, other, rows=rows), decisions, NO_RANGES)
    worst = later.worst_in(Horizon.TWELVE_MONTHS)
    assert worst is not None
    assert worst.decision is not None
    assert worst.decision.number == 4


def test_an_evaluation_has_the_waits_on_its_decisions_and_a_check() -> None:
    of = worlds.outlook_of(worlds.plan)
    assert of.outlook is not None
    queueing = laid(STAYS, ENDS, outlook=replace(of.outlook, next_decisions=(ending(),)))
    evaluation = queueing.evaluation
    told = with_waiting(evaluation, answered(queueing, ending()))
    assert told.outlook is not None
    (decision,) = told.outlook.next_decisions
    assert decision.waits is not None
    assert str(decision.waits.text_shortly) == "training P90 0.0 → 10.0 h"
    assert [check.code for check in told.waits] == ["decision_waits"]
    assert with_waiting(evaluation, None) is evaluation
    asked_nothing = with_waiting(evaluation, waiting_of(queueing, 0))
    assert asked_nothing.outlook is evaluation.outlook
