"""Checks of a plan: each by itself, from what is so to what is just not, by hand."""

import re
from dataclasses import replace
from math import inf
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.audit.result import Check
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.plan import plan_checks
from gpuplanner.domain.commitment.plan.ground import Ground, ground_of
from gpuplanner.domain.commitment.plan.plan_checks import row_name
from gpuplanner.domain.commitment.plan.row_plans import plan_of
from gpuplanner.domain.commitment.plan.shares import share_rooms
from gpuplanner.domain.commitment.recursion.calendar import Fall
from gpuplanner.domain.commitment.result import Order
from gpuplanner.domain.demand.classification import Classification
from gpuplanner.domain.model.book.only import Only
from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.plan.scenario import HandLayer, Scenario
from gpuplanner.domain.model.plan.spells import Spell
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.window import DAY_S, HOUR_S, MONTH_S, iso_day
from tests.domain.commitment.conftest import START_S, Case, Load, case, contract, offer

HOURS = 400
BEGIN_S = START_S + HOURS * HOUR_S
A = Scenario(name="A")
DYNAMIC = PricingCategory.DYNAMIC
OD = offer("od", 0, 6.0)


def figures(words: object) -> list[str]:
    return re.findall(r"\$?\d(?:[\d,.]*\d)?%?", str(words).replace("H100", "").replace("A100", ""))


def made_of(
    loads: Any = None, contracts: Any = (), offers: Any = (OD,), scenario: Scenario = A, **values: Any
) -> Case:
    wanted = loads or [Load(pool=Pool.TRAINING, gpus=[4.0] * HOURS)]
    return case(wanted, contracts, offers, scenario, **({"sigma": 0.0, "horizon_months": 12} | values))


def ground(*args: Any, classes: Any = (), **values: Any) -> Ground:
    made = made_of(*args, **values)
    return ground_of(made.project, made.project.scenarios[0], made.pools, AdviceCache(), classes)


def told(found: Any) -> list[tuple[str, str, str, list[str]]]:
    return [(check.code, check.severity, str(check.subject), figures(check.message)) for check in found]


def kind(pool: Pool) -> Classification:
    return Classification(
        pool=pool, subtype="endpoint", confidence=0.9, reasons=(), runner_up=None, source="rule"
    )


# --- The log


@pytest.mark.parametrize(
    ("hours", "codes"),
    [(168, {"no_long_terms", "advice_on_short_log"}), (169, {"advice_on_short_log"}), (24 * 60, set())],
)
def test_short_logs(hours: int, codes: set[str]) -> None:
    short = ground([Load(pool=Pool.TRAINING, gpus=[4.0] * hours)])
    assert {check.code for check in plan_checks.check_short_log(short)} >= codes
    if not codes:
        assert not list(plan_checks.check_short_log(short))


def test_demand_of_unknown_models_is_told_in_gpu_hours() -> None:
    """4 GPUs for 400 h on a cluster with contracts of H100, and 2 where there are none."""
    loads = [
        Load(pool=Pool.TRAINING, gpus=[4.0] * HOURS, model=None),
        Load(pool=Pool.TRAINING, gpus=[2.0] * HOURS, model=None, cluster="c2"),
    ]
    found = told(plan_checks.check_unknown_models(ground(loads, [contract("k", 1, 1.0, None, HOURS)])))
    assert found == [
        ("unknown_model_planned", "info", "unknown model", ["800.0"]),
        ("unknown_model_planned", "info", "H100", ["1,600.0"]),
    ]


def test_days_without_jobs_are_told_until_they_are_said_to_be_missing() -> None:
    """Two gaps of 3 and 4 days: 168 hours, the longest of them named."""
    gpus = [4.0] * 48 + [0.0] * 72 + [4.0] * 48 + [0.0] * 96 + [4.0] * 136
    (check,) = plan_checks.check_log_gaps(ground([Load(pool=Pool.TRAINING, gpus=gpus)]))
    assert (check.code, check.severity) == ("log_gap", "amber")
    assert figures(check.message)[:2] == ["2", "168"]
    assert iso_day(START_S + 168 * HOUR_S) in str(check.message)
    one = ground([Load(pool=Pool.TRAINING, gpus=[4.0] * 48 + [0.0] * 96 + [4.0] * 256)])
    assert "96" in figures(next(iter(plan_checks.check_log_gaps(one))).message)
    missing = ground([Load(pool=Pool.TRAINING, gpus=gpus)], scenario=replace(A, is_gap_missing=True))
    assert not list(plan_checks.check_log_gaps(missing)) and not list(plan_checks.check_log_gaps(ground()))


def test_a_plan_that_begins_after_its_log_counts_days_by_the_calendar() -> None:
    """The log ends at 16:00; two hours later is no day later, ten are one."""

    def later(hours: int, contracts: Any = ()) -> list[Any]:
        made = made_of(contracts=contracts)
        project = replace(made.project, plan_from_s=BEGIN_S + hours * HOUR_S)
        return told(plan_checks.check_start(ground_of(project, A, made.pools, AdviceCache())))

    assert later(0) == []
    assert [row[3][-1] for row in (later(2)[0], later(10)[0], later(58)[0])] == ["0", "1", "3"]
    ends = [
        contract(name, 1, 1.0, at / 730, HOURS)
        for name, at in (("before", -1), ("in", 5), ("on", 10), ("after", 11))
    ]
    assert [(code, subject) for code, _, subject, _ in later(10, ends)[1:]] == [
        ("contract_ended_before_plan", "in"),
        ("contract_ended_before_plan", "on"),
    ]


# --- Offers


def test_offers_that_wait_or_lack_a_rate_are_told_for_models_that_are_planned() -> None:
    offers = [
        OD,
        offer("ask", 12, None),
        offer("own", 0, None, pricing_category=PricingCategory.OWNED),
        offer("foreign", 12, 2.0, currency="SEK", exchange=None),
        offer("remark", 12, 2.0, source="Noted in vela.csv; plus VAT"),
        offer("other", 12, None, gpu_model="B200"),
    ]
    made = made_of(offers=offers)
    of = ground_of(made.project, A, made.pools, AdviceCache())
    reached: Any = SimpleNamespace(reached=(offer("few", 12, 1.0, max_gpus=7),))
    found = list(plan_checks.check_offers(of, reached))
    assert [(check.code, str(check.subject)) for check in found] == [
        ("quote_needed", "ask"),
        ("quote_needed", "foreign"),
        ("quote_needed", "own"),
        ("quote_needed", "remark"),
        ("max_gpus_reached", "few"),
    ]
    assert len({str(check.message) for check in found[:4]}) == 4 and figures(found[4].message) == ["7"]


def test_egress_without_a_price_is_told_once() -> None:
    none: Any = SimpleNamespace(reached=())

    def of(*offers: Any, contracts: Any = (), sent_gb: float | None = 2.0) -> list[list[str]]:
        found = told(
            plan_checks.check_offers(ground(None, contracts, offers, egress_gb_per_gpu_hour=sent_gb), none)
        )
        return [row[3] for row in found if row[0] == "egress_unknown"]

    assert of(OD, sent_gb=None) == []
    silent = [offer("a", 0, 6.0), offer("b", 12, 1.0), offer("ask", 12, None)]
    priced = offer("c", 12, 1.0, egress_usd_per_gb=1)
    assert of(priced) == [] and of(silent[2]) == []
    assert of(silent[0], priced) == [[]]
    assert of(*silent) == [["2"]]
    assert of(*silent, contracts=[contract("k", 1, 1.0, None, HOURS)]) == [["3"]]


@pytest.mark.parametrize(
    ("offers", "why"),
    [
        ((), "nobody"),
        ((offer("y1", 12, 2.0),), "nobody"),
        ((offer("spot", 0, 1.0, pricing_category=DYNAMIC),), "spot"),
        ((offer("od", 0, 6.0, interconnect="ethernet"),), None),  # said of hardware by itself
        ((offer("od", 0, 6.0, interconnect="ethernet"), offer("y1", 12, 2.0)), "fit"),
        ((OD,), None),
    ],
)
def test_rows_that_nobody_sells_by_use(offers: Any, why: str | None) -> None:
    made = made_of([Load(pool=Pool.TRAINING, gpus=[4.0] * HOURS, nodes=4)], (), offers)
    of = ground_of(made.project, A, made.pools, AdviceCache())
    found = list(plan_checks.check_unpriced_rows(of, plan_of(of, AdviceCache())))
    if why is None:
        assert found == []
        return
    is_of_log = not any(item.rate and not item.term_months for item in offers)
    if is_of_log:  # the audit says it of what the log ran
        assert found == []
    else:
        (check,) = found
        assert (check.code, str(check.subject)) == ("gpu_model_unpriced", "training H100")
        assert str(check.message).count(why) >= 1


def test_planned_work_that_nobody_sells_by_use_is_told() -> None:
    work = PlannedWork(
        name="load-000", pool=Pool.TRAINING, gpu_model="H100", gpus=4.0, cluster="c1", team="team"
    )
    scenario = replace(A, planned=(work,))
    of = ground(None, (), [offer("y1", 12, 2.0)], scenario)
    (check,) = plan_checks.check_unpriced_rows(of, plan_of(of, AdviceCache()))
    assert (check.code, check.severity, str(check.subject)) == (
        "gpu_model_unpriced",
        "amber",
        "training H100",
    )
    nothing = ground(None, (), (), scenario)
    assert list(plan_checks.check_unpriced_rows(nothing, plan_of(nothing, AdviceCache()))) == []
    sold = ground(None, (), [OD], scenario)
    assert list(plan_checks.check_unpriced_rows(sold, plan_of(sold, AdviceCache()))) == []


# --- Limits


def test_shares_that_contracts_alone_are_over_are_told() -> None:
    """2 GPUs of Ada's contract at $5 and 2 by use at $6 are $22 an hour: 45.5% is Ada's, over 40% and under 50%."""
    held = [contract("k", 2, 5.0, None, HOURS, provider="Ada")]

    def of(share: float) -> list[Any]:
        limited = ground(None, held, (OD,), replace(A, shares={Only("Ada"): share}))
        return told(plan_checks.check_shares(limited, plan_of(limited, AdviceCache())))

    assert of(0.4) == [("over_provider_share", "amber", "Ada", ["40%", "45%"])]
    assert of(0.5) == []


@pytest.mark.parametrize(
    ("rooms", "is_over"),
    [
        ((), False),
        ((5.0,), False),
        ((0.0,), False),
        ((-1.0,), True),
        ((5.0, -inf), False),
        ((-1.0, -inf), True),
    ],
)
def test_only_what_the_first_row_finds_is_over_a_share(rooms: tuple[float, ...], is_over: bool) -> None:
    """Later rows find less, since those before them have signed, down to a provider that is closed."""
    limited = ground(None, (), (offer("od", 0, 6.0, provider="Ada"),), replace(A, shares={Only("Ada"): 0.4}))
    (key,) = share_rooms(limited)
    rows = [SimpleNamespace(left_of_offers={key: room}) for room in rooms]
    planned: Any = SimpleNamespace(rows=rows, bought=())
    found = told(plan_checks.check_shares(limited, planned))
    assert [(code, subject) for code, _, subject, _ in found] == [("over_provider_share", "Ada")] * is_over


def test_limits_that_name_nobody_are_told() -> None:
    only = replace(A, only={"c1/team/load-000": Only("Adda")})
    of = ground(None, (), [offer("od", 0, 6.0, provider="Ada")], only)
    assert [check.code for check in plan_checks.check_limit_names(of)] == ["nobody_called_so"]
    known = replace(A, only={"c1/team/load-000": Only("Ada")})
    assert not list(
        plan_checks.check_limit_names(ground(None, (), [offer("od", 0, 6.0, provider="Ada")], known))
    )


def test_countries_where_nobody_sells_or_is_known_to() -> None:
    """Work that may run in Germany alone."""
    only = replace(A, only={"c1/team/load-000": Only(country="Germany")})

    def of(*offers: Any, contracts: Any = ()) -> list[tuple[str, str]]:
        return [
            (check.code, str(check.message))
            for check in plan_checks.check_countries(ground(None, contracts, offers, only))
        ]

    somewhere = offer("od", 0, 6.0)
    german = offer("de", 0, 6.0, country="Germany")
    french = offer("fr", 0, 6.0, country="France")
    assert [code for code, _ in of(somewhere)] == ["residency_broken", "residency_unknown"]
    assert [code for code, _ in of(french)] == ["residency_broken"]
    assert of(german) == []
    assert [code for code, _ in of(german, somewhere)] == ["residency_unknown"]
    many = [offer(f"o{number}", 0, 6.0) for number in range(5)]
    assert "o0, o1, o2 and 2 more" in of(german, *many)[0][1]
    assert "o0, o1, o2 unknown" in of(german, *many[:3])[0][1]
    held = contract("k", 1, 1.0, None, HOURS)
    assert "of k unknown" in of(german, contracts=[held])[0][1]
    assert of(german, contracts=[replace(held, gpu_model="A100")]) == []
    assert not list(plan_checks.check_countries(ground(None, (), [somewhere])))


@pytest.mark.parametrize(
    ("wait", "gpus", "is_advised", "is_said"),
    [(2, 3, True, True), (0, 3, True, False), (2, 0, True, False), (2, 3, False, False)],
)
def test_levels_that_are_held_while_the_plan_waits(
    wait: int, gpus: int, is_advised: bool, is_said: bool
) -> None:
    row = SimpleNamespace(
        is_rest_advised=is_advised,
        calendar=SimpleNamespace(wait_months=wait),
        hand=(HandLayer(12, gpus),),
        pool=Pool.TRAINING,
        gpu_model="H100",
    )
    found = told(plan_checks.check_held_levels(SimpleNamespace(rows=[SimpleNamespace(row=row)])))  # type: ignore[arg-type]
    assert found == [("held_level_waits", "amber", "training H100", ["1", str(wait)])] * is_said


# --- Hardware and spot


def test_hardware_of_what_is_chosen_and_of_what_is_on_offer() -> None:
    """Of several nodes: 400 Gb/s are amber where they are chosen; red where nothing on offer fits."""
    loads = [Load(pool=Pool.TRAINING, gpus=[4.0] * HOURS, nodes=4)]
    slow, none = (
        offer("slow", 0, 6.0, interconnect="roce_400"),
        offer("none", 0, 5.0, interconnect="ethernet"),
    )

    def of(chosen: str | None, *offers: Any) -> list[tuple[str, str, str]]:
        layer = SimpleNamespace(offer_id=chosen)
        plan: Any = SimpleNamespace(pool=Pool.TRAINING, gpu_model="H100", layers=(layer, layer))
        found = plan_checks.check_hardware(ground(loads, (), offers), [plan])
        return [(check.code, check.severity, str(check.subject)) for check in found]

    assert of("slow", slow) == [("hardware_amber", "amber", "training H100")]
    assert of(None, slow) == []
    assert of(None, slow, none) == []
    assert of(None, none) == [("hardware_red", "red", "training H100")]
    assert of(None, none, replace(none, offer_id="other", gpu_model="B200")) == [
        ("hardware_red", "red", "training H100")
    ]


@pytest.mark.parametrize(
    ("values", "nodes", "is_red"),
    [
        ({"pool": Pool.TRAINING, "interconnect": "ethernet"}, 4, True),
        ({"interconnect": "ethernet"}, 4, False),
        ({"pool": Pool.TRAINING, "interconnect": "ethernet"}, 1, False),
        ({"pool": Pool.TRAINING, "interconnect": "infiniband"}, 4, False),
        ({"pool": Pool.BURST, "interconnect": "ethernet"}, 4, False),
    ],
)
def test_contracts_that_are_pinned_to_what_they_do_not_fit(
    values: dict[str, Any], nodes: int, is_red: bool
) -> None:
    held = contract("k", 4, 1.0, None, HOURS, **values)
    of = ground([Load(pool=Pool.TRAINING, gpus=[4.0] * HOURS, nodes=nodes)], [held])
    found = [(check.code, str(check.subject)) for check in plan_checks.check_contract_hardware(of)]
    assert found == [("hardware_red", "k")] * is_red


def test_work_that_would_never_end_on_spot_is_named_three_times_at_most() -> None:
    spot = offer("spot", 0, 1.0, pricing_category=DYNAMIC)
    loads = [Load(pool=Pool.BURST, gpus=[1.0] * HOURS, nodes=64) for _ in range(5)]
    (check,) = plan_checks.check_spot(ground(loads, (), (OD, spot)))
    words = str(check.message)
    assert (check.code, check.severity, str(check.subject)) == ("spot_infeasible", "amber", "burst H100")
    assert (
        all(f"load-00{at}" in words for at in range(3)) and "load-003" not in words and "and 2 more" in words
    )
    (three,) = plan_checks.check_spot(ground(loads[:3], (), (OD, spot)))
    assert "more" not in str(three.message)
    few = [
        Load(pool=Pool.BURST, gpus=[1.0] * HOURS, nodes=1),
        Load(pool=Pool.BURST, gpus=[0.0] * HOURS, nodes=64),
    ]
    assert not list(plan_checks.check_spot(ground(few, (), (OD, spot))))


def test_services_where_work_runs_on_spot() -> None:
    spot = offer("spot", 0, 1.0, pricing_category=DYNAMIC)
    classes = (kind(Pool.INFERENCE), kind(Pool.BURST))
    bursts = [Load(pool=Pool.BURST, gpus=[1.0] * HOURS), Load(pool=Pool.BURST, gpus=[1.0] * HOURS)]
    found = told(plan_checks.check_inference_on_spot(ground(bursts, (), (OD, spot), classes=classes)))
    assert [(code, subject) for code, _, subject, _ in found] == [("inference_on_spot", "c1/team/load-000")]
    assert not list(plan_checks.check_inference_on_spot(ground(bursts, (), (OD,), classes=classes)))
    assert not list(plan_checks.check_inference_on_spot(ground(bursts, (), (OD, spot))))
    trains = [Load(pool=Pool.TRAINING, gpus=[1.0] * HOURS), Load(pool=Pool.TRAINING, gpus=[1.0] * HOURS)]
    assert not list(plan_checks.check_inference_on_spot(ground(trains, (), (OD, spot), classes=classes)))
    two = [Load(pool=Pool.BURST, gpus=[1.0] * HOURS, model=None), Load(pool=Pool.BURST, gpus=[1.0] * HOURS)]
    held = [contract("a", 1, 1.0, None, HOURS, gpu_model="A100"), contract("h", 1, 1.0, None, HOURS)]
    shared = ground(two, held, (OD, spot, replace(spot, offer_id="s2", gpu_model="A100")), classes=classes)
    assert (
        len(list(plan_checks.check_inference_on_spot(shared))) == 1
    )  # once, though its demand is of two models


# --- Demand that fell, and one job


def test_demand_that_fell_names_what_stopped_the_largest_first() -> None:
    """Of 40 days the last 14 have nothing of two workloads; a third goes on, a fourth has an end that was said."""
    hours = 24 * 40
    gone = [0.0] * (24 * 14)
    loads = [
        Load(pool=Pool.TRAINING, gpus=[2.0] * (hours - 24 * 14) + gone),
        Load(pool=Pool.TRAINING, gpus=[8.0] * (hours - 24 * 14) + gone),
        Load(pool=Pool.TRAINING, gpus=[1.0] * hours),
        Load(pool=Pool.TRAINING, gpus=[4.0] * (hours - 24 * 14) + gone),
    ]
    keys = [f"c1/team/load-00{at}" for at in range(4)]

    def of(scenario: Scenario, fall: Fall | None) -> list[Check]:
        row = SimpleNamespace(pool=Pool.TRAINING, gpu_model="H100")
        planned: Any = SimpleNamespace(rows=[SimpleNamespace(row=row, fall=fall)])
        return list(plan_checks.check_fallen_demand(ground(loads, scenario=scenario), planned))

    (check,) = of(A, Fall(0.25, False))
    assert (check.code, check.severity, check.keys) == ("demand_fell", "red", (keys[1], keys[3], keys[0]))
    assert "25%" in str(check.message) and "more" not in str(check.message)
    end_s = START_S + hours * HOUR_S + MONTH_S
    (dated,) = of(replace(A, spells={keys[3]: Spell(None, end_s)}), Fall(0.1, True))
    assert dated.keys == (keys[1], keys[0]) and "without dates" in str(dated.message)
    assert "%" not in str(dated.message) and "without dates" not in str(check.message)
    assert of(A, None) == []
    flat = [Load(pool=Pool.TRAINING, gpus=[1.0] * hours)]
    row = SimpleNamespace(pool=Pool.TRAINING, gpu_model="H100")
    planned: Any = SimpleNamespace(rows=[SimpleNamespace(row=row, fall=Fall(0.5, False))])
    (none,) = plan_checks.check_fallen_demand(ground(flat), planned)
    assert none.keys == (keys[0],) and keys[0] not in str(none.message)


@pytest.mark.parametrize(("hours", "is_said"), [(201, True), (200, False)])
def test_one_job_that_holds_over_half_is_told(hours: int, is_said: bool) -> None:
    """4 GPUs all through, of which a job has so many of 400 hours."""
    loads = [Load(pool=Pool.TRAINING, gpus=[4.0] * HOURS, job=("j1", 4.0, 0, hours))]
    found = list(plan_checks.check_single_jobs(ground(loads, slices_lived=True)))
    assert [check.code for check in found] == ["one_job"] * is_said
    if found:
        assert figures(found[0].message.values["share"]) == ["50%"] and figures(
            found[0].message.values["days"]
        ) == ["8"]
        assert (
            figures(found[0].message.values["gpus"]) == ["4"] and str(found[0].message.values["job"]) == "j1"
        )
    assert not list(plan_checks.check_single_jobs(ground(loads)))
    ends = replace(A, spells={"c1/team/load-000": Spell(None, BEGIN_S + MONTH_S)})
    assert not list(plan_checks.check_single_jobs(ground(loads, scenario=ends, slices_lived=True)))


@pytest.mark.parametrize(("days", "is_late"), [(2, False), (1, True)])
def test_planned_work_that_cannot_be_done_in_time(days: int, is_late: bool) -> None:
    work = PlannedWork(
        name="load-000",
        pool=Pool.TRAINING,
        gpu_model="H100",
        gpus=4.0,
        cluster="c1",
        team="team",
        length_hours=48,
        latest_finish_s=BEGIN_S + days * DAY_S,
    )
    found = list(plan_checks.check_late_work(ground(scenario=replace(A, planned=(work,)))))
    assert [(check.code, check.severity) for check in found] == [("planned_too_late", "red")] * is_late
    for loose in ({"latest_finish_s": None}, {"length_hours": None}):
        of = ground(scenario=replace(A, planned=(replace(work, **loose),)))  # type: ignore[arg-type]
        assert not list(plan_checks.check_late_work(of))


def test_planned_work_that_ended_as_planned_is_not_late() -> None:
    """60 h from 100 h before the plan, due 40 h before it; an hour more could not be done in time."""
    work = PlannedWork(
        name="load-000",
        pool=Pool.TRAINING,
        gpu_model="H100",
        gpus=4.0,
        cluster="c1",
        team="team",
        begins_s=BEGIN_S - 100 * HOUR_S,
        length_hours=60,
        latest_finish_s=BEGIN_S - 40 * HOUR_S,
    )
    assert not list(plan_checks.check_late_work(ground(scenario=replace(A, planned=(work,)))))
    longer = ground(scenario=replace(A, planned=(replace(work, length_hours=61),)))
    assert [check.code for check in plan_checks.check_late_work(longer)] == ["planned_too_late"]


# --- Contracts


def test_contracts_that_a_plan_leaves_out_are_counted_with_their_dollars() -> None:
    held = [
        contract("a", 4, 1.0, 6, HOURS),
        contract("b", 1, 2.0, None, HOURS),
        contract("c", 1, 1.0, -0.1, HOURS),
    ]
    scratch = replace(A, greenfield=True)
    found = told(plan_checks.check_left_out_contracts(ground(None, held, scenario=scratch)))
    assert found == [("contracts_left_out", "amber", "plan", ["2", "$4,380"])]
    assert figures(
        next(iter(plan_checks.check_left_out_contracts(ground(None, held[:1], scenario=scratch)))).message
    ) == ["1", "$2,920"]
    unknown = [replace(held[0], rate_usd_per_gpu_hour=None)]
    assert figures(
        next(iter(plan_checks.check_left_out_contracts(ground(None, unknown, scenario=scratch)))).message
    ) == ["1"]
    assert not list(plan_checks.check_left_out_contracts(ground(None, held)))
    by_use = [contract("u", 4, 1.0, 6, HOURS, pricing_category=PricingCategory.STANDARD)]
    assert not list(plan_checks.check_left_out_contracts(ground(None, by_use, scenario=scratch)))


def test_a_notice_that_has_passed_says_what_running_on_costs() -> None:
    """It ended on 16 February and is bound until 16 March: 4 GPUs at $1 for 28 days. Its notice was due 19 days ago."""
    held = contract("k", 4, 1.0, 1, HOURS, notice_days=50, renews_months=1)
    of = ground(None, [held])
    (check,) = plan_checks.check_passed_notices(of)
    assert (check.code, str(check.subject)) == ("order_by_passed", "k")
    assert check.usd_per_month == pytest.approx(4 * 24 * 28)
    assert figures(check.message.values["late"]) == ["19"]
    assert figures(check.message.values["usd"]) == ["$2,688"]
    assert not list(plan_checks.check_unknown_renewals(of))
    for ended in (replace(held, renews_months=None), replace(held, notice_days=10)):
        assert not list(plan_checks.check_passed_notices(ground(None, [ended])))
    assert not list(
        plan_checks.check_passed_notices(ground(None, [held], scenario=replace(A, notice_given=("k",))))
    )


@pytest.mark.parametrize(("term", "usd"), [(12, 4 * 8760), (None, 4 * 730)])
def test_of_a_notice_alone_it_is_asked_whether_it_renews(term: int | None, usd: int) -> None:
    """4 GPUs at $1 for its term, a month where none is stated; what it is told is that of what renews."""
    held = contract("k", 4, 1.0, 1, HOURS, notice_days=50, term_months=term)
    (check,) = plan_checks.check_unknown_renewals(ground(None, [held]))
    assert (check.code, check.severity, str(check.subject)) == ("renewal_unknown", "amber", "k")
    assert check.usd_per_month == pytest.approx(usd) and figures(check.message.values["usd"]) == [f"${usd:,}"]
    assert figures(check.message.values["late"]) == ["19"]
    for known in (replace(held, renews_months=0), replace(held, notice_days=10), replace(held, end_s=None)):
        assert not list(plan_checks.check_unknown_renewals(ground(None, [known])))
    for stated in (replace(A, notice_given=("k",)), replace(A, runs_on=("k",))):
        assert not list(plan_checks.check_unknown_renewals(ground(None, [held], scenario=stated)))
    (renews,) = plan_checks.check_passed_notices(ground(None, [held], scenario=replace(A, runs_on=("k",))))
    assert renews.code == "order_by_passed"


def test_a_notice_that_nobody_can_read_is_asked_about() -> None:
    """4 GPUs at $1 are $2,920 a month; one that is known, or of what ends by itself, is not asked about."""
    held = contract("k", 4, 1.0, 1, HOURS, notice_written="see MSA")
    (check,) = plan_checks.check_unreadable_notices(ground(None, [held]))
    assert (check.code, check.severity, check.usd_per_month) == ("notice_unknown", "amber", 4 * 730)
    assert "“see MSA”" in str(check.message) and "4 GPUs" in str(check.message)
    for known in (
        replace(held, notice_days=30),
        replace(held, renews_months=0),
        replace(held, notice_written=None),
    ):
        assert not list(plan_checks.check_unreadable_notices(ground(None, [known])))
    given = replace(A, notice_given=("k",))
    assert not list(plan_checks.check_unreadable_notices(ground(None, [held], scenario=given)))


def order(gpus: float = 4.0, start: int = 0, **values: Any) -> Order:
    start_s = BEGIN_S + start * DAY_S
    base = Order(
        pool=Pool.TRAINING,
        gpu_model="H100",
        offer_id="y1",
        term_months=12,
        gpus=gpus,
        start_s=start_s,
        end_s=start_s + 12 * MONTH_S,
        order_by_s=start_s,
        reason="now",
        offer_gpu_model="H100",
        offer_gpus=gpus,
        liability=1000.0,
    )
    return replace(base, **values)


@pytest.mark.parametrize(
    ("more", "found"),
    [
        ({"provider": "Bo", "liability": 20.0}, ["98.0%", "$1,000", "$1,020"]),
        ({"provider": None, "liability": 999.0}, ["50.0%", "$1,000", "$1,999"]),
        ({"provider": "Bo", "liability": 1000.0}, None),  # half is not most
        ({"provider": None, "liability": 1001.0}, None),
        ({"provider": "Bo", "liability": 5000.0, "reason": "if_it_lasts"}, ["100.0%", "$1,000", "$1,000"]),
        ({"provider": "Bo", "liability": 5000.0, "capex_per_gpu": 9.0}, ["100.0%", "$1,000", "$1,000"]),
        ({"provider": "Bo", "liability": None}, None),
    ],
    ids=["nearly all", "just over half", "half", "less", "not certain", "bought", "unknown"],
)
def test_a_provider_with_most_of_the_new_commitment(more: dict[str, Any], found: list[str] | None) -> None:
    """Ada has $600 + $400 of it, once with a remark behind its name, and `more` is the rest."""
    ours = [order(provider="Ada", liability=600.0), order(provider="Ada (list price)", liability=400.0)]
    orders = [*ours, order(**more)]
    checks = list(plan_checks.check_concentration(orders))
    assert told(checks) == ([] if found is None else [("provider_concentration", "amber", "the plan", found)])
    assert all("one provider, Ada:" in str(check.message) for check in checks)


def test_without_new_commitment_no_provider_has_most_of_it() -> None:
    assert not list(plan_checks.check_concentration([]))
    assert not list(plan_checks.check_concentration([order(provider="Ada", liability=0.0)]))


def test_contracts_that_are_idle_beside_orders_for_another_cluster() -> None:
    """6 GPUs of c1 serve 2: 4 are idle at $1, $2,920 a month, while c2 lacks 3 and c3 one."""
    loads = [
        Load(pool=Pool.TRAINING, gpus=[2.0] * HOURS),
        Load(pool=Pool.TRAINING, gpus=[3.0] * HOURS, cluster="c2"),
        Load(pool=Pool.BURST, gpus=[1.0] * HOURS, cluster="c3"),
    ]
    held = [contract("k", 6, 1.0, None, HOURS)]
    (check,) = plan_checks.check_idle_contracts(ground(loads, held), [order()])
    assert (check.code, str(check.subject), check.usd_per_month) == (
        "idle_beside_orders",
        "H100",
        pytest.approx(2920.0),
    )
    values = check.message.values
    assert (str(values["idle"]), str(values["cluster"]), str(values["other"]), str(values["signed"])) == (
        "4.0",
        "c1",
        "c2",
        "4",
    )
    assert not list(plan_checks.check_idle_contracts(ground(loads, held), []))
    assert not list(plan_checks.check_idle_contracts(ground(loads, held), [order(gpu_model="A100")]))
    assert not list(plan_checks.check_idle_contracts(ground(loads, held), [order(start=40)]))
    for gpus, count in ((3.0, 1), (2.99, 0)):
        few = [contract("k", gpus, 1.0, None, HOURS)]
        assert len(list(plan_checks.check_idle_contracts(ground(loads, few), [order()]))) == count
    assert not list(plan_checks.check_idle_contracts(ground(loads[:1], held), [order()]))
    nowhere = [loads[0], Load(pool=Pool.TRAINING, gpus=[3.0] * HOURS, cluster="")]
    assert not list(plan_checks.check_idle_contracts(ground(nowhere, held), [order()]))
    assert figures(values["usd"]) == ["$2,920"]
    (unpriced,) = plan_checks.check_idle_contracts(
        ground(loads, [contract("k", 6, None, None, HOURS)]), [order()]
    )
    assert unpriced.usd_per_month is None and unpriced.message.values["usd"] == ""


def test_names_of_rows_and_of_what_is_not_named() -> None:
    assert str(row_name("training", None)) == "training unknown model"
    assert str(plan_checks.describe_unnamed(4)) == " and 1 more" and not plan_checks.describe_unnamed(3)


def test_what_contracts_serve_and_leave_over_on_each_cluster() -> None:
    loads = [
        Load(pool=Pool.TRAINING, gpus=[4.0] * HOURS),
        Load(pool=Pool.INFERENCE, gpus=[3.0] * HOURS, cluster="c2"),
    ]
    of = ground(
        loads, [contract("k", 1, 1.0, None, HOURS), contract("half", 2, 1.0, 0.5, HOURS, cluster="c2")]
    )
    served, left = plan_checks.by_cluster(of, of.plan.models[0])
    assert served == pytest.approx({"c1": 1.0, "c2": 1.0}) and left == pytest.approx({"c1": 3.0, "c2": 2.0})
    assert np.isfinite(list(left.values())).all()
