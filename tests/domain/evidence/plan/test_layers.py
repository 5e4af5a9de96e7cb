"""Answers about layers that are written here, in the training row of the plan of `tests/domain/worlds.py`."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from gpuplanner.domain.commitment.plan.comparison import ON_DEMAND, SPOT
from gpuplanner.domain.commitment.result import BreakEven, IdleExisting, Layer, PoolPlan, with_figures
from gpuplanner.domain.evidence.plan.layers import ALL, PlanEvidence, row_subject
from gpuplanner.domain.evidence.plan.plan_answers import answer
from gpuplanner.domain.evidence.plan.totals import running_contracts
from gpuplanner.domain.evidence.trace import Amount, Divides, Reached, Trace, figure
from gpuplanner.domain.model.tables import Pool, PricingCategory
from tests.domain import worlds
from tests.domain.commitment.conftest import offer

# At $4 by use: what K1 serves, two offers of twelve months, the second for 73 h of the month, and the rest by use
HELD = Layer(
    existing=True,
    pricing_category=PricingCategory.COMMITTED,
    term_months=None,
    offer_id=None,
    gpus=4.0,
    busy_gpus=4.0,
    rate=2.0,
)
YEAR = Layer(
    existing=False,
    pricing_category=PricingCategory.COMMITTED,
    term_months=12,
    offer_id="y1",
    gpus=4.0,
    busy_gpus=3.0,
    rate=2.5,
)
LATE = Layer(
    existing=False,
    pricing_category=PricingCategory.COMMITTED,
    term_months=12,
    offer_id="y2",
    gpus=10.0,
    busy_gpus=2.0,
    rate=3.0,
    paid_hours=73.0,
)
BY_USE = Layer(
    existing=False,
    pricing_category=PricingCategory.STANDARD,
    term_months=0,
    offer_id="od",
    gpus=8.0,
    busy_gpus=1.5,
    rate=4.0,
)
LAYERS = with_figures((HELD, YEAR, LATE, BY_USE), 4.0)


def training(evidence: PlanEvidence) -> PoolPlan:
    return next(plan for plan in evidence.pools if plan.pool is Pool.TRAINING)


def evidence_with(layers: Sequence[Layer] = LAYERS, **changes: object) -> PlanEvidence:
    """The plan with other layers of training; changes: of its row."""
    evidence = worlds.evidence_of_plan(worlds.plan())
    assert evidence.advice is not None
    pools = tuple(
        replace(plan, layers=tuple(layers), **changes) if plan.pool is Pool.TRAINING else plan  # type: ignore[arg-type]
        for plan in evidence.pools
    )
    return replace(evidence, advice=replace(evidence.advice, pools=pools))


def ask(kind: str, part: str, evidence: PlanEvidence | None = None, scope: str = "") -> Trace:
    of = evidence_with() if evidence is None else evidence
    return answer(of, figure(kind, row_subject(training(of), part), scope))


def test_a_row_is_found_by_its_pool_and_its_gpu_model() -> None:
    """4 x 730 x $2; 4 x 730 x $2.50; 10 x 73 x $3; 1.5 x 730 x $4."""
    trace = ask("layer_usd", ALL)
    assert trace.value == pytest.approx(5840 + 7300 + 2190 + 4380)
    assert [row.values[2] for row in trace.rows] == pytest.approx([5840.0, 7300.0, 2190.0, 4380.0])
    nobodys = evidence_with(gpu_model=None)
    assert answer(nobodys, figure("layer_usd", f"training\t\t{ALL}")).value == pytest.approx(19_710.0)
    with pytest.raises(StopIteration):
        answer(evidence_with(), figure("layer_usd", f"training\tA100\t{ALL}"))


def test_gpus_of_a_row_are_those_bought_and_the_mean_by_use() -> None:
    assert ask("layer_gpus", ALL).value == 19.5
    assert ask("layer_gpus", "12").value == 14.0


def test_paid_gpu_hours_count_the_hours_that_are_paid() -> None:
    trace = ask("layer_paid", ALL)
    assert trace.value == pytest.approx(2920 + 2920 + 730 + 1095)
    assert [row.values for row in trace.rows] == [
        (4.0, 730.0, 2920.0),
        (4.0, 730.0, 2920.0),
        (10.0, 73.0, 730.0),
        (1.5, 730.0, 1095.0),
    ]


@pytest.mark.parametrize(
    # paid: 4 + 4 + 1 + 1.5 = 10.5 GPUs on average
    ("mean_gpus", "share"),
    [(4.2, 0.4), (10.5, 1.0), (21.0, 1.0)],
)
def test_a_row_is_used_by_its_demand_but_no_more_than_all_of_it(mean_gpus: float, share: float) -> None:
    demand = replace(training(evidence_with()).demand, mean_gpus=mean_gpus)
    trace = ask("layer_used", ALL, evidence_with(demand=demand))
    assert trace.value == pytest.approx(share)
    # where some GPUs are paid for days, no row adds up to them
    assert [row.opens for row in trace.rows] == ["", ""]


def test_a_row_that_is_paid_all_the_month_leads_to_its_gpus() -> None:
    evidence = evidence_with(with_figures((HELD, YEAR), 4.0))
    opened = [row.opens for row in ask("layer_used", ALL, evidence).rows]
    assert opened == ["", figure("layer_gpus", row_subject(training(evidence), ALL))]


def test_layers_of_one_term_are_used_by_the_hours_that_are_paid() -> None:
    """3 x 730 + 2 x 73 hours of 4 x 730 + 10 x 73; a layer without any is not listed."""
    empty = with_figures((replace(YEAR, gpus=0.0, busy_gpus=0.0),), 4.0)
    trace = ask("layer_used", "12", evidence_with((*LAYERS, *empty)))
    assert trace.value == pytest.approx(2336 / 3650)
    assert [row.values for row in trace.rows] == [(2190.0, 2920.0, 0.75), (146.0, 730.0, 0.2)]
    assert [part.value for part in trace.symbols if isinstance(part, Amount)] == pytest.approx(
        [2336.0, 3650.0, 0.64]
    )
    assert trace.arrival == Divides(0, 1)


def test_two_layers_are_listed_and_one_is_worked_out_from_its_gpus() -> None:
    both, single = ask("layer_used", "12"), ask("layer_used", "12", evidence_with((LAYERS[1],)))
    assert (both.value, both.arrival) == (pytest.approx(0.64), Divides(0, 1))
    assert (single.value, single.arrival) == (0.75, Reached())
    assert [row.values for row in single.rows] == [(Amount(3.0, "gpus"),), (Amount(4.0, "gpus"),)]


def test_one_layer_is_used_by_its_own_gpus() -> None:
    assert ask("layer_used", "existing").value == 1.0
    assert ask("layer_used", "use-STANDARD").value == pytest.approx(1.5 / 8)


def test_several_layers_have_a_mean_rate_and_one_its_own() -> None:
    assert ask("layer_rate", ALL).value == pytest.approx(19_710 / 7665)
    assert ask("layer_rate", "12").value == pytest.approx((7300 + 2190) / 3650)
    trace = ask("layer_rate", "existing")
    assert (trace.value, trace.rows[0].opens) == (2.0, "")
    single = ask("layer_rate", "12", evidence_with((LAYERS[1],)))
    assert (single.value, single.rows[0].opens) == (2.5, figure("offer_rate", "y1"))
    unused = with_figures((YEAR, replace(LATE, gpus=0.0, busy_gpus=0.0)), 4.0)
    assert ask("layer_rate", "12", evidence_with(unused)).value == 2.5


@pytest.mark.parametrize(
    ("spot_share", "offer_id", "opens", "has_note"),
    [(0.0, "od", True, False), (0.1, "od", False, True), (0.0, "gone", False, False)],
)
def test_a_rate_leads_to_an_offer_that_is_there_and_whose_rate_it_is(
    spot_share: float, offer_id: str, opens: bool, has_note: bool
) -> None:
    layers = with_figures((replace(BY_USE, spot_share=spot_share, offer_id=offer_id),), 4.0)
    trace = ask("layer_rate", "use-STANDARD", evidence_with(layers))
    assert trace.value == 4.0
    assert trace.rows[0].opens == (figure("offer_rate", offer_id) if opens else "")
    assert bool(trace.note) is has_note
    assert offer_id in str(trace.rows[0].name)


def test_a_term_without_a_layer_has_the_rate_of_its_offer() -> None:
    terms = (
        BreakEven(term_months=3, offer_id="q3", rate=3.5, spread_rate=3.5, by_use_rate=4.0, kept=1.0),
        BreakEven(term_months=12, offer_id="y1", rate=2.5, spread_rate=2.5, by_use_rate=4.0, kept=1.0),
    )
    sold = worlds.evidence_of_plan(worlds.plan()).pools[2].supply
    supply = replace(sold, offers=(offer("q3", 3, 3.5), offer("y1", 12, 2.25)))
    evidence = evidence_with((LAYERS[0],), break_even=terms, supply=supply)
    for part, rate, offer_id in (("12", 2.25, "y1"), ("3", 3.5, "q3")):
        trace = ask("layer_rate", part, evidence)
        assert trace.value == rate and offer_id in str(trace.rows[0].name)
        assert trace.rows[0].opens == ""  # of a row without layers it is no layer's rate
    unsold = ask("layer_rate", "24", evidence)
    assert unsold.value is None and unsold.rows[0].opens == ""
    # the rate of a layer goes before that of its offer
    own = ask("layer_rate", "12", evidence_with((LAYERS[1],), break_even=terms, supply=supply))
    assert own.value == 2.5
    unknown = with_figures((replace(YEAR, rate=None),), 4.0)
    assert ask("layer_rate", "12", evidence_with(unknown, supply=supply)).value == 2.25


def test_a_part_without_layers_costs_nothing_and_one_without_a_rate_is_unknown() -> None:
    assert ask("layer_usd", "36").value == 0.0
    unknown = with_figures((YEAR, replace(LATE, rate=None)), 4.0)
    assert ask("layer_usd", "12", evidence_with(unknown)).value is None
    assert ask("layer_usd", "12").value == pytest.approx(9490.0)


@pytest.mark.parametrize(
    # 4 x 730 h at $4 less $5,840; 3 x 730 h and 2 x 73 h at $4 less what the two of them cost
    ("scope", "values"),
    [
        ("on_demand", [11_680.0, 8760.0, 584.0, 4380.0]),
        ("layer", [5840.0, 7300.0, 2190.0, 4380.0]),
        ("value", [5840.0, 1460.0, -1606.0, 0.0]),
    ],
)
def test_the_value_of_layers_is_their_use_on_demand_less_their_cost(scope: str, values: list[float]) -> None:
    assert ask("value", ALL, scope=scope).value == pytest.approx(sum(values))
    each = [ask("value", str(at), scope=scope).value for at in range(4)]
    assert each == pytest.approx(values)
    column = ["on_demand", "layer", "value"].index(scope)
    assert [row.values[column] for row in ask("value", ALL, scope=scope).rows] == pytest.approx(values)


def test_what_nobody_serves_is_a_mean_over_a_month() -> None:
    assert ask("layer_unserved", ALL, evidence_with(unserved_gpu_hours=1460.0)).value == 2.0


def test_what_leads_to_a_plan_is_known_of_all_but_the_first() -> None:
    evidence = worlds.compared()
    (steps,) = evidence.ways
    three = replace(evidence, ways=((), steps[:1], steps))
    assert [len(three.way(scope)) for scope in ("1", "2", "3")] == [0, 1, 2]
    for other in ("0", "4"):
        with pytest.raises(KeyError):
            three.way(other)


# --- GPUs that stand idle, and lines of a plan's cost


def with_idle(*idle: IdleExisting, layers: Sequence[Layer] = LAYERS) -> PlanEvidence:
    evidence = evidence_with(layers)
    assert evidence.advice is not None
    return replace(evidence, advice=replace(evidence.advice, idle_existing=idle))


IDLE = (
    IdleExisting(gpu_model="H100", gpus=8.0, rate=2.0, cost_per_month=11_680.0),
    IdleExisting(gpu_model=None, gpus=1.0, rate=None, cost_per_month=None),
)


def test_idle_gpus_are_those_under_contract_less_what_serves_the_plan() -> None:
    """K1 and K2 have 12 H100: 4 serve training and 3 inference."""
    trace = answer(with_idle(*IDLE), "idle_gpus::H100")
    assert trace.value == 8.0
    assert [row.values for row in trace.rows][:2] == [(4.0,), (8.0,)]
    assert trace.rows[-1].values == (pytest.approx(-7.0),)
    unknown = answer(with_idle(*IDLE), "idle_gpus::")
    assert unknown.value == 1.0 and [row.values for row in unknown.rows] == [(0,)]
    assert answer(with_idle(*IDLE), "idle_usd::H100").value == pytest.approx(11_680.0)
    assert answer(with_idle(*IDLE), "idle_usd::").value is None


def test_a_contract_that_ends_in_the_first_month_is_held_in_it() -> None:
    evidence = with_idle(*IDLE)
    assert evidence.advice is not None
    contracts = tuple(
        replace(held, end_s=worlds.PLAN_S + 3600) if held.contract_id == "K2" else held
        for held in evidence.advice.contracts
    )
    ending = replace(evidence, advice=replace(evidence.advice, contracts=contracts))
    assert [row.opens for row in answer(ending, "idle_gpus::H100").rows][:2] == [
        figure("contract_count", name) for name in ("K1", "K2")
    ]
    # an hour of it: 8 x $1.50
    listed = [row for row in answer(ending, "plan_lock_in::").rows if row.name == "K2"]
    assert [row.values[0] for row in listed] == [12.0]


def test_unused_of_new_commitments_is_what_their_demand_leaves() -> None:
    """A quarter of $7,300, four fifths of $2,190; contracts and use are not in it."""
    trace = answer(with_idle(IDLE[0]), "plan_unused::")
    assert [row.values for row in trace.rows] == [
        pytest.approx((7300.0, 0.75, 1825.0)),
        pytest.approx((2190.0, 0.2, 1752.0)),
        (11_680.0, 0.0, 11_680.0),
    ]


def test_the_longest_new_term_is_that_of_a_layer_with_gpus() -> None:
    layers = (*LAYERS, replace(YEAR, term_months=36, gpus=0.0), replace(YEAR, term_months=24))
    trace = answer(with_idle(layers=layers), "plan_longest::")
    assert trace.value == 24 and trace.rows[0].opens.endswith("\t24")
    none = answer(with_idle(layers=(LAYERS[0], LAYERS[3])), "plan_longest::")
    assert none.value == 0 and none.rows[0].opens == ""


@pytest.mark.parametrize(
    ("pool", "kind", "value", "rows"),
    [
        ("", "idle", 11_680.0, 1),
        ("training", "existing", 5840.0, 1),
        ("training", "nowhere", 0, 0),
        ("inference", "existing", 3650.0, 1),
    ],
)
def test_a_line_of_a_plan_adds_what_is_paid_so_in_a_pool(
    pool: str, kind: str, value: float, rows: int
) -> None:
    trace = answer(with_idle(IDLE[0]), figure("cost_line", f"{pool}\t{kind}"))
    assert trace.value == pytest.approx(value) and len(trace.rows) == rows
    assert bool(trace.note) is (not rows)
    for row in trace.rows:
        usd, share, line = row.values
        assert isinstance(usd, float) and isinstance(share, float) and line == usd * share


def test_spot_is_a_part_of_a_line_by_its_share() -> None:
    """A tenth of $4,380 by use is on spot."""
    mixed = replace(BY_USE, pricing_category=PricingCategory.MIXED, spot_share=0.1)
    evidence = with_idle(layers=with_figures((mixed,), 4.0))
    for kind, usd in ((SPOT, 438.0), (ON_DEMAND, 3942.0)):
        assert answer(evidence, figure("cost_line", f"training\t{kind}")).value == pytest.approx(usd)


def test_a_line_is_unknown_where_a_layer_has_no_rate() -> None:
    layers = with_figures((replace(HELD, rate=None),), 4.0)
    trace = answer(with_idle(layers=layers), figure("cost_line", "training\texisting"))
    assert trace.value is None and len(trace.rows) == 1


def test_doing_nothing_keeps_contracts_that_a_plan_may_end() -> None:
    evidence = worlds.evidence_of_plan(worlds.plan())
    assert evidence.advice is not None
    held = evidence.project.contracts
    of = replace(evidence, advice=replace(evidence.advice, contracts=held[:1], in_force=held))
    ids = {
        every: [row.contract_id for row in running_contracts(of, 0, all_of_them=every)]
        for every in (False, True)
    }
    assert ids == {False: ["K1"], True: ["K1", "K2", "K3"]}
    # K2 runs for two months more, K1 for six
    assert [len(running_contracts(of, month, all_of_them=True)) for month in (1, 2, 5, 6)] == [3, 2, 2, 1]


def test_money_by_use_binds_for_no_month() -> None:
    trace = answer(with_idle(), "plan_lock_in::")
    new = [row.values for row in trace.rows if "\t12" in row.opens]
    assert [values[:2] for values in new] == [(7300.0, 12.0), (2190.0, 12.0)]
    assert trace.rows[-1].values == (4380.0, 0.0, 0.0)
