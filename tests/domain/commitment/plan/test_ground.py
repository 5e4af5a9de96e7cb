"""The ground of a plan: ends of contracts, quotes in place of lists, runs beside contracts, shares, by hand."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.demand.model_demand import models_of
from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.plan.dates import Run
from gpuplanner.domain.commitment.plan.ground import (
    Ground,
    contracts_in,
    ground_of,
    needed_by,
    needs_no_notice,
    sold_in_units,
    stopped,
    with_accepted,
)
from gpuplanner.domain.commitment.plan.row_plans import plan_of
from gpuplanner.domain.commitment.plan.shares import (
    provider_keys,
    rooms_of,
    share_called,
    share_rooms,
    usd_now,
    usd_of_share,
)
from gpuplanner.domain.commitment.recursion.allocation import NAMED, PROVIDER
from gpuplanner.domain.commitment.result import THE_WINDOW
from gpuplanner.domain.fit.needs import less_quoted
from gpuplanner.domain.model.book.only import Only, Row
from gpuplanner.domain.model.intake import RequestDays
from gpuplanner.domain.model.plan.changes import PriceChange
from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.plan.spells import Spell
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.window import DAY_S, HOUR_S, MONTH_S
from tests.domain.commitment.conftest import START_S, Load, audit, case, contract, offer

HOURS = 800
BEGIN_S = START_S + HOURS * HOUR_S
PLAN = Scenario(name="Plan A")
ROW = Row(Pool.TRAINING, "H100")


def ground(
    loads: Any = None, contracts: Any = (), offers: Any = (), scenario: Scenario = PLAN, **values: Any
) -> Ground:
    made = case(
        loads or [Load(pool=Pool.TRAINING, gpus=[4.0] * HOURS)],
        contracts,
        offers,
        scenario,
        sigma=0.0,
        **values,
    )
    return ground_of(made.project, scenario, made.pools, AdviceCache())


# --- Ends of contracts


@pytest.mark.parametrize(
    ("end_month", "stops", "end"),
    [(6, None, 6.0), (6, 3, 3.0), (6, 6, 6.0), (6, 9, 6.0), (None, 3, 3.0), (None, None, None)],
)
def test_a_contract_ends_where_its_provider_stops(end_month: Any, stops: Any, end: float | None) -> None:
    held = contract("k", 4, 2.0, end_month, HOURS, provider="Ada")
    ends = {"Bo": BEGIN_S} | ({} if stops is None else {"Ada": BEGIN_S + stops * MONTH_S})
    scenario = replace(PLAN, provider_ends=ends)
    found = stopped(held, scenario)
    assert found.end_s == (None if end is None else BEGIN_S + end * MONTH_S)
    is_cut = found is not held
    assert is_cut is (found.end_s != held.end_s)
    assert needs_no_notice(held, scenario) is is_cut
    assert needs_no_notice(held, replace(scenario, notice_given=("k",)))
    assert not needs_no_notice(held, PLAN)


def test_a_contract_that_begins_after_its_provider_stops_has_a_second() -> None:
    late = contract("k", 4, 2.0, 6, HOURS, provider="Ada", start_s=BEGIN_S + MONTH_S)
    assert stopped(late, replace(PLAN, provider_ends={"Ada": BEGIN_S})).end_s == BEGIN_S + MONTH_S + 1


def test_with_nothing_signed_what_renews_runs_on() -> None:
    held = [
        contract("a", 4, 2.0, 6, HOURS, renews_months=12),
        contract("b", 4, 2.0, 6, HOURS),
        contract("given", 4, 2.0, 6, HOURS, renews_months=12),
        contract("over", 4, 2.0, -0.5, HOURS, renews_months=0),
        contract("stops", 4, 2.0, 6, HOURS, renews_months=12, provider="Ada"),
        contract("use", 4, 2.0, 6, HOURS, pricing_category=PricingCategory.STANDARD),
        contract("edge", 4, 2.0, 0, HOURS, renews_months=12),  # over as the plan begins
    ]
    scenario = replace(PLAN, notice_given=("given",), provider_ends={"Ada": BEGIN_S + 8 * MONTH_S})
    project = case([Load(pool=Pool.TRAINING, gpus=[4.0] * HOURS)], held).project
    committed, in_force = contracts_in(project, scenario)
    assert {item.contract_id for item in committed} == {"a", "b", "edge", "given", "over", "stops"}
    endless = {item.contract_id for item in in_force if item.end_s is None}
    assert (endless, len(in_force)) == ({"a"}, 7)
    assert contracts_in(project, replace(scenario, greenfield=True)).plan == ()
    assert len(contracts_in(project, replace(scenario, greenfield=True)).nothing) == 7


# --- What is on offer


def test_offers_are_sold_in_the_units_that_are_assumed() -> None:
    project = case(
        [Load(pool=Pool.TRAINING, gpus=[4.0] * 24)],
        (),
        [offer("a", 12, 2.0, unit_gpus=8), offer("b", 12, 2.0)],
    ).project
    assert sold_in_units(project, None) is project
    assert [item.unit_gpus for item in sold_in_units(project, 4).offers] == [4, 4]
    assert [item.unit_gpus for item in sold_in_units(project, 1).offers] == [None, None]
    empty = replace(project, offers=())
    assert sold_in_units(empty, 4) is empty


def quote(name: str, rate: float = 1.9, row: int = 1, **values: Any) -> Any:
    source = f"Quote RFQ-20260101-AAAA R{row} for 2026-02-10"
    return offer(name, 12, rate, **({"source": source, "starts": "2026-02-10"} | values))


@pytest.mark.parametrize(
    ("listed", "quotes", "left"),
    [
        (6, [], 6),
        (6, [("a", 2.0, 1, 4)], 2),  # at the same rate
        (6, [("a", 2.1, 1, 4)], 6),
        (6, [("a", 1.9, 1, 6)], None),  # all of the list
        (6, [("a", 1.9, 1, None)], None),
        (6, [("a", 1.9, 1, 4), ("b", 1.8, 1, 3)], 2),  # of one row the larger
        (6, [("a", 1.9, 1, 3), ("b", 1.8, 1, 4)], 2),
        (6, [("a", 1.9, 1, 3), ("b", 1.8, 2, 2)], 1),
        (None, [("a", 1.9, 1, 4)], 9),
    ],
)
def test_a_list_has_what_quotes_leave_of_it(listed: Any, quotes: Any, left: Any) -> None:
    """9: without a limit, as it was."""
    offers = [quote(name, rate, row, max_gpus=most) for name, rate, row, most in quotes]
    project = case(
        [Load(pool=Pool.TRAINING, gpus=[4.0] * 24)], (), [*offers, offer("list", 12, 2.0, max_gpus=listed)]
    ).project
    found = {item.offer_id: item.max_gpus for item in less_quoted(project).offers}
    assert found.get("list", "gone") == {None: "gone", 9: None}.get(left, left)
    assert len(found) == len(quotes) + (left is not None)
    assert (less_quoted(project) is project) is (not quotes)


@pytest.mark.parametrize(
    "other", [{"gpu_model": "A100"}, {"term_months": 6}, {"term_days": 300}, {"rate_usd_per_gpu_hour": None}]
)
def test_a_quote_of_something_else_takes_nothing_of_a_list(other: dict[str, Any]) -> None:
    offers = [replace(quote("a", max_gpus=4), **other), offer("list", 12, 2.0, max_gpus=6)]
    project = case([Load(pool=Pool.TRAINING, gpus=[4.0] * 24)], (), offers).project
    assert [item.max_gpus for item in less_quoted(project).offers] == [4, 6]


def test_a_plan_waits_for_the_request_that_was_sent() -> None:
    """The request is of day 5; replies by day 19, decided on in 5: on day 24; what has a day of its own on day 13."""
    of = ground()
    assert (of.calendar.begin_s, of.calendar.asked_from_s, of.calendar.own_from_s) == (BEGIN_S, 0, 0)
    days = RequestDays(BEGIN_S + 5 * DAY_S, BEGIN_S + 19 * DAY_S, 5 * DAY_S)
    calendar = Ground.calendar.fget(
        SimpleNamespace(
            window=of.window, assumptions=of.assumptions, project=SimpleNamespace(request_days=days)
        )
    )  # type: ignore[attr-defined]
    assert (calendar.asked_from_s, calendar.own_from_s) == (19 * DAY_S, 8 * DAY_S)
    past = RequestDays(BEGIN_S - 40 * DAY_S, BEGIN_S - 30 * DAY_S, 5 * DAY_S)
    calendar = Ground.calendar.fget(
        SimpleNamespace(
            window=of.window, assumptions=of.assumptions, project=SimpleNamespace(request_days=past)
        )
    )  # type: ignore[attr-defined]
    assert (calendar.asked_from_s, calendar.own_from_s) == (0, 0)


def test_dated_prices_count_from_the_day_after_the_plans_first() -> None:
    """A change of the first day is in the rates already; one of month 1 is still to come."""
    changes = (PriceChange("H100", 0.5, BEGIN_S), PriceChange("H100", 0.5, BEGIN_S + MONTH_S))
    of = ground(offers=[offer("od", 0, 6.0)], scenario=replace(PLAN, price_changes=changes), delta=0.0)
    assert of.levels.changes == changes[1:] and of.project.offers[0].rate == 3.0
    assert (of.months, len(of.levels.path)) == (max(of.assumptions.horizon_months, 12),) * 2
    levels, at = of.dated_use([ROW])
    assert levels[:3] == (1.0, 0.5, 0.5)
    assert at[:2].tolist() == [1.0, 0.5]
    assert of.origin == THE_WINDOW
    assert ground(horizon_months=6).months == 12


def test_use_without_some_offers() -> None:
    of = ground(offers=[offer("od", 0, 6.0), offer("od2", 0, 7.0)])
    blend = of.blend_of([ROW])
    flex, shares = blend(frozenset())
    assert (flex.rate, flex.offer_id, shares) == (6.0, "od", {"od": 1.0})
    flex, shares = blend(frozenset({"od"}))
    assert (flex.rate, flex.offer_id, shares) == (7.0, "od2", {"od2": 1.0})
    assert of.blend_of([ROW], np.zeros(1))(frozenset())[0].rate is None


def test_what_only_some_may_serve_or_is_never_by_use_is_left_to_nobody() -> None:
    of = ground(training_never_by_use=True, offers=[offer("od", 0, 6.0), offer("y1", 12, 2.0)])
    assert of.is_left_to_nobody(ROW) and not of.is_left_to_nobody(Row(Pool.BURST, "H100"))
    assert of.is_left_to_nobody(Row(Pool.BURST, "H100 @ Ada"))
    assert [item.offer_id for item in of.eligible[ROW]] == ["y1"]
    plain = ground(offers=[offer("od", 0, 6.0), offer("y1", 12, 2.0)])
    assert not plain.is_left_to_nobody(ROW) and len(plain.eligible[ROW]) == 2
    assert plain.known(np.arange(3.0)).tolist() == [0, 1, 2]
    missing = SimpleNamespace(missing=np.array([False, True, False]))
    assert Ground.known(missing, np.arange(6.0).reshape(2, 3)).tolist() == [[0, 2], [3, 5]]  # type: ignore[arg-type]


def test_demand_is_that_of_its_pools_times_what_is_planned() -> None:
    loads = [Load(pool=Pool.TRAINING, gpus=[4.0] * HOURS), Load(pool=Pool.BURST, gpus=[2.0] * HOURS)]
    of = ground(loads, demand_burst=3.0, demand_training=0.0)
    spent = 2000.0 * HOURS * 3600 * 3
    assert {row: amounts.tolist() for row, amounts in of.plan.users.items()} == {
        Row(Pool.BURST, "H100"): [0.0, spent]
    }
    assert of.plan.now.keys() == of.plan.users.keys()
    assert of.rows == (Row(Pool.BURST, "H100"),)


def test_accepted_savings_need_classes() -> None:
    project = case([Load(pool=Pool.TRAINING, gpus=[4.0] * 24)]).project
    accepted = replace(PLAN, accepted=("right_size",))
    assert with_accepted(project, accepted, (), AdviceCache()) is project
    assert with_accepted(project, PLAN, (object(),), AdviceCache()) is project  # type: ignore[arg-type]


def test_rows_of_a_model_come_in_serving_order() -> None:
    loads = [
        Load(pool=Pool.BURST, gpus=[1.0] * HOURS),
        Load(pool=Pool.INFERENCE, gpus=[2.0] * HOURS, cluster="c2"),
        Load(pool=Pool.TRAINING, gpus=[3.0] * HOURS),
        Load(pool=Pool.TRAINING, gpus=[4.0] * HOURS, model="A100"),
    ]
    models = ground(loads).plan.models
    assert [model.gpu_model for model in models] == ["A100", "H100"]
    assert models[1].rows == (
        Row(Pool.INFERENCE, "H100"),
        Row(Pool.TRAINING, "H100"),
        Row(Pool.BURST, "H100"),
    )
    assert [(site.cluster, [stream.row for stream in site.streams]) for site in models[1].sites] == [
        ("c1", [1, 2]),
        ("c2", [0]),
    ]
    assert models_of((), (), AdviceCache()) == ()


def test_demand_of_unknown_models_is_shared_by_who_is_there() -> None:
    """2 and 6 GPUs on c1, the latter with an end: 4 A100 serve first, so that half of each is A100 and half H100.

    On c2 nobody has a contract; on c3 a workload that comes later counts with the H100 of its contract.
    """
    loads = [
        Load(pool=Pool.TRAINING, gpus=[2.0] * HOURS, model=None),
        Load(pool=Pool.TRAINING, gpus=[6.0] * HOURS, model=None),
        Load(pool=Pool.TRAINING, gpus=[1.0] * HOURS, model=None, cluster="c2"),
        Load(pool=Pool.TRAINING, gpus=[5.0] * HOURS, model=None, cluster="c3"),
    ]
    held = [
        contract("a", 4, 1.0, None, HOURS, gpu_model="A100"),
        contract("h", 4, 2.0, None, HOURS),
        contract("h3", 1, 2.0, None, HOURS, cluster="c3"),
    ]
    spells = {
        "c1/team/load-001": Spell(None, BEGIN_S + 3 * MONTH_S),
        "c3/team/load-003": Spell(BEGIN_S + 2 * MONTH_S, None),
    }
    of = ground(loads, held, scenario=replace(PLAN, spells=spells))
    streams = {
        (model.gpu_model, site.cluster, stream.group): float(stream.demand.mean()) / 3_600_000
        for model in of.plan.models
        for site in model.sites
        for stream in site.streams
    }
    assert streams == pytest.approx(
        {
            (None, "c2", 0): 1.0,
            ("A100", "c1", 0): 1.0,
            ("A100", "c1", 1): 3.0,
            ("H100", "c1", 0): 1.0,
            ("H100", "c1", 1): 3.0,
            ("H100", "c3", 2): 5.0,
        }
    )
    hours = HOURS * 3_600_000
    unknown = {model: amount / hours for model, amount in of.plan.unknown_milli_gpu_seconds.items()}
    assert unknown == pytest.approx({None: 1.0, "A100": 4.0, "H100": 9.0})
    assert of.plan.served["a"] / hours == pytest.approx(4.0) and of.plan.served["h"] / hours == pytest.approx(
        4.0
    )
    now = {row: (amounts / hours).tolist() for row, amounts in of.plan.now.items()}
    assert now[Pool.TRAINING, "H100"] == pytest.approx([1.0, 3.0, 0.0, 0.0])
    ever = {row: (amounts / hours).tolist() for row, amounts in of.plan.users.items()}
    assert ever[Pool.TRAINING, "H100"] == pytest.approx([1.0, 3.0, 0.0, 5.0])


# --- Runs beside contracts


def run(key: str, gpus: float, *pieces: tuple[int, int], cluster: str = "c1", row: Any = ROW) -> Run:
    """A run with pieces in hours of the plan."""
    return Run(
        key=key,
        place=0,
        cluster=cluster,
        row=row,
        gpus=gpus,
        pieces=tuple((a * HOUR_S, b * HOUR_S) for a, b in pieces),
    )


def needs(runs: list[Run], *contracts: Any, log: float = 0.0) -> list[list[tuple[float, float, float]]]:
    served = ground([Load(pool=Pool.TRAINING, gpus=[log] * HOURS)], contracts).plan
    found = needed_by(runs, served, ground().window)
    return [[(a / HOUR_S, b / HOUR_S, gpus) for a, b, gpus in found[each]] for each in runs]


def test_runs_take_what_contracts_leave_idle_each_after_those_before_it() -> None:
    """Of 5 GPUs the log has 1. The first takes 3 from hour 10 to 20: 1 is left to the second until 20, then 4."""
    held = contract("k", 5, 2.0, None, HOURS)
    first, second = run("a", 3, (10, 20)), run("b", 6, (15, 30))
    assert needs([first, second], held, log=1.0) == [[(10, 20, 0.0)], [(15, 20, 5.0), (20, 30, 2.0)]]
    assert needs([first, second], held, log=7.0) == [[(10, 20, 3.0)], [(15, 30, 6.0)]]
    assert needs([first, second]) == [[(10, 20, 3.0)], [(15, 30, 6.0)]]
    other = replace(second, cluster="c2")
    assert needs([first, other], held, log=1.0)[1] == [(15, 30, 6.0)]
    assert needs([first, run("b", 6, (20, 30))], held, log=1.0)[1] == [(20, 30, 2.0)]
    nowhere = replace(first, cluster="")
    assert needs([nowhere], replace(held, cluster=""))[0] == [(10, 20, 3.0)]


def test_a_piece_is_cut_where_contracts_begin_and_end() -> None:
    early = contract("a", 1, 2.0, 12 / 730, HOURS)
    late = contract("b", 2, 2.0, None, HOURS, start_s=BEGIN_S + 15 * HOUR_S)
    assert needs([run("r", 4, (10, 20))], early, late) == [[(10, 12, 3.0), (12, 15, 4.0), (15, 20, 2.0)]]
    assert needs([run("r", 4, (12, 15))], early, late) == [[(12, 15, 4.0)]]


@pytest.mark.parametrize(
    ("values", "left"),
    [
        ({}, 1.0),
        ({"pool": Pool.TRAINING}, 1.0),
        ({"pool": Pool.BURST}, 4.0),
        ({"gpu_model": "A100"}, 4.0),
        ({"cluster": "c2"}, 4.0),
    ],
)
def test_which_contracts_serve_a_run(values: dict[str, Any], left: float) -> None:
    held = replace(contract("k", 3, 2.0, None, HOURS), **values)
    assert needs([run("r", 4, (0, 9))], held) == [[(0, 9, left)]]
    only_ada = run("r", 4, (0, 9), row=Row(Pool.TRAINING, "H100 @ Ada"))
    assert needs([only_ada], held) == [[(0, 9, 4.0)]]
    assert needs([only_ada], replace(held, provider="Ada")) == [[(0, 9, left)]]


def test_planned_work_that_ends_is_a_run_of_the_plan() -> None:
    works = (
        PlannedWork(
            name="load-000",
            pool=Pool.TRAINING,
            gpu_model="H100",
            gpus=4.0,
            cluster="c1",
            team="team",
            length_hours=24,
            begins_s=BEGIN_S + DAY_S,
        ),
        PlannedWork(
            name="load-001", pool=Pool.TRAINING, gpu_model="H100", gpus=4.0, cluster="c1", team="team"
        ),
        PlannedWork(
            name="gone",
            pool=Pool.TRAINING,
            gpu_model="H100",
            gpus=4.0,
            cluster="c1",
            team="team",
            length_hours=24,
        ),
    )
    loads = [Load(pool=Pool.TRAINING, gpus=[4.0] * HOURS), Load(pool=Pool.BURST, gpus=[4.0] * HOURS)]
    of = ground(loads, scenario=replace(PLAN, planned=works))
    (only,) = of.runs
    assert (only.key, only.place, only.cluster, only.row, only.gpus) == (
        "c1/team/load-000",
        0,
        "c1",
        ROW,
        4.0,
    )
    assert only.pieces == ((DAY_S, 2 * DAY_S),)
    assert of.plan.users[ROW].tolist() == [0.0, 0.0]  # it is bought apart
    over = replace(works[0], begins_s=BEGIN_S + 10**9)
    assert ground(loads, scenario=replace(PLAN, planned=(over,))).runs == ()


DAY_OF_LOAD_1 = PlannedWork(
    name="load-001",
    pool=Pool.TRAINING,
    gpu_model="H100",
    gpus=4.0,
    cluster="c1",
    team="team",
    length_hours=24,
)


@pytest.mark.parametrize(
    ("logged", "planned", "is_several"), [(1, 2, True), (2, 1, True), (None, None, False), (2, 2, True)]
)
def test_a_row_is_of_several_nodes_where_its_log_or_a_run_is(
    logged: int | None, planned: int | None, is_several: bool
) -> None:
    loads = [Load(pool=Pool.TRAINING, gpus=[4.0] * HOURS, nodes=nodes) for nodes in (logged, planned)]
    assert ground(loads, scenario=replace(PLAN, planned=(DAY_OF_LOAD_1,))).several_nodes[ROW] is is_several


def test_take_or_pay_pays_for_what_the_log_and_runs_use() -> None:
    """Of 10 GPUs 80% are to be paid: the log uses 4, so 8 are paid; a run of 6 GPUs for a month uses all."""
    held = contract("k", 10, 2.0, None, HOURS, take_or_pay_percent=80.0)
    loads = [Load(pool=Pool.TRAINING, gpus=[4.0] * HOURS), Load(pool=Pool.TRAINING, gpus=[6.0] * HOURS)]
    work = replace(DAY_OF_LOAD_1, gpus=6.0, length_hours=730)
    for planned, gpus in (((), 10.0), ((work,), 10.0)):
        of = ground(loads, [held], scenario=replace(PLAN, planned=planned))
        assert of.contracts_usd(0) == pytest.approx(gpus * 2 * 730)
    alone = ground(loads[:1], [held])
    assert alone.contracts_usd(0) == pytest.approx(8 * 2 * 730)
    half = ground(loads, [held], scenario=replace(PLAN, planned=(replace(work, length_hours=365),)))
    assert half.contracts_usd(0) == pytest.approx(8 * 2 * 730)  # 7 are used in the mean
    assert half.contracts_usd(1) == pytest.approx(8 * 2 * 730)


def test_a_run_takes_no_more_of_a_take_or_pay_contract_than_is_idle() -> None:
    """The log uses 6 of 10 GPUs every other hour: 4 are idle for a run of 6, so 3 + 4 are paid, 5 without it."""
    held = contract("k", 10, 2.0, None, HOURS, take_or_pay_percent=50.0)
    loads = [
        Load(pool=Pool.TRAINING, gpus=[6.0, 0.0] * (HOURS // 2)),
        Load(pool=Pool.TRAINING, gpus=[6.0] * HOURS),
    ]
    work = replace(DAY_OF_LOAD_1, gpus=6.0, length_hours=730)
    of = ground(loads, [held], scenario=replace(PLAN, planned=(work,)))
    assert of.contracts_usd(0) == pytest.approx(7 * 2 * 730)
    assert of.contracts_usd(1) == pytest.approx(5 * 2 * 730)


# --- Shares


def shared(**values: Any) -> Ground:
    held = [
        contract("k", 2, 1.0, 40, HOURS, provider="Ada"),
        contract("u", 1, None, 40, HOURS, provider="Bo"),
    ]
    offers = [
        offer("od", 0, 6.0, provider="Cy"),
        offer("y1", 12, 2.0, provider="Ada", region="eu"),
        offer("n", 12, 9.0),
    ]
    return ground(None, held, offers, **values)


def test_shares_are_of_who_is_named_and_of_each_provider() -> None:
    scenario = replace(PLAN, shares={Only("Ada"): 0.5, Only(region="eu"): 0.25})
    of = shared(scenario=scenario, max_provider_share=0.4)
    rooms = share_rooms(of)
    assert rooms == {
        NAMED + "Ada": 0.5,
        NAMED + "[eu]": 0.25,
        PROVIDER + "Ada": 0.4,
        PROVIDER + "Bo": 0.4,
        PROVIDER + "Cy": 0.4,
    }
    assert list(rooms) == sorted(rooms)
    assert set(provider_keys(of)) == {PROVIDER + name for name in ("Ada", "Bo", "Cy")}
    assert share_rooms(shared()) == {}
    assert share_called(PROVIDER + "Ada") == "Ada"
    assert "eu" in str(share_called(NAMED + "[eu]"))


def test_rooms_are_what_contracts_leave_of_a_share() -> None:
    """Of 4 GPUs the contracts serve 2 of Ada and 1 of Bo; the plan signs one more with Ada for $1,460 a month."""
    priced = [contract("k", 2, 1.0, 40, HOURS, provider="Ada")]
    offers = [offer("od", 0, 6.0, provider="Cy"), offer("y1", 12, 2.0, provider="Ada")]
    of = ground(None, priced, offers)
    bought = plan_of(of, AdviceCache()).bought
    assert usd_now(of, bought) == pytest.approx(730 * (2 * 1.0 + 2 * 2.0))
    keys = {PROVIDER + "Ada": 0.5, PROVIDER + "Cy": 0.1}
    assert rooms_of(bought, of, keys) == pytest.approx(
        {PROVIDER + "Ada": 2190.0 - 1460.0, PROVIDER + "Cy": 438.0}
    )
    assert usd_of_share(bought, of, PROVIDER + "Ada", 1) == pytest.approx(1460.0 + 2920.0)
    # once the contract ends two more slices take the offer
    assert usd_of_share(bought, of, PROVIDER + "Ada") == pytest.approx(1460.0 + 2 * 2920.0)
    assert usd_of_share(bought, of, PROVIDER + "Cy") == 0.0
    unknown = shared()
    assert rooms_of(plan_of(unknown, AdviceCache()).bought, unknown, keys) == {}
    assert (
        usd_of_share((), unknown, PROVIDER + "Bo") == 0.0
        and usd_of_share((), unknown, PROVIDER + "Ada") == 1460.0
    )


def test_a_share_counts_what_starts_in_its_months() -> None:
    """The contract serves all for three months; what is signed after it is none of the first month's."""
    priced = [contract("k", 4, 1.0, 3, HOURS)]
    of = ground(None, priced, [offer("od", 0, 6.0), offer("y1", 12, 2.0, provider="Ada")])
    bought = plan_of(of, AdviceCache()).bought
    assert usd_of_share(bought, of, PROVIDER + "Ada") == pytest.approx(4 * 1460.0)
    assert usd_of_share(bought, of, PROVIDER + "Ada", 1) == 0.0
    assert usd_of_share(bought, of, PROVIDER + "Ada", 3) == 0.0
    assert usd_of_share(bought, of, PROVIDER + "Ada", 4) == pytest.approx(4 * 1460.0)


def test_a_plan_of_one_project_is_advised_on() -> None:
    made = case([Load(pool=Pool.TRAINING, gpus=[4.0] * HOURS)], (), [offer("od", 0, 6.0)])
    assert advise(made.project, PLAN, made.pools, audit()).totals.plan == pytest.approx(4 * 6 * 730)


def test_contracts_of_a_share_count_for_their_part_of_the_first_month() -> None:
    """2 GPUs at $1 for half of it, 3 at $2 all through it and one from month 1 on: $730 and $4,380."""
    held = [
        contract("half", 2, 1.0, 0.5, HOURS, provider="Ada"),
        contract("whole", 3, 2.0, 1, HOURS, provider="Ada"),
        contract("later", 1, 9.0, None, HOURS, provider="Ada", start_s=BEGIN_S + MONTH_S),
    ]
    of = ground(None, held)
    assert usd_of_share((), of, PROVIDER + "Ada") == pytest.approx(730 + 4380)
    assert rooms_of((), of, {PROVIDER + "Ada": 0.4}) == {PROVIDER + "Ada": pytest.approx(-0.6 * 5110)}
