"""The simulator gives the known answers of the dated list (16 to 31), and keeps its laws on random worlds."""

from itertools import pairwise

import pytest

from tests.oracle.new_worlds import new_world
from tests.oracle.orders import rate_of
from tests.oracle.projects import Case
from tests.oracle.serving import HOUR_S
from tests.oracle.simulator import Simulator, simulate
from tests.oracle.stated import Planned
from tests.some_of import some_of

LADDER = {1: 3.50, 3: 3.15, 6: 2.95, 12: 2.75, 24: 2.30, 36: 2.00}
DAYS_90 = 2160


def case(gpus, pool="inference", rates=None, model="H100", **assumptions):
    """90 days of flat demand, on demand 6.88; assumptions are the defaults, half-life 7."""
    made = Case(DAYS_90, recency_half_life_days=7.0, **assumptions)
    if gpus:
        made.workload("c1", "load", pool, gpus, model)
    made.offer("od", 0, 6.88, model)
    for term, rate in (rates or {}).items():
        made.offer(f"c{term:02d}", term, rate, model)
    return made


def plan_of(made):
    return simulate(made.project, made.plan, made.pools, made.classes, made.beyond)


def usd(answer):
    return [month.plan.usd for month in answer.comparison]


def spans(made, answer):
    """(offer, hours from the plan's beginning to start and end, GPUs, reason) of all orders, by start."""
    begin_s = made.project.plan_window.end_s
    return sorted(
        (key[2], (row.start_s - begin_s) / HOUR_S, (row.end_s - begin_s) / HOUR_S, row.gpus, row.reason)
        for key, row in answer.orders.items()
    )


@pytest.mark.long
def test_16_a_contract_that_ends_inside_a_month():
    made = case(32, rates={12: 2.00})
    made.contract("old", "c1", 32, 2.60, ends=696 / 730)
    answer = plan_of(made)
    assert spans(made, answer) == [("c12", 696.0, 9456.0, 32, "contract_end")]
    assert usd(answer)[:3] == pytest.approx([60_083.20, 46_720, 46_720])
    assert answer.gpus_to_sign == {("inference", "H100"): 32}


@pytest.mark.long
def test_18_a_build_to_order_contract():
    made = case(48, model="B200")
    made.change_offer("od", rate_usd_per_gpu_hour=7.90)
    made.offer("m1", 1, 6.00, "B200", lead_time_hours=48)
    made.offer("m36", 36, 3.40, "B200", lead_time_hours=8736)
    answer = plan_of(made)
    (built,) = [row for row in spans(made, answer) if row[0] == "m36"]
    assert (built[3], built[4]) == (41, "lead_time")
    assert built[1] - 8736 < 100
    assert answer.liability_now > 3.4e6
    assert {row[4] for row in spans(made, answer) if row[0] == "m1" and row[3] == 41} == {"bridge"}


def run(gpus, **fields):
    return Planned(key="c1/team/run", pool="training", model="H100", gpus=gpus, cluster="c1", **fields)


@pytest.mark.parametrize(("most", "dollars"), [(None, 1_445_068.80), (256, 1_866_250.24)])
def test_19_a_block_of_the_hours_of_a_run(most, dollars):
    made = case(0, rates={1: 3.50}, delta=0.0)
    made.workload("c2", "other", "burst", 1, "A100")
    made.offer("od-A100", 0, 1.0, "A100")
    begin_s = made.end_s
    dates = {"starts_s": begin_s, "ends_s": begin_s + 1008 * HOUR_S, "term_days": 42}
    made.offer("block", 2, 2.80, max_gpus=most, **dates)
    made.stated.planned.append(run(512, length_hours=1008))
    assert sum(usd(plan_of(made))) - 8760 == pytest.approx(dollars)


def test_19_a_run_that_comes_back():
    made = case(0, delta=0.0)
    made.workload("c2", "other", "burst", 1, "A100")
    made.offer("od-A100", 0, 1.0, "A100")
    made.offer("d2", 1, 4.50, term_days=2)
    made.stated.planned.append(
        run(64, length_hours=40, every_hours=168, ends_s=made.end_s + 52 * 168 * HOUR_S)
    )
    answer = plan_of(made)
    assert len(answer.orders) == 52
    assert answer.liability == pytest.approx(718_848)


@pytest.mark.long
def test_20_terms_of_days_renew():
    made = case(64, delta=0.0)
    made.offer("d7", 1, 4.00, term_days=7)
    assert usd(plan_of(made)) == pytest.approx([186_880.0] * 12)


@pytest.mark.long
def test_21_minimums():
    made = case(32, rates={1: 3.50})
    made.offer("m12", 12, 2.50, min_gpus=16)
    made.offer("m36", 36, 1.50, min_gpus=64)
    answer = plan_of(made)
    assert {row[0]: row[3] for row in spans(made, answer) if row[1] == 0} == {"m12": 30, "c01": 2}
    assert answer.liability_now == pytest.approx(662_110)


@pytest.mark.long
def test_22_what_stopped_five_days_ago():
    gpus = [32.0] * (DAYS_90 - 120) + [0.0] * 119 + [1.0]
    answer = plan_of(case(gpus, rates=LADDER))
    assert (answer.liability_now, answer.liability) == (pytest.approx(52_560), pytest.approx(52_560))


@pytest.mark.long
def test_24_what_follows_a_long_contract():
    made = case(32, rates=LADDER)
    made.contract("long", "c1", 40, 2.60, ends=13_000 / 730)
    answer = plan_of(made)
    begin_s = made.project.plan_window.end_s
    starts = [piece.orders[0].start_s for piece in answer.groups[0].slices if piece.orders]
    assert [(at - begin_s) / HOUR_S for at in starts] == [13_000.0] * 32


@pytest.mark.long
def test_25_a_notice_that_has_passed():
    made = case(32, rates=LADDER)
    made.contract("held", "c1", 32, 2.60, ends=1440 / 730, notice_days=90, term_months=12, renews_months=12)
    answer = plan_of(made)
    assert usd(answer) == pytest.approx([60_736.0] * 12)
    assert not [row for row in spans(made, answer) if row[1] < 8760]


@pytest.mark.long
def test_27_limits():
    made = case(64)
    made.change_offer("od", max_gpus=16)
    made.offer("c01", 1, 3.50, max_gpus=8)
    month = plan_of(made).comparison[0].plan
    assert sum(month.unserved.values()) == pytest.approx(29_200)


@pytest.mark.parametrize(
    ("hours", "ends", "dollars"), [(1400, [1130], 7_164.60), (1560, [1130, 1860], 7_862.00)]
)
def test_31_an_order_that_costs_more_than_its_use(hours, ends, dollars):
    made = case(0, delta=0.0)
    key = made.workload("c1", "load", "inference", 1)
    made.offer("c01", 1, 3.50, lead_time_hours=400)
    made.stated.dates[key] = (None, made.end_s + hours * HOUR_S)
    answer = plan_of(made)
    assert [row[2] for row in spans(made, answer)] == ends
    assert sum(usd(answer)) == pytest.approx(dollars)


def test_31_of_two_with_one_lead_the_longer():
    made = case(1, "inference", delta=0.0)
    made.offer("c01", 1, 3.50, lead_time_hours=700)
    made.offer("c12", 12, 3.20, lead_time_hours=700)
    assert spans(made, plan_of(made))[0][:2] == ("c12", 700.0)


@pytest.mark.parametrize("seed", some_of(range(300, 360), quick=8))
def test_orders_of_a_slice_never_overlap_nor_start_before_their_lead(seed):
    made = new_world(seed)
    sim = Simulator(made.project, made.plan, made.pools, made.classes, beyond=made.beyond)
    groups, runs = sim.solved()
    chains = [piece.orders for group in groups for piece in group.slices]
    for chain in chains + [strip.orders for one in runs for strip in one.strips]:
        assert all(one.end_s <= other.start_s for one, other in pairwise(chain))
        assert all(one.start_s - one.offer.lead_s >= sim.plan_from_s for one in chain)


@pytest.mark.parametrize("seed", some_of(range(360, 400), quick=4))
def test_months_are_the_list_hour_by_hour(seed):
    made = new_world(seed)
    sim = Simulator(made.project, made.plan, made.pools, made.classes, beyond=made.beyond)
    answer = sim.plan()
    chains = [piece.orders for group in answer.groups for piece in group.slices]
    chains += [strip.orders for one in answer.runs for strip in one.strips]
    for t in (0, 7):
        hours = [sim.plan_from_s + (730 * t + h) * HOUR_S for h in range(730)]
        paid = sum(
            order.gpus * rate_of(order) * sum(order.start_s <= at < order.end_s for at in hours)
            for chain in chains
            for order in chain
        )
        assert answer.comparison[t].plan.orders == pytest.approx(paid)


@pytest.mark.parametrize("seed", some_of(range(400, 440), quick=4))
def test_with_nothing_to_sign_the_plan_does_nothing(seed):
    """But for spot, rows on demand, and what only runs may take. Within the horizon: slices reach up to its peak."""
    made = new_world(seed, {"recency", "growth", "lone", "begins_ends", "changes", "prices", "plan_from"})
    made.offers = [one for one in made.offers if one.offer_id.startswith("od-")]
    made.contracts = [one for one in made.contracts if one.is_committed]
    made.under(greenfield=False)
    for month in plan_of(made).comparison[: made.assumptions.horizon_months]:
        assert month.plan.usd == pytest.approx(month.do_nothing)
