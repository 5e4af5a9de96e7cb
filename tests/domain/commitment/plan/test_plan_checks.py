from dataclasses import replace

import pytest

from gpuplanner.domain.audit.result import WorkloadToday
from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.demand.classification import Classification
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.window import MONTH_S

HOURS = 800
PLAN = Scenario(name="Plan A")


@pytest.fixture
def checked(make_case, make_audit):  # type: ignore[no-untyped-def]
    def of(loads, contracts=(), offers=(), **values):  # type: ignore[no-untyped-def]
        made = make_case(loads, contracts, offers, **values)
        advice = advise(made.project, PLAN, made.pools, make_audit())
        return {(check.code, check.severity, str(check.subject)) for check in advice.checks}

    return of


def test_a_plain_plan_gives_rise_to_no_check(checked, make_load, make_offer) -> None:  # type: ignore[no-untyped-def]
    assert (
        checked(
            [make_load(Pool.TRAINING, [4.0] * HOURS)],
            offers=[make_offer("od", 0, 6.0), make_offer("c", 6, 3.0)],
        )
        == set()
    )


def test_an_ended_contract_is_neither_paid_nor_judged(
    make_case, make_load, make_offer, make_contract, make_audit
) -> None:  # type: ignore[no-untyped-def]
    made = make_case(
        [make_load(Pool.TRAINING, [4.0] * HOURS)],
        [make_contract("k", 4, 3.0, -0.1, HOURS)],
        [make_offer("od", 0, 6.0)],
    )
    advice = advise(made.project, PLAN, made.pools, make_audit())
    assert advice.verdicts == ()
    assert advice.totals.plan == pytest.approx(4 * 6.0 * 730)


def test_hardware_that_fits_at_a_cost_and_hardware_that_does_not(checked, make_load, make_offer) -> None:  # type: ignore[no-untyped-def]
    loads = [make_load(Pool.TRAINING, [4.0] * HOURS, nodes=4)]
    slow = make_offer("od", 0, 6.0, interconnect="roce_400")
    assert checked(loads, offers=[slow]) == {("hardware_amber", "amber", "training H100")}
    assert checked(loads, offers=[make_offer("od", 0, 6.0, interconnect="ethernet")]) == {
        ("hardware_red", "red", "training H100")
    }


def test_a_pinned_contract_on_hardware_that_does_not_fit(
    checked, make_load, make_offer, make_contract
) -> None:  # type: ignore[no-untyped-def]
    loads = [make_load(Pool.TRAINING, [4.0] * HOURS, nodes=4)]
    pinned = make_contract("k", 4, 3.0, 30, HOURS, pool=Pool.TRAINING, interconnect="ethernet")
    assert checked(loads, [pinned], [make_offer("od", 0, 6.0)]) == {("hardware_red", "red", "k")}


def test_spot_that_would_lose_all_work(checked, make_load, make_offer) -> None:  # type: ignore[no-untyped-def]
    offers = [make_offer("od", 0, 6.0), make_offer("spot", 0, 1.0, pricing_category=PricingCategory.DYNAMIC)]
    loads = [make_load(Pool.BURST, [4.0] * HOURS, nodes=nodes) for nodes in (1, 16)]
    assert checked(loads, offers=offers) == {("spot_infeasible", "amber", "burst H100")}
    assert checked(loads[:1], offers=offers) == set()


def test_offers_that_are_not_considered_of_models_that_are_planned(checked, make_load, make_offer) -> None:  # type: ignore[no-untyped-def]
    offers = [
        make_offer("od", 0, 6.0),
        make_offer("ask", 12, None),
        make_offer("waits", 12, 1.0, source="Noted in vela.csv; plus VAT"),
        make_offer("other", 12, None, gpu_model="B200"),
    ]
    assert checked([make_load(Pool.TRAINING, [4.0] * HOURS)], offers=offers) == {
        ("quote_needed", "info", "ask"),
        ("quote_needed", "info", "waits"),
    }


@pytest.mark.parametrize(("renews", "code"), [(None, "renewal_unknown"), (6, "order_by_passed"), (0, None)])
def test_a_notice_that_can_no_longer_be_given(
    checked, make_load, make_offer, make_contract, renews: int | None, code: str | None
) -> None:  # type: ignore[no-untyped-def]
    """What is known to renew costs that; of what a notice alone is known of it is asked; what ends by itself ends."""
    days = round(2 * MONTH_S / 86_400)
    contract = make_contract("k", 4, 3.0, 1.2, HOURS, notice_days=days, renews_months=renews)
    found = checked(
        [make_load(Pool.TRAINING, [4.0] * HOURS)],
        [contract],
        [make_offer("od", 0, 6.0), make_offer("c", 6, 3.0)],
    )
    assert found == ({(code, "amber", "k")} if code else set())


@pytest.mark.parametrize(("kind", "is_said"), [(Pool.INFERENCE, True), (Pool.BURST, False)])
def test_inference_that_was_moved_to_where_spot_is_used_is_priced_on_demand_and_red(
    make_case, make_load, make_offer, make_audit, kind, is_said
) -> None:  # type: ignore[no-untyped-def]
    offers = [make_offer("od", 0, 6.0), make_offer("spot", 0, 1.0, pricing_category=PricingCategory.DYNAMIC)]
    made = make_case([make_load(Pool.BURST, [4.0] * HOURS)], (), offers)
    found = Classification(
        pool=kind, subtype="endpoint", confidence=0.9, reasons=(), runner_up=None, source="rule"
    )
    keys = [workload.key for workload in made.project.workloads]
    audit = replace(
        make_audit(), workloads=tuple(WorkloadToday(key, found, Pool.BURST, None) for key in keys)
    )
    advice = advise(made.project, PLAN, made.pools, audit)
    said = {(check.code, check.severity, str(check.subject)) for check in advice.checks}
    assert (("inference_on_spot", "red", keys[0]) in said) is is_said
    (layer,) = advice.pools[0].layers
    assert layer.spot_share == (0 if is_said else 1)
    assert layer.rate == pytest.approx(6.0) or not is_said


def test_a_plan_without_existing_contracts_says_so(
    make_case, make_load, make_offer, make_contract, make_audit
) -> None:  # type: ignore[no-untyped-def]
    held = [make_contract("k", 4, 3.0, 20, HOURS), make_contract("over", 4, 3.0, -0.1, HOURS)]
    made = make_case([make_load(Pool.TRAINING, [4.0] * HOURS)], held, [make_offer("od", 0, 6.0)])
    for greenfield in (True, False):
        advice = advise(made.project, replace(PLAN, greenfield=greenfield), made.pools, make_audit())
        said = [str(one.message) for one in advice.checks if one.code == "contracts_left_out"]
        assert len(said) == greenfield and all("1 commitment" in one for one in said)
        assert all("$8,760" in one for one in said)
