"""Money of the past, part by part, by hand: rates, unknown sums, terms of offers, spellings, shares of parts."""

from dataclasses import fields, replace
from decimal import Decimal
from math import inf
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.audit.audit import audit, audit_in_parts
from gpuplanner.domain.audit.chargeback import ChargePart, _spelling, _whose
from gpuplanner.domain.audit.cost_result import ChargeBy
from gpuplanner.domain.audit.leak_claims import EqualTerms, Part, _bound_hours, _serves_by_now, _utilization
from gpuplanner.domain.audit.model_rates import contracts_of, offered_models, paid_models, price_gaps
from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.audit.spend import (
    StrandedBridge,
    cluster_inputs,
    contract_amounts,
    contract_inputs,
    current_parts,
    eligible_rates,
    eligible_usd_by_hour,
    lock_in_now_months,
    on_demand_rate_of_model,
    overflow_rate,
    overflow_usd,
    priced,
    stand_in_models,
    total_bridge,
    why_readings_differ,
    workload_usd_of,
)
from gpuplanner.domain.audit.unit_costs import costed_hours, model_costs
from gpuplanner.domain.audit.utilization import dispatch_window
from gpuplanner.domain.demand.pools import NOT_LOGGED
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import ModelMapping
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import DAY_S, Window
from tests.domain.audit.conftest import (
    GPU_HOUR,
    START_S,
    classified,
    make_contract,
    make_offer,
    make_project,
    make_workload,
)

TRAINING, INFERENCE, BURST = Pool.TRAINING, Pool.INFERENCE, Pool.BURST
MONTH_H = 730
H = 3600


# --- Rates and sums


@pytest.mark.parametrize(
    ("spent", "rates", "usd"),
    [
        ([], [], 0.0),
        ([GPU_HOUR, GPU_HOUR // 2], [2.0, 4.0], 4.0),
        ([GPU_HOUR, 0], [2.0, None], 2.0),
        ([GPU_HOUR, 1], [2.0, None], None),
    ],
)
def test_gpu_time_is_priced_where_all_of_it_has_a_rate(
    spent: list[int], rates: list[float | None], usd: float | None
) -> None:
    assert priced(np.array(spent, dtype=np.int64), rates) == usd


@pytest.mark.parametrize(
    ("metered", "reading", "idle", "word"),
    [
        (5.0, 10.0, 9.5, ""),
        (5.0, 10.0, 9.4, "exceeds idle cost"),
        (5.0, 10.0, None, ""),
        (10.5, 10.0, 99.0, "cost more"),
        (10.4, 10.0, 99.0, ""),
        (10.5, 10.0, 9.0, "exceeds idle cost"),
        (None, 10.0, 99.0, ""),
        (10.5, None, 1.0, ""),
    ],
)
def test_readings_differ_by_half_a_dollar_or_more(
    metered: float | None, reading: float | None, idle: float | None, word: str
) -> None:
    text = str(why_readings_differ(metered, reading, idle))
    assert (word in text) if word else text == ""


def test_dollars_of_the_window_are_a_month_of_730_hours() -> None:
    usd = workload_usd_of(np.array([10.0, np.nan, 0.0]), Window(START_S, 146))
    assert usd == [pytest.approx(50.0), None, 0.0]
    bridge = StrandedBridge(
        cost_per_month=1.0,
        allocated_per_month=2.0,
        idle_while_training=3.0,
        stranded_metered=4.0,
        scaled_to_all_hours=5.0,
        stranded_audit=6.0,
    )
    assert total_bridge([]) == StrandedBridge(
        **dict.fromkeys((part.name for part in fields(StrandedBridge)), 0)
    )
    unknown = total_bridge([bridge, bridge, replace(bridge, scaled_to_all_hours=None)])
    assert unknown == StrandedBridge(
        cost_per_month=3.0,
        allocated_per_month=6.0,
        idle_while_training=9.0,
        stranded_metered=12.0,
        scaled_to_all_hours=None,
        stranded_audit=18.0,
    )


def test_demand_of_no_model_stands_in_the_largest_contracts_of_its_cluster() -> None:
    contracts = [
        make_contract("a", 4, "1", gpu_model="A100"),
        make_contract("b", 8, "1"),
        make_contract("c", 1, "1", cluster="bora", gpu_model=None),
    ]
    works = [
        make_workload("w", max_nodes=2),
        make_workload("x"),
        make_workload("y", "cora", max_nodes=2),
        make_workload("z", max_nodes=1),
    ]
    entries = [(at, model, 0, GPU_HOUR) for at, model in ((0, -1), (0, 1), (1, 0), (2, -1), (3, 0))]
    project = make_project(1, works, entries, contracts)
    assert stand_in_models(project) == {"atlas": "H100", "bora": None}
    rates = eligible_rates(project, [TRAINING, BURST, INFERENCE, BURST])
    assert rates.several_nodes == {(TRAINING, "H100"), (TRAINING, "A100"), (INFERENCE, None)}


def test_on_demand_is_the_cheapest_by_use_at_what_a_mapped_model_does() -> None:
    """A B200 at $6 does the work of 2 H100, for inference of 3."""
    offers = [
        make_offer("a", "5"),
        make_offer("b", "4"),
        make_offer("c", "1", pricing_category="COMMITTED", term_months=12),
        make_offer("d", "0.5", pricing_category="DYNAMIC"),
        make_offer("e", "6", gpu_model="B200"),
        make_offer("f", None),
    ]
    mappings = (ModelMapping("H100", "B200", 2.0), ModelMapping("H100", "B200", 3.0, INFERENCE))
    assert on_demand_rate_of_model(offers, "H100") == 4.0
    assert on_demand_rate_of_model(offers, "H100", mappings) == 3.0
    assert on_demand_rate_of_model(offers, "H100", mappings, INFERENCE) == 2.0
    assert on_demand_rate_of_model(offers, None) == 4.0
    assert on_demand_rate_of_model(offers, "A100", mappings) is None


def wanting() -> Any:
    """One hour: 3 H100 of training and 3 of inference, of 4 that are held at $2; a third of each overflows."""
    works = [make_workload("llm"), make_workload("chat")]
    entries = [(0, 0, 0, 3 * GPU_HOUR), (1, 0, 0, 3 * GPU_HOUR)]
    offers = [make_offer("own", "6"), make_offer("new", "4", gpu_model="B200")]
    return make_project(1, works, entries, [make_contract("k", 4, "2")], offers)


CLASSES = [TRAINING, INFERENCE]


def test_overflow_costs_the_mean_of_what_its_classes_cost() -> None:
    """For inference a B200 at $4 does the work of 2 H100, $2; training pays $6: 1 GPU-h each."""
    project = wanting()
    (hours,) = dispatch_window(project, CLASSES)
    assert overflow_rate(hours, "H100", project) == 6.0
    assert overflow_usd(hours, project) == 12.0
    parted = replace(project, mappings=(ModelMapping("H100", "B200", 2.0, INFERENCE),))
    assert overflow_rate(hours, "H100", parted) == pytest.approx((6 + 2) / 2)
    assert overflow_rate(hours, "A100", parted) is None
    assert overflow_rate(hours, "B200", parted) == 4.0  # of it nothing overflowed
    assert overflow_usd(hours, parted) == pytest.approx(8.0)
    assert overflow_usd(hours, parted, slice(0, 0)) == 0.0
    everyone = replace(project, mappings=(ModelMapping("H100", "B200", 4.0),))
    assert overflow_rate(hours, "H100", everyone) == 1.0


def test_spend_of_hours_is_what_is_paid_and_what_overflows() -> None:
    """$8 for 4 H100, and 2 on demand at $6; the second hour has no demand."""
    project = replace(wanting(), window=Window(START_S, 2))
    project = replace(project, cube=replace(project.cube, hours=2))
    clusters = dispatch_window(project, CLASSES)
    rates = eligible_rates(project, CLASSES)
    by_hour = eligible_usd_by_hour(clusters, rates)
    assert by_hour is not None and by_hour.tolist() == [20.0, 8.0]
    assert eligible_usd_by_hour([], rates) is None
    unsold = replace(rates, offers=rates.offers[1:])
    assert eligible_usd_by_hour(clusters, unsold) is None
    unrated = replace(project, contracts=(make_contract("k", 4, None),))
    assert eligible_usd_by_hour(dispatch_window(unrated, CLASSES), rates) is None


def test_parts_of_spend_are_named_where_the_sum_is_unknown() -> None:
    """4 H100 at $2 and 2 on demand at $6 are $20 in the one hour; l, without a rate, is held for it, and m is over."""
    project = wanting()
    rates = eligible_rates(project, CLASSES)
    assert current_parts(project, dispatch_window(project, CLASSES), rates, 5.0, []).parts == 0
    more = (
        *project.contracts,
        make_contract("l", 1, None, gpu_model="A100"),
        make_contract("m", 1, None, gpu_model="A100", end_s=START_S),
    )
    unrated = replace(project, contracts=more)
    clusters = dispatch_window(unrated, CLASSES)
    parts = current_parts(unrated, clusters, rates, None, [])
    assert (parts.known, parts.parts, parts.missing) == (pytest.approx(20.0 * MONTH_H), 3, ("l",))
    unmatched = current_parts(unrated, clusters, rates, None, ["atlas"])
    assert unmatched.known == pytest.approx(8.0 * MONTH_H)
    assert [str(name) for name in unmatched.missing] == ["l", "H100"]


def test_what_is_bound_is_weighted_by_the_dollars_of_the_first_month() -> None:
    """k: 4 GPUs at $2 for 730 h more, one month; l: 1 GPU at $2 for three; by use: none. (4 x 1 + 1 x 3) / 5."""
    end_s = START_S + 10 * H

    def held(name: str, gpus: float, months: int, **more: Any) -> Any:
        facts = {"pricing_category": "COMMITTED", "term_months": 12} | more
        return make_contract(name, gpus, "2", end_s=end_s + months * MONTH_H * H, **facts)

    contracts = [
        held("k", 4, 1),
        held("l", 1, 3),
        held("m", 9, 9, pricing_category="STANDARD", term_months=0),
    ]
    project = make_project(10, [], [], contracts)
    assert lock_in_now_months(project) == pytest.approx(7 / 5)
    assert lock_in_now_months(replace(project, contracts=project.contracts[2:])) is None
    unrated = replace(project.contracts[0], rate_usd_per_gpu_hour=None)
    assert lock_in_now_months(replace(project, contracts=(unrated, project.contracts[1]))) is None


def test_what_goes_into_contracts_and_clusters_is_of_the_hours_asked_for() -> None:
    """Three hours of 4 H100 at $2, of which training uses 3 in the first and inference 1 in the second."""
    works = [make_workload("llm"), make_workload("chat")]
    entries = [(0, 0, 0, 3 * GPU_HOUR), (1, 0, 1, GPU_HOUR)]
    project = make_project(3, works, entries, [make_contract("k", 4, "2")])
    (hours,) = dispatch_window(project, CLASSES)
    inside = np.array([True, True, False])
    amounts = contract_amounts(hours, inside, 2.0)
    assert amounts["paid_per_month"] == [8.0] and amounts["unused_per_month"] == [4.0]
    assert (amounts["allocated_in_window"], amounts["unused_in_window"]) == ([8.0], [8.0])
    inputs = cluster_inputs(hours, inside, 2.0, 0.5, 1.0, 3.0, is_use_known=True, is_demand_known=True)
    counts = [inputs.paid, inputs.used, inputs.non_training_paid, inputs.non_training_used]
    assert counts == [count * GPU_HOUR for count in (8, 4, 4, 1)]
    assert (inputs.training_hours, inputs.non_training_hours, inputs.overflow) == (1, 1, 0)
    assert (inputs.unallocated_in_window, inputs.non_training_unallocated_in_window) == (8.0, 6.0)
    assert (inputs.overflow_in_window, inputs.eligible_overflow_in_window) == (1.0, 3.0)
    unused = cluster_inputs(hours, inside, 2.0, 0.5, 1.0, 3.0, is_use_known=False, is_demand_known=True)
    assert (unused.used, unused.non_training_used, unused.allocated_in_window) == (None, None, None)
    assert (unused.paid_in_window, unused.overflow, unused.overflow_in_window) == (16.0, 0, 1.0)
    unasked = cluster_inputs(hours, inside, 2.0, 0.5, 1.0, 3.0, is_use_known=True, is_demand_known=False)
    assert (unasked.overflow, unasked.overflow_in_window, unasked.eligible_overflow_in_window) == (None,) * 3
    offer = make_offer("o", "5")
    (row,) = contract_inputs(hours, project.window, {"k": offer}, [])
    assert (row.run_s, row.paid, row.used) == (3 * H, 12 * GPU_HOUR, 4 * GPU_HOUR)
    assert (row.on_demand_rate, row.committed_rate) == (5.0, 2.0 if row.contract.is_committed else None)
    (unknown,) = contract_inputs(hours, project.window, {"k": None}, ["k"])
    assert (unknown.used, unknown.on_demand_rate) == (None, None)
    assert replace(row, on_demand=make_offer("z", "0")).on_demand_rate is None


# --- Equal terms


@pytest.mark.parametrize(
    ("rate", "asked", "is_dearer"),
    [
        (2.0, "1.9", True),
        (2.0, "2", False),
        (2.0, "2.1", False),
        (2.0 * (1 + 2e-9), "2", True),
        (2.0 * (1 + 5e-10), "2", False),
        (None, "1", False),
        (2.0, None, False),
    ],
)
def test_a_contract_is_dearer_by_more_than_rounding(
    rate: float | None, asked: str | None, *, is_dearer: bool
) -> None:
    """10 GPU-h at half of its use pay 20, at 0.8 of the offer's 12.5."""
    offer = None if asked is None else make_offer("o", asked)
    terms = EqualTerms(
        gpu_model="H100", gpu_hours=10.0, rate=rate, utilization=0.5, offer=offer, offer_utilization=0.8
    )
    assert terms.is_dearer is is_dearer
    assert terms.paid_usd == (None if rate is None else pytest.approx(20 * rate))
    assert terms.offer_usd == (None if asked is None else pytest.approx(12.5 * float(asked)))


def test_a_level_pays_where_enough_hours_use_it() -> None:
    """4 GPUs in 6 of 10 h and 1 in 2: at half of on demand all 4 are held for 60% of the time, at 0.7 one is."""
    held = np.array([4.0] * 6 + [1.0] * 2)
    committed = make_offer("y", "2", pricing_category="COMMITTED", term_months=12)
    assert _utilization(held, 10, 4.0, make_offer("o", "2")) == 1.0
    assert _utilization(held, 10, 4.0, committed) == pytest.approx(26 / 40)
    assert _utilization(held, 10, 2 / 0.7, committed) == pytest.approx(8 / 10)
    assert _utilization(held, 10, 2 / 0.9, committed) is None
    assert _utilization(held, 10, None, committed) == pytest.approx(26 / 40)


@pytest.mark.parametrize(
    ("days", "hours"), [(None, inf), (365, 8760.0), (31, 744.0), (30, 730.0), (10, 240.0), (59, 1460.0)]
)
def test_a_contract_binds_from_start_to_end_in_whole_months_or_longer(days: int | None, hours: float) -> None:
    end_s = None if days is None else START_S + days * DAY_S
    contract = make_contract("k", 1, "2", start_s=START_S, end_s=end_s)
    if days is not None:
        assert _bound_hours(contract) == hours
    assert _bound_hours(None) == 0.0


@pytest.mark.parametrize(
    ("lead_h", "starts_h", "ends_h", "serves"),
    [
        (0.0, None, None, True),
        (99.0, None, None, True),
        (100.0, None, None, False),
        (0.0, 99, None, True),
        (0.0, 100, None, False),
        (100.0, 5, None, False),
        (0.0, None, 100, True),
        (0.0, None, 99, False),
    ],
)
def test_an_offer_serves_before_the_log_ends_and_goes_on(
    lead_h: float, starts_h: int | None, ends_h: int | None, *, serves: bool
) -> None:
    """Ordered as a log of 100 hours begins."""
    starts_s, ends_s = (None if hour is None else START_S + hour * H for hour in (starts_h, ends_h))
    offer: Any = SimpleNamespace(lead_time_hours=lead_h, starts_s=starts_s, ends_s=ends_s)
    assert _serves_by_now(offer, START_S, Window(START_S, 100)) is serves


@pytest.mark.parametrize(
    ("gpu_hours", "rate", "paid"), [(5.0, 2.0, 10.0), (0.0, None, 0.0), (5.0, None, None), (5.0, 0.0, 0.0)]
)
def test_nothing_costs_nothing_also_at_an_unknown_rate(
    gpu_hours: float, rate: float | None, paid: float | None
) -> None:
    assert Part(("contract", "k"), gpu_hours, rate).paid == paid


# --- Charges, and costs and rates of models


def test_a_model_is_spelled_as_most_of_its_gpu_time_is() -> None:
    row: Any = None
    drafts = [((0, "LLaMA"), row, 5), ((0, "llama"), row, 9), ((0, "Llama"), row, 7), ((1, ""), row, 1)]
    assert _spelling(drafts) == {(0, "llama"): (0, "llama"), (1, ""): (1, "")}
    assert _spelling(drafts[::2]) == {(0, "llama"): (0, "Llama")}
    assert _spelling([((0, "Zed"), row, 0)]) == {(0, "zed"): (0, "Zed")}


def test_a_row_is_of_a_team_where_all_of_it_is() -> None:
    parts = [
        ChargePart(
            key="a",
            cluster="c",
            team=team,
            gpu_hours=1.0,
            direct_in_window=1.0,
            idle_in_window=1.0,
            overflow_in_window=1.0,
        )
        for team in ("ml", "ml", "hr")
    ]
    assert _whose((0, "x"), ChargeBy.MODEL, parts[:2]) == "ml"
    assert _whose((0, "x"), ChargeBy.MODEL, parts) is None
    assert _whose((0, "x"), ChargeBy.TEAM, parts) == "x"
    assert _whose((2, ""), ChargeBy.MODEL, parts) == _whose((2, ""), ChargeBy.TEAM, parts) == ""
    assert parts[0].total_in_window == 3.0
    for name in ("direct_in_window", "idle_in_window", "overflow_in_window"):
        assert replace(parts[0], **{name: None}).total_in_window is None


def test_models_share_a_workload_by_gpu_time_and_are_listed_by_cost() -> None:
    """a: 3 of its 4 GPU-h are llama's, 1 of no model; b: 2 are Llama's. $8 and $5."""
    works = [
        make_workload("a", model_time=(("llama", 3 * GPU_HOUR),), milli_gpu_seconds=4 * GPU_HOUR),
        make_workload("b", model_time=(("Llama", 2 * GPU_HOUR),), milli_gpu_seconds=2 * GPU_HOUR),
        make_workload("c"),
    ]
    project = make_project(1, [], [])
    project = replace(project, workloads=tuple(works))
    rows = model_costs(project, [8.0, 5.0, 1.0])
    assert [(row.model, row.source, row.gpu_hours, row.cost_per_month) for row in rows] == [
        ("llama", "log", 5.0, pytest.approx(11.0)),
        (None, "unknown", 1.0, pytest.approx(2.0)),
    ]
    assert [part.key for part in rows[0].parts] == [works[0].key, works[1].key]
    assert model_costs(project, [None, 5.0, 1.0])[0].cost_per_month is None


def test_costed_hours_of_several_models_run_side_by_side() -> None:
    """a ran on two models in hours 0 to 2, b on one, and between them is one that is not chosen."""
    works = [make_workload(name) for name in ("a", "x", "b")]
    entries = [(0, 0, 0, 10), (0, 0, 2, 30), (0, 1, 0, 5), (0, 1, 1, 20), (1, 0, 0, 99), (2, 0, 1, 40)]
    cube = make_project(3, works, entries).cube
    worth = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    groups = np.array([0, 1, 0, 1])
    (block,) = costed_hours(cube, groups, worth, np.array([True, False, True]))
    assert block.workload.tolist() == [0, 2] and block.starts.tolist() == [0, 4]
    assert block.hour.tolist() == [0, 0, 1, 2, 1]
    assert block.milli_gpu_seconds.tolist() == [10, 5, 20, 30, 40]
    assert block.value.tolist() == [10.0, 20.0, 100.0, 90.0, 200.0]
    (alone,) = costed_hours(cube, groups, worth, np.array([False, False, True]))
    assert (alone.workload.tolist(), alone.value.tolist()) == ([2], [200.0])


def test_models_are_paid_at_their_mean_rate_and_offered_at_their_cheapest() -> None:
    """Ten hours: 4 H100 at $2 and 1 at $4.50, 1 A100 of no rate, 2 of no model at $1; l is over."""
    contracts = [
        make_contract("a", 4, "2"),
        make_contract("b", 1, "4.50", cluster="bora"),
        make_contract("c", 1, None, gpu_model="A100"),
        make_contract("d", 2, "1", gpu_model=None),
        make_contract("l", 9, "9", end_s=START_S),
    ]
    offers = [
        make_offer("o", "5"),
        make_offer("p", "3", pricing_category="COMMITTED", term_months=12),
        make_offer("q", "1", pricing_category="DYNAMIC"),
        make_offer("r", None, gpu_model="B200"),
        make_offer("s", "4"),
    ]
    project = make_project(10, [], [], contracts, offers)
    past: Any = SimpleNamespace(project=project, clusters=dispatch_window(project, []))
    assert paid_models(past) == {
        "H100": {"gpu_hours": 50.0, "rate": pytest.approx((80 + 45) / 50)},
        "A100": {"gpu_hours": 10.0, "rate": None},
        "": {"gpu_hours": 20.0, "rate": pytest.approx(1.0)},
    }
    assert offered_models(past) == {"H100": 3.0}
    held = {contract.contract_id: hours for contract, hours in contracts_of(past, "H100")}
    assert held == {"a": 40.0, "b": 10.0}
    assert [contract.contract_id for contract, _ in contracts_of(past, "")] == ["d"]


def test_gaps_are_of_the_cheapest_of_each_model_that_a_month_has() -> None:
    """May: H100 $4 and A100 $2; June: H100 $3 of b, then B200 is dated for the first time."""
    offers = [
        make_offer("a", "4", as_of="2026-05-02", provider="Ada"),
        make_offer("b", "3", as_of="2026-06-02", provider="Bo"),
        make_offer("c", "2", as_of="2026-05-09", gpu_model="A100", source="list"),
        make_offer("d", "9", as_of="2026-06-09", gpu_model="B200"),
        make_offer("e", "0.1", as_of="2026-05-09", pricing_category="DYNAMIC"),
        make_offer("f", "0.1"),
    ]
    project = make_project(1, [], [], offers=offers)
    gaps = price_gaps(SimpleNamespace(project=project))  # type: ignore[arg-type]
    assert [(gap.month, gap.gpu_model, gap.against, gap.source) for gap in gaps] == [
        ("2026-05", "H100", "A100", "Ada / list"),
        ("2026-06", "H100", "A100", "Bo / list"),
    ]
    assert [(gap.figures["rate"], gap.figures["against_rate"]) for gap in gaps] == [(4.0, 2.0), (3.0, 2.0)]


# --- Parts of a plan


def test_parts_share_what_their_whole_costs_today_by_gpu_time() -> None:
    """The whole costs $2 x 4 in the one hour; a part of 3 of its 4 GPU-h, the other, itself, and planned work."""
    project = make_project(1, [make_workload("w")], [(0, 0, 0, 4 * GPU_HOUR)], [make_contract("k", 4, "2")])
    (whole,) = project.workloads
    answer = audit(project, classified(TRAINING))
    parts = [replace(whole, key=f"w{amount}", milli_gpu_seconds=amount * GPU_HOUR) for amount in (3, 1)]
    planned = replace(whole, key="p", label=INFERENCE)
    unlabelled = replace(whole, key="q")
    given: Any = SimpleNamespace(
        workloads=(*parts, whole, planned, unlabelled), whole=(0, 0, 0, NOT_LOGGED, NOT_LOGGED)
    )
    rows = audit_in_parts(answer, project, given).workloads
    assert [(row.key, row.usd_per_month) for row in rows] == [
        ("w3", pytest.approx(6.0 * MONTH_H)),
        ("w1", pytest.approx(2.0 * MONTH_H)),
        (whole.key, pytest.approx(8.0 * MONTH_H)),
        ("p", 0.0),
        ("q", 0.0),
    ]
    assert [row.classification.pool for row in rows] == [TRAINING, TRAINING, TRAINING, INFERENCE, BURST]
    unknown = replace(answer, workloads=(replace(answer.workloads[0], usd_per_month=None),))
    assert [row.usd_per_month for row in audit_in_parts(unknown, project, given).workloads][:3] == [None] * 3
    still = replace(project, workloads=(replace(whole, milli_gpu_seconds=0),))
    (row,) = audit_in_parts(answer, still, SimpleNamespace(workloads=parts[:1], whole=(0,))).workloads  # type: ignore[arg-type]
    assert row.usd_per_month == pytest.approx(8.0 * MONTH_H)


# --- Commitments in dollars per hour: known answer 57 in the past


def in_dollars(usd: float, off: str, **more: object) -> Contract:
    terms = {"commitment_usd_per_hour": Decimal(str(usd)), "discount_percent": off}
    return make_contract("sp", 1, str(usd), cluster="", gpu_model="$/h any", **(terms | more))


def used_by(gpus: dict[tuple[str, int], float], contracts: list[Contract], offers: list[Offer]) -> Audit:
    """The audit of ten hours. gpus: by cluster and place of the model."""
    work = [make_workload(f"w{at}", cluster) for at, (cluster, _) in enumerate(gpus)]
    entries = [
        (at, m, h, round(n * GPU_HOUR)) for at, ((_, m), n) in enumerate(gpus.items()) for h in range(10)
    ]
    return audit(make_project(10, work, entries, contracts, offers), classified(*[INFERENCE] * len(work)))


def test_dollars_cover_overflow_on_all_clusters_and_the_rest_is_idle() -> None:
    result = used_by({("c1", 0): 12, ("c2", 0): 8}, [in_dollars(100, "H100=40")], [make_offer("od", "6.88")])
    (row,) = result.contracts
    assert row.utilization == pytest.approx(0.8256, abs=1e-6)
    assert (row.inputs.covered_gpu_hours, row.inputs.coverage) == (pytest.approx(200), 1.0)
    assert row.unused_per_month == pytest.approx(17.44 * 730, abs=0.01)
    assert result.spend == pytest.approx(73_000, abs=0.01)
    assert sum(cluster.paid_gpu_hours for cluster in result.clusters) == pytest.approx(1000 / 4.128, abs=0.01)
    assert [cluster.figures["overflow_gpu_hours"] for cluster in result.clusters] == [0, 0]
    assert known_sum(row.usd_per_month for row in result.workloads) == pytest.approx(82.56 * 730, abs=0.01)


def test_dollars_cover_what_contracts_leave_and_the_largest_discount_first() -> None:
    offers = [make_offer("od", "6.88"), make_offer("a", "3.00", gpu_model="A100", provider="AWS"),
              make_offer("b", "2.00", gpu_model="A100", provider="other")]  # fmt: skip
    held = make_contract("k", 5, "2.00", cluster="c1")
    plan = in_dollars(30, "H100=40;*=20", provider="aws")
    result = used_by({("c1", 0): 9, ("c2", 1): 10}, [held, plan], offers)
    row = next(row for row in result.contracts if row.contract_id == "sp")
    left = 10 - (30 - 4 * 6.88 * 0.6) / (3.00 * 0.8)  # A100 at the rate of its own provider
    assert row.utilization == pytest.approx(1, abs=1e-6)
    assert row.inputs.coverage == pytest.approx(1 - left * 3 / (4 * 6.88 + 10 * 3), abs=1e-6)
    assert result.spend == pytest.approx((5 * 2 + 30 + left * 2) * 730, abs=0.01)


def test_what_dollars_cover_is_unknown_without_a_rate_or_a_discount() -> None:
    for off, offers in (("H100=40", []), ("", [make_offer("od", "6.88")])):
        result = used_by({("c1", 0): 12}, [in_dollars(100, off)], offers)
        (row,) = result.contracts
        assert (row.utilization, row.unused_per_month, row.inputs.coverage) == (None, None, None)
        assert result.unused_per_month is None and result.effective_utilization is None
        assert result.clusters[0].figures["paid_in_window"] == pytest.approx(1000)


def test_a_discount_off_the_rate_of_another_provider_is_told() -> None:
    for provider, subjects in (("AWS", ["sp"]), ("Vela", [])):
        offers = [make_offer("od", "6.88", provider="vela")]
        result = used_by({("c1", 0): 12}, [in_dollars(100, "H100=40", provider=provider)], offers)
        assert [str(check.subject) for check in result.checks if check.code == "quote_needed"] == subjects
