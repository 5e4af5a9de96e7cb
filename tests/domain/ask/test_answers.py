"""Answers about the plan and the log: numbers of stated rows, of one that is named, of none.

Of the plan (`worlds.plan`), which begins on 31 January 2026 at 10:00: K1 has 4 H100 of c1 from Ada for 6 months, K2 8
of c2 from Bo for 2, K3 5 A100 of Ada without an end. It orders 4 and 2 H100 of y1, and twice 4 of q3.
"""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from gpuplanner.domain.ask import answers, fleet
from gpuplanner.domain.ask.answers import answer_question
from gpuplanner.domain.ask.changes import Question
from gpuplanner.domain.ask.numbers import MOST
from gpuplanner.domain.ask.reading import Named
from gpuplanner.domain.award.offer_worths import OfferWorth
from gpuplanner.domain.commitment.next_decision import NextDecision
from gpuplanner.domain.commitment.outlook_result import NOT_YET
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import DAY_S, MONTH_S
from gpuplanner.files.system.resources import read_question_figures
from tests.domain import worlds
from tests.domain.ask.small_plan import PLAN_S, numbers_of, values_of, with_advice, with_project

GPU_H = 3_600_000


def test_horizons_are_known_in_part_where_a_rate_is_missing() -> None:
    rows = numbers_of("plan", worlds.unpriced())
    saved = numbers_of("savings", worlds.unpriced())
    assert values_of(rows) == [None] * 3
    assert all(number.known.known > 0 for number in rows)
    assert {number.known.known for number in saved} == {0.0}


def test_the_worst_month_costs_most_and_stands_beside_the_budget() -> None:
    """The second, at $29,565; it begins 730 hours after the first."""
    of = worlds.plan()
    since, usd = numbers_of("worst", of)
    assert (since.value, usd.value, usd.path) == (
        PLAN_S + MONTH_S,
        pytest.approx(29_565),
        "comparison[1].plan_usd",
    )
    titles = set()
    for budget in (None, 29_564.0, 29_566.0):
        limited = with_project(assumptions=replace(of.project.assumptions, budget_usd_per_month=budget))
        worst, *limit = numbers_of("over_budget", limited)
        assert worst.value == pytest.approx(29_565)
        assert values_of(limit) == ([] if budget is None else [budget])
        titles.add(str(worst.title))
    assert len(titles) == 3
    exact = with_project(assumptions=replace(of.project.assumptions, budget_usd_per_month=usd.value))
    assert str(numbers_of("over_budget", exact)[0].title) in titles
    assert numbers_of("over_budget", exact)[0].title == numbers_of("over_budget", limited)[0].title
    unknown = worlds.unpriced()
    assert values_of(numbers_of("worst", unknown)) == [None]
    assert numbers_of("worst", unknown)[0].known.known == max(
        month.plan_sum.known for month in unknown.advised.comparison
    )
    stated = replace(unknown.project.assumptions, budget_usd_per_month=1.0)
    asked = replace(unknown, project=replace(unknown.project, assumptions=stated))
    assert str(numbers_of("over_budget", asked)[0].title) not in titles


def decided() -> Evaluation:
    """The plan with three decisions: end K1 by day 3, order by day 9, a question about K2 without a day."""
    order = worlds.plan().advised.orders[0]
    rows = (
        NextDecision(
            decision_id="contract:K1",
            kind="end",
            subject="K1",
            by_s=PLAN_S + 3 * DAY_S,
            year_without=500.0,
            year_with=200.0,
            contract_id="K1",
        ),
        NextDecision(
            decision_id="q",
            kind="question",
            subject="K2",
            by_s=None,
            year_without=90.0,
            year_with=0.0,
            is_in_plan=False,
            contract_id="K2",
        ),
        NextDecision(
            decision_id="o",
            kind="order",
            subject="4 H100",
            by_s=PLAN_S + 9 * DAY_S,
            year_without=40.0,
            year_with=0.0,
            orders=(order,),
        ),
        NextDecision(
            decision_id="left",
            kind="end",
            subject="K3",
            by_s=PLAN_S,
            year_without=40.0,
            year_with=0.0,
            is_in_plan=False,
            contract_id="K3",
        ),
    )
    return replace(worlds.plan(), outlook=replace(NOT_YET, next_decisions=rows))


@pytest.mark.parametrize(
    ("first", "last", "usd"), [(0, 9, [300.0]), (0, 10, [300.0, 40.0]), (4, 10, [40.0]), (0, 3, [300.0])]
)
def test_decisions_are_due_in_a_time_by_day(first: int, last: int, usd: list[float]) -> None:
    """Of none the next is told, that of day 3 where nothing is due before it."""
    rows = numbers_of("decide", decided(), {"period": (PLAN_S + first * DAY_S, PLAN_S + last * DAY_S)})
    assert values_of(rows) == usd
    assert str(rows[0].sentence).startswith("No decision is due") is (last == 3)
    assert values_of(numbers_of("decide", decided())) == [300.0, 40.0]


def test_all_that_is_due_is_told() -> None:
    """Of other forms the first few."""
    of = decided()
    assert of.outlook is not None
    first = of.outlook.next_decisions[0]
    five = tuple(replace(first, decision_id=str(at), number=at) for at in range(1, 6))
    of = replace(of, outlook=replace(of.outlook, next_decisions=five))
    told = [answer_question(Question(form=form, values={}), of, ()) for form in ("decide", "next")]
    assert [len(answer.numbers) for answer in told] == [5, MOST]
    assert [f"D{at}: " in str(told[0].sentence) for at in range(1, 7)] == [True] * 5 + [False]


def test_decisions_are_told_of_whom_and_what_they_are() -> None:
    of = decided()
    assert values_of(numbers_of("next", of)) == [300.0, 90.0, 40.0]
    assert values_of(numbers_of("next", of, {"percent": 0.1})) == [300.0, 40.0]
    assert values_of(numbers_of("next", of, {"party": frozenset({"Bo"})})) == [90.0]
    assert values_of(numbers_of("lapse", of)) == [300.0]
    assert values_of(numbers_of("orders", of)) == [40.0]
    assert [values_of(numbers_of("orders", of, {"offered": one})) for one in ("H100", "B200")] == [[40.0], []]
    end, ends = numbers_of("contract", of, {"contract": Named("contract", "K1")})
    assert str(end.sentence) == str(of.outlook and of.outlook.next_decisions[0].text) and ends.unit == "date"
    assert values_of(fleet.notices(of, {"contract": Named("contract", "K1")})) == [300.0]


def test_decisions_are_told_with_their_numbers_and_those_of_their_orders() -> None:
    of = decided()
    assert of.outlook is not None
    first, *others = of.outlook.next_decisions
    named = (replace(first, number=4, order_numbers=(2, 3)), *others)
    (told, *_) = numbers_of("next", replace(of, outlook=replace(of.outlook, next_decisions=named)))
    assert str(told.title) == f"D4 (O2, O3): {first.title}"
    assert str(told.sentence) == f"D4 (O2, O3): {first.text}"


def test_overflow_is_on_demand_and_what_is_known_of_it() -> None:
    of = worlds.plan()
    usd, hours = numbers_of("overflow", of)
    assert usd.value == of.audit.whole_spend[1].total
    assert hours.value == sum(row.overflow_gpu_hours or 0.0 for row in of.audit.clusters)


def test_each_provider_alone_or_one() -> None:
    of = worlds.plan()
    assert values_of(numbers_of("alone", of)) == pytest.approx([360_620, 332_536.67], rel=1e-6)
    only = numbers_of("alone", of, {"provider": Named("provider", "Ada")})
    assert len(only) == 1 and "Ada" in str(only[0].title)
    assert numbers_of("alone", of, {"provider": Named("provider", "X")}) == []


def test_a_contract_has_what_follows_its_day_and_its_end() -> None:
    of = worlds.plan()
    rows = numbers_of("contract", of, {"contract": Named("contract", "K1")})
    assert values_of(rows) == [4.0, 1_785_621_600, 1_785_621_600]
    assert [row.last_s for row in rows] == [None, 1_785_621_599, 1_785_621_599]
    (kept, by) = numbers_of("contract", of, {"contract": Named("contract", "K3")})
    assert (kept.value, by.value) == (0.0, None)
    by_s = PLAN_S + 9 * MONTH_S
    verdicts = tuple(
        replace(row, verdict="end", order_by_s=by_s) if row.contract_id == "K1" else row
        for row in of.advice.verdicts
    )
    ended = numbers_of("contract", with_advice(verdicts=verdicts), {"contract": Named("contract", "K1")})
    assert (ended[1].value, ended[1].last_s) == (by_s, by_s - 1)
    assert ended[1].path == "contract_verdicts[contract_id=K1].order_by"


def test_a_break_even_is_of_what_is_asked() -> None:
    of = worlds.plan()
    assert numbers_of("own", of) == []
    asked = numbers_of("own", of, {"months": 12})
    assert values_of(asked) == pytest.approx([2.5833333 / 4] * 2)
    assert all("H100" in str(row.title) for row in asked)
    assert len(numbers_of("own", of, {"offer": Named("offer", "q3")})) == 2
    assert numbers_of("own", of, {"offer": Named("offer", "q3"), "months": 12}) == []
    owned = numbers_of("own", worlds.limited())
    assert owned and all("own" in row.path and "H100" not in str(row.title) for row in owned)


def test_a_break_even_of_a_model_is_the_lowest_first_and_of_a_contract_beside_its_use() -> None:
    """K2 pays $1.50 of the $4 on demand, and 3 of its 8 are used."""
    of = worlds.plan()
    rows = numbers_of("own", of, {"model": "H100"})
    assert values_of(rows) == pytest.approx([2.5833333 / 4] * 2 + [3.5 / 4] * 2)
    assert numbers_of("own", of, {"model": "A100"}) == []
    rows = numbers_of("break_even", of, {"contract": Named("contract", "K2")})
    assert values_of(rows) == pytest.approx([1.5 / 4, 3 / 8])
    assert [row.path.rpartition(".")[2] for row in rows] == ["break_even_utilization", "utilization"]


def test_a_return_is_saved_a_month_paid_at_once_and_worth_today() -> None:
    of = worlds.outlook_of(worlds.plan)
    numbers = answer_question(Question("return", {}), of, read_question_figures()).numbers
    assert of.totals is not None and of.outlook is not None
    assert values_of(numbers) == [
        of.totals.savings_vs_do_nothing, of.totals.due_at_once_now, of.outlook.npv_usd
    ]  # fmt: skip


def test_orders_paid_up_front_pay_from_the_discount_of_money() -> None:
    """6 GPUs of y1 at $2.50 are 6 x 2.5 x 730 a month; 12 of them at 12% a year, paid monthly, are worth less."""
    of = worlds.plan()
    wacc = with_project(assumptions=replace(of.project.assumptions, wacc=0.12))
    paid, discount = numbers_of("upfront", wacc, {"months": 12})
    month = 6 * 2.5 * 730
    worth = month * sum(1.12 ** (-at / 12) for at in range(12))
    assert paid.value == pytest.approx(12 * month)
    assert discount.value == pytest.approx(1 - worth / (12 * month))
    assert numbers_of("upfront", of, {"months": 6}) == []
    unknown = with_advice(orders=tuple(replace(order, rate=None) for order in of.advice.orders))
    assert values_of(numbers_of("upfront", unknown, {"months": 12})) == [None, None]


def test_a_cost_is_of_a_team_a_workload_or_a_pool() -> None:
    """K1 is $5,840 a month for training's 4 GPUs; what is beyond it overflows at $4."""
    of = worlds.plan()
    for kind, name, usd in (
        ("workload", "c1/team/load-000", 17_520.0),
        ("team", "team", 21_900.0),
        ("pool", Pool.TRAINING, 17_520.0),
    ):
        rows = numbers_of("costs", of, {"costs": Named(kind, name)})
        assert rows[0].value == pytest.approx(usd)
        assert (rows[0].path == "") is (kind == "pool")
        assert len(rows) == (2 if kind == "team" else 1)
    assert values_of(numbers_of("costs", of, {"costs": Named("workload", "new")})) == [None]


def test_the_team_that_pays_most_is_first_and_nobodys_share_is_no_teams() -> None:
    of = worlds.past().evaluation
    rows = numbers_of("top_team", of)
    assert values_of(rows) == sorted(values_of(rows), reverse=True)  # type: ignore[type-var]
    assert numbers_of("top_team", of, {"team": Named("team", "nobody")}) == []
    (team,) = numbers_of("top_team", of, {"team": Named("team", "team")})
    charge = next(row for row in answers.charges_of(of).rows if row.name == "team")
    assert team.value == pytest.approx(charge.total_in_window * 730 / 100)


def test_teams_stand_by_what_they_pay_as_a_month(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a window of 730 h, a month; what nobody answers for is no team's, and the unknown comes last."""
    rows = [
        SimpleNamespace(name=name, total_in_window=usd, is_nobodys=not name)
        for name, usd in (("a", 5.0), ("b", None), ("c", 0.5), ("d", 9.0), ("", 99.0))
    ]
    monkeypatch.setattr(answers, "charges_of", lambda of: SimpleNamespace(rows=rows))
    assert values_of(numbers_of("top_team", worlds.plan())) == [9.0, 5.0, 0.5, None]
    assert values_of(numbers_of("top_team", worlds.plan(), {"team": Named("team", "c")})) == [0.5]


@pytest.mark.parametrize(
    ("was", "now", "values"),
    [
        ((1.0, 2.0, None), (1.5, 9.0, 0.25), [9.0, 2.0, 1.5, 1.0, 0.25, None]),
        ((0.5, None, 1.0), (None, 0.25, 1.3), [1.3, 1.0, 0.25, None, None, 0.5]),
    ],
)
def test_a_pool_that_waits_longer_without_a_contract_is_first(
    was: tuple[float | None, ...], now: tuple[float | None, ...], values: list[float | None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """Where nobody waits counts as 0 h."""
    both = iter(
        [
            SimpleNamespace(pool=pool, waits=SimpleNamespace(p90_h=wait_h))
            for pool, wait_h in zip(Pool, hours, strict=True)
        ]
        for hours in (was, now)
    )
    monkeypatch.setattr(answers, "pool_waits", lambda *_: next(both))
    rows = numbers_of("waits", worlds.plan(), {"contract": Named("contract", "K1")}, worlds.queueing())
    assert values_of(rows) == values


def test_a_range_is_of_a_year_only_where_it_is_to_be_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever else is asked takes the outlook as it is."""
    of = worlds.outlook_of(worlds.plan)
    forms = list[str]()
    monkeypatch.setattr(answers, "trusted_band", lambda *_: forms.append("asked"))
    for form in ("range", "coverage"):
        answer_question(Question(form, {}), of, ())
    assert len(forms) == 1


NAMELESS_FIRST = (("", 2.0), ("H100", 1.0))


def test_what_has_no_name_is_called_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    idle = [SimpleNamespace(gpu_model=name, gpus=usd, cost_per_month=usd) for name, usd in NAMELESS_FIRST]
    paid = [
        SimpleNamespace(gpu_model=name, figures={"gpu_hours": 1.0, "rate": usd})
        for name, usd in NAMELESS_FIRST
    ]
    used = [SimpleNamespace(name=name, utilization=-usd, known={}) for name, usd in NAMELESS_FIRST]
    monkeypatch.setattr(answers, "h100_equivalents", lambda _: paid)
    plan = with_advice(idle_existing=tuple(idle))
    use: Any = SimpleNamespace(gpu_models=used)
    of = replace(plan, audit=replace(plan.audit, use=use))
    for form in ("model_rates", "idle_models", "idle_gpus", "models_use"):
        nameless, named = (str(row.title) for row in numbers_of(form, of))
        assert "unknown" in nameless and "H100" in named and "unknown" not in named
    assert "unknown" in str(fleet.of_contracts("")) and "Ada" in str(fleet.of_contracts("Ada"))


def test_a_way_is_held_against_80_ms() -> None:
    of = worlds.past().evaluation
    places = worlds.evidence_of_places().project.places
    placed = replace(of, project=replace(of.project, places=places))
    today, *best = numbers_of("place", placed)
    (mean,) = numbers_of("place", placed, {"limit": "80"})
    placement = answers.placement_of(places)
    assert (
        today.value == placement.today.current.round_trip_ms
        and mean.value == placement.today.current.mean_one_way_ms
    )
    assert len(best) == (placement.cheapest_within is not None)
    assert str(mean.title).startswith("No:") is placement.today.current.service.is_over_80
    assert numbers_of("place", of) == []


def test_leaks_stand_by_what_is_counted_of_them() -> None:
    of = worlds.past().evaluation
    rows = numbers_of("leaks", of)
    assert values_of(rows) == sorted((leak.counted_per_month for leak in of.audit.leaks), reverse=True)


def test_failed_jobs_are_a_share_of_all_gpu_hours() -> None:
    of = worlds.past().evaluation
    assert numbers_of("failed_share", of) == []
    row = SimpleNamespace(
        code=answers.FAILED_WORK.code, gpu_hours=5.0, leak_id="failed_work:atlas", cluster="atlas",
        title="t", name="n", is_saved=False, counted_per_month=1.0, leaked_per_month=2.0,
    )  # fmt: skip
    failed = replace(of, audit=replace(of.audit, leaks=(row,)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(answers, "leak_called", lambda leak: leak.leak_id)
        share, hours = numbers_of("failed_share", failed)
    used = sum(work.milli_gpu_seconds for work in of.project.workloads)
    assert (share.value, hours.value) == (pytest.approx(5 * GPU_H / used), 5.0)


def test_spend_by_cluster_and_model_has_use_beside_contracts() -> None:
    """c1: K1 and K3 are 5,840 + 3,650; training is 8 on the 4 of K1: 4 x 730 x $4 overflow, $11,680."""
    of = worlds.plan()
    rows = numbers_of("clusters", of)
    assert values_of(rows) == pytest.approx([5840 + 3650 + 11_680, 8760])
    assert [row.path for row in rows] == ["", "clusters[cluster=c2].cost_usd_per_month"]
    (one,) = numbers_of("clusters", of, {"cluster": Named("cluster", "c2")})
    assert one.value == pytest.approx(8760)
    models = numbers_of("models", of)
    assert values_of(models) == pytest.approx([5840 + 8760 + 11_680, 3650])
    assert [row.path for row in models] == ["", "by_gpu_model[gpu_model=A100].usd_per_month"]
    unknown = numbers_of("models", worlds.unpriced())
    assert unknown[-1].value is None


@pytest.mark.parametrize(
    ("form", "values"),
    [
        ("idle_gpus", [3.0, 2.0, 0.5, 0.0, None]),  # the largest first
        ("without_training", [0.0, 0.5, 2.0, 3.0, None]),  # the smallest first
        ("paid_rates", [2.0, None, 3.0, 0.0, 0.5]),  # as they are
    ],
)
def test_rows_stand_by_their_values_and_the_unknown_last(
    form: str, values: list[float | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [
        SimpleNamespace(
            gpu_model=f"n{place}",
            cluster=f"n{place}",
            gpus=value,
            non_training_utilization=value,
            after=SimpleNamespace(rate=value),
        )
        for place, value in enumerate((2.0, None, 3.0, 0.0, 0.5))
    ]
    monkeypatch.setattr(answers, "variance", lambda *_: SimpleNamespace(clusters=rows))
    plan = with_advice(idle_existing=tuple(rows))
    of = replace(plan, audit=replace(plan.audit, clusters=tuple(rows)))  # type: ignore[arg-type]
    numbers = numbers_of(form, of)
    assert values_of(numbers) == values
    assert {number.name for number in numbers} == {""}
    (named,) = numbers_of(form, of, {"cluster": Named("cluster", "n2")})
    assert named.value == 3.0 and "=n2]" in named.path


def test_a_row_without_a_place_in_documents_is_called_by_its_unit(monkeypatch: pytest.MonkeyPatch) -> None:
    row = SimpleNamespace(gpu_model="H100", figures={"gpu_hours": 1.0, "rate": 2.0})
    monkeypatch.setattr(answers, "h100_equivalents", lambda _: [row])
    (number,) = numbers_of("model_rates", worlds.plan())
    assert (number.path, number.name) == ("", "rate_usd_per_gpu_hour")


def test_what_is_to_be_signed_is_in_all_and_of_each_model() -> None:
    """4 and 2 GPUs within a month, at one time 6."""
    of = worlds.plan()
    assert values_of(numbers_of("to_sign", of))[0] == 6.0
    assert sorted(values_of(numbers_of("to_sign", of, {"model": "H100"}))) == [2.0, 4.0]


def test_waits_of_the_log_are_mean_p90_and_longest_or_what_is_asked_for_first() -> None:
    """A pool's also beside those of the plan."""
    of, queueing, mean = worlds.plan(), worlds.queueing(), pytest.approx(95 / 11)
    assert values_of(numbers_of("waited", of, {}, queueing)) == [mean, 27.0, 36.0]
    assert values_of(numbers_of("waited", of, {"longest": "max"}, queueing)) == [36.0, mean, 27.0]
    half = numbers_of("waited", of, {"median": "median", "pool": Pool.BURST}, queueing)
    assert [row.name for row in half] == ["p50_h", "mean_h", "p90_h"]
    own, most, planned = numbers_of("waited", of, {"pool": Pool.BURST}, queueing)
    assert own.value == half[1].value < most.value and planned.path == "waiting[pool=burst].p90_h"
    assert values_of(numbers_of("waited", of)) == [None]
    assert values_of(numbers_of("team_waits", of, {}, queueing)) == [27.0]
    by_pool = numbers_of("team_waits", of, {"pools": "pool"}, queueing)
    assert [row.path for row in by_pool][-1].startswith("waits[by=pool")
    assert values_of(by_pool) == sorted(values_of(by_pool), reverse=True)
    assert values_of(numbers_of("team_waits", of)) == [None]
    assert values_of(numbers_of("waits", of)) == [None]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(answers, "pool_waits", lambda *_: None)  # cancelled
        assert values_of(numbers_of("waits", of, {}, queueing)) == [None]
    pools = numbers_of("waits", of, {}, queueing)
    assert values_of(pools) == [0.0, 36.0, 5.0]
    (bursts,) = numbers_of("waits", of, {"pool": Pool.BURST}, queueing)
    assert (bursts.value, bursts.path) == (5.0, "waiting[pool=burst].p90_h")
    assert values_of(numbers_of("size", of, {}, None)) == [None]
    size, *_ = numbers_of("size", of, {"pool": Pool.TRAINING, "ratio": 4.0}, queueing)
    assert size.value == 40.0 and "H100" in str(size.title) and "Training" in str(size.title)


def test_offers_are_worth_signing_by_their_margin() -> None:
    of = worlds.plan()
    offers = {item.offer_id: item for item in of.project.offers}
    worths = [
        OfferWorth(
            offer=offers["q3"], rate=3.5, worth_rate=None, why_not_worth=worded("unknown"), margin_share=None
        ),
        OfferWorth(offer=offers["y1"], rate=2.5, worth_rate=3.0, why_not_worth=None, margin_share=0.2),
        OfferWorth(offer=offers["a-od"], rate=2.0, worth_rate=2.5, why_not_worth=None, margin_share=0.3),
    ]
    assert values_of(numbers_of("worth", of, {}, worths)) == [2.5, 3.0, None]
    assert values_of(numbers_of("worth", of, {"offered": "H100"}, worths)) == [3.0, None]
    assert values_of(numbers_of("worth", of, {"offer": Named("offer", "y1")}, worths)) == [3.0]
    assert numbers_of("worth", of, {}, None) == []
    shares = (None, -0.25, 0.0, 0.5, -2.0)
    rows = [replace(worths[1], worth_rate=at, margin_share=share) for at, share in enumerate(shares)]
    assert values_of(numbers_of("worth", of, {}, rows)) == [3, 2, 1, 4, 0]


def test_an_answer_has_three_numbers_and_of_waits_all() -> None:
    of = worlds.plan()
    result = answer_question(Question("workloads", {}), of, ())
    assert len(result.numbers) == 3
    waits = answer_question(
        Question("waits", {"contract": Named("contract", "K1")}), of, (), worlds.queueing()
    )
    assert len(waits.numbers) == 6
    assert answer_question(Question("nothing of it", {}), of, ()).numbers == ()
    missing = answer_question(Question("own", {}), of, ())
    assert "offer to buy" in str(missing.sentence) and missing.as_words == ()
    assert str(answer_question(Question("limits", {}), of, ()).sentence) == "No limit set."


def test_leaks_of_unknown_cost_are_last(monkeypatch: pytest.MonkeyPatch) -> None:
    of = worlds.plan()
    rows = tuple(
        SimpleNamespace(leak_id=f"{usd}", counted_per_month=usd, code="x", title="t", name="n", cluster="c")
        for usd in (None, 0.5, 3.0, 0.25)
    )
    monkeypatch.setattr(answers, "leak_called", lambda leak: leak.leak_id)
    ranked = numbers_of("leaks", replace(of, audit=replace(of.audit, leaks=rows)))  # type: ignore[arg-type]
    assert [row.value for row in ranked] == [3.0, 0.5, 0.25, None]


def test_the_largest_run_costs_most_and_has_the_mean_of_its_workload(monkeypatch: pytest.MonkeyPatch) -> None:
    """An unknown cost is none."""
    runs = tuple(
        SimpleNamespace(key=f"k{at}", name=f"n{at}", cost=usd)
        for at, usd in enumerate((None, 0.25, 0.5, 0.5))
    )
    monkeypatch.setattr(answers, "unit_costs", lambda _: SimpleNamespace(runs=runs))
    monkeypatch.setattr(
        answers, "retraining_of", lambda rows, _: [SimpleNamespace(cost_per_run=len(rows) + 7.0)]
    )
    largest, mean = numbers_of("runs", worlds.plan())
    assert (largest.value, largest.path, mean.value) == (0.5, "unit_costs.runs[2].usd", 8.0)
    assert "k2" in mean.path and "n2" in str(largest.title)
    monkeypatch.setattr(answers, "unit_costs", lambda _: SimpleNamespace(runs=()))
    assert numbers_of("runs", worlds.plan()) == []
