"""Pages of a plan, on the small plan (`worlds.plan`) and on stated rows: costs, decisions, savings, terms and months.

The plan costs $27,153 in its first month, doing nothing $29,930.
"""

from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from gpuplanner.domain.brief import approval as approvals
from gpuplanner.domain.brief import (
    decision_words,
    decisions_page,
    pages,
    plan_pages,
    savings_page,
    sensitivity_pages,
)
from gpuplanner.domain.brief.approval import Approval, approval_on
from gpuplanner.domain.brief.briefs import plan_brief
from gpuplanner.domain.commitment.decision_waits import ChangedWait, DecisionWaits, PoolWait
from gpuplanner.domain.commitment.next_decision import NextDecision
from gpuplanner.domain.commitment.order_days import seen_in
from gpuplanner.domain.commitment.outlook_result import NOT_YET, Outlook, Uncertainty
from gpuplanner.domain.commitment.plan.happenings import Happening
from gpuplanner.domain.commitment.result import IF_IT_LASTS
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.amounts import PartSum
from gpuplanner.domain.model.plan.scenario import DoneDecision
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import DAY_S
from tests.domain import worlds
from tests.domain.brief.small_plan import ORDERS, PLAN_S, TOTALS, approval, flip, numbers, values
from tests.domain.commitment.conftest import contract

BAND = Uncertainty(
    p10_usd_per_month=10.0,
    p50_usd_per_month=20.0,
    p90_usd_per_month=30.0,
    regret_p50_usd_per_month=1.0,
    regret_p90_usd_per_month=4.0,
    year_p10_usd=100.0,
    year_p90_usd=300.0,
)


# --- The first page and the plan


def test_a_decision_that_costs_in_twelve_months_says_from_when_it_pays() -> None:
    of = worlds.plan()
    costs = NextDecision(
        decision_id="a",
        number=1,
        kind="order",
        subject="8 H100",
        year_without=100.0,
        year_with=500.0,
        saves_in_month_12=100.0,
        months_after=24.0,
    )
    assert "$2,000" in str(costs.reason)
    saves = replace(costs, decision_id="b", number=2, year_with=50.0, months_after=None)
    outlook = replace(of.outlook or Outlook(), next_decisions=(costs, saves))
    made = plan_brief(replace(of, outlook=outlook), PLAN_S, "1")
    (listed,) = (
        block
        for page in made.pages
        for row in page.rows
        for block in row
        if isinstance(block, pages.TableBlock) and block.title is decision_words.LATER
    )
    assert [str(row[2]) for row in listed.rows] == [f"Order 8 H100, {costs.reason}", "Order 8 H100"]


def test_what_was_put_off_is_marked_and_what_is_done_is_named_below() -> None:
    """Five decisions: one of now, which was put off, three later ones, and one that is done."""
    of = worlds.plan()
    made = NextDecision(decision_id="0", kind="end", subject="x", year_without=9.0, year_with=0.0)
    rows = tuple(replace(made, decision_id=str(at), number=at, is_now=at == 1) for at in range(1, 5))
    done = DoneDecision(decision_id="y:done:7", number=7, kind="end", subject=worded("y"), committed_usd=5.0)
    plan = replace(of.plan, postponed=frozenset({"1"}), done=(done,))
    project = replace(of.project, scenarios=(plan,))

    def blocks(listed: tuple[NextDecision, ...]) -> list[pages.Block]:
        outlook = replace(of.outlook or Outlook(), next_decisions=listed)
        brief = plan_brief(replace(of, project=project, outlook=outlook), PLAN_S, "1")
        return [block for row in brief.pages[0].rows for block in row]

    now, later = [one for one in blocks(rows) if isinstance(one, pages.TableBlock) and one.day_column == 1]
    assert [(str(row[0]), str(row[2])) for row in now.rows] == [("D1", "Not now: End x")]
    assert [str(row[0]) for row in later.rows] == ["D2", "D3", "D4"]
    assert str(later.note).endswith("Done: D7.")
    (said, *_) = blocks(())
    assert isinstance(said, pages.TextBlock) and str(said.sentences[0]) == "Done: D7."


def headline(**changes: Any) -> tuple[Any, Any]:
    of = worlds.plan()
    plan, saved = decisions_page.headline_figures(of, replace(of.advised, totals=replace(TOTALS, **changes)))
    return plan, saved


def test_twelve_months_of_the_plan_stand_beside_today_and_what_they_save() -> None:
    """Twelve months cost $320,248, without new commitments $394,200."""
    plan, saved = headline()
    assert (plan.key, round(plan.amount), numbers(plan.text)) == ("plan_12_months", 320_248, ["$320,248"])
    assert numbers(plan.note) == ["$27,153", "$29,930"] and "today" in str(plan.note)
    assert (saved.key, round(saved.amount), numbers(saved.text)) == ("savings_12_months", 73_952, ["$73,952"])
    assert numbers(saved.note) == ["19", "$394,200"]
    of = worlds.plan()
    bare = replace(of, project=replace(of.project, contracts=()))
    (plan, saved) = decisions_page.headline_figures(bare, of.advised)
    assert "today" not in str(plan.note) + str(saved.note)


def test_savings_of_unlike_work_are_unknown_and_say_why() -> None:
    month = replace(worlds.plan().advised.comparison[0], use_usd=None)
    of = worlds.plan()
    lacks = replace(of.advised, comparison=(month, *of.advised.comparison[1:]))
    rate = str(decisions_page.headline_figures(of, lacks)[1].note)
    nobody = headline(savings_vs_do_nothing=None)[1]
    assert "rate" in rate and "unserved" in str(nobody.note) and nobody.amount is None


def test_use_idle_cost_and_terms_of_the_plan_stand_beside_todays() -> None:
    of = worlds.plan()
    totals = replace(
        TOTALS,
        unused_plan=1234.4,
        effective_utilization_plan=0.625,
        effective_utilization_now=0.5,
        lock_in_months=7.25,
        lock_in_now_months=3.5,
    )
    unused, use, terms = plan_pages.plan_figures(of.audit, of.advised, totals, True)
    assert (unused.amount, use.amount, terms.amount) == (1234.4, 0.625, 7.25)
    assert numbers(unused.note)[-1] == f"${of.audit.bridge.stranded_metered:,.0f}"
    assert (str(use.text), numbers(use.note)) == ("62.5%", ["50.0"])
    assert (numbers(terms.text), numbers(terms.note)) == (["7.3"], ["3.5"])
    assert [figure.note for figure in plan_pages.plan_figures(of.audit, of.advised, totals, False)] == [
        ""
    ] * 3


def test_the_curves_are_of_the_rows_of_most_dollars_then_of_most_demand() -> None:
    of = worlds.plan()
    pool = of.advised.pools[0]
    rows = [
        replace(pool, gpu_model=name, cost_per_month=usd, demand=replace(pool.demand, gpu_hours=hours))
        for name, usd, hours in (("A", 5.0, 1.0), ("B", None, 9.0), ("C", 7.0, 1.0), (None, 5.0, 2.0))
    ]
    page = plan_pages.plan_page(of, replace(of.advised, pools=tuple(rows)), TOTALS)
    curves = [
        block.plan.gpu_model for row in page.rows for block in row if isinstance(block, pages.DurationChart)
    ]
    assert curves == ["C", None]
    titles = [
        str(block.title) for row in page.rows for block in row if isinstance(block, pages.DurationChart)
    ]
    assert "C" in titles[0] and str(pages.UNKNOWN_MODEL) in titles[1]
    unpriced = tuple(replace(row, cost_per_month=None) for row in rows)
    page = plan_pages.plan_page(of, replace(of.advised, pools=unpriced), TOTALS)
    curves = [
        block.plan.gpu_model for row in page.rows for block in row if isinstance(block, pages.DurationChart)
    ]
    assert curves == ["B", None]


def test_work_left_to_nobody_is_named_up_to_three(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decisions_page.pages, "listed", lambda names: "|".join(map(str, names)))
    of: Any = SimpleNamespace(
        in_parts=SimpleNamespace(
            project=SimpleNamespace(
                workloads=[
                    SimpleNamespace(key=key, name=name, cluster=cluster)
                    for key, name, cluster in (
                        ("a", "chat", "x"),
                        ("b", "chat", ""),
                        ("c", "sft", "x"),
                        ("d", "sweep", "x"),
                        ("e", "embed", "x"),
                    )
                ]
            )
        )
    )

    def names(*keys: str, reason: str = "other") -> list[str]:
        rows = [SimpleNamespace(key=key, reason=reason) for key in keys]
        return [
            values(text)["names"]
            for text in decisions_page.describe_unserved(of, SimpleNamespace(unserved=rows))
        ]  # type: ignore[arg-type]

    assert names("a", "a", "b", "c") == ["chat (x)|chat|sft"]
    assert names("a", "b", "c", "d", "e") == ["chat (x)|chat|sft|2 more"]
    assert names("a", "b", "c", "d", reason=decisions_page.OVER_BUDGET) == ["chat (x)|chat|sft|1 more"]


def test_the_first_flip_is_what_would_make_it_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(savings_page, "flip_sentence", lambda point: f"at {point.at:g}")
    sensitivity = sensitivity_pages.Sensitivity((), (flip(3.0), flip(4.0)))
    assert list(map(str, savings_page.list_risks(worlds.plan(), TOTALS, None, sensitivity, 60))) == ["at 3."]
    none = replace(sensitivity, flips=())
    assert savings_page.list_risks(worlds.plan(), TOTALS, None, none, 60) == ()


def test_savings_are_those_of_twelve_months_and_of_the_first() -> None:
    of = worlds.plan().advised
    step = SimpleNamespace(key="savings_vs_do_nothing", exact=2776.67)
    story: Any = SimpleNamespace(steps=[step])
    assert numbers(plan_pages.steps_title(story, of)) == ["$73,952", "$2,777"]
    unknown = replace(of, comparison=(replace(of.comparison[0], use_usd=None), *of.comparison[1:]))
    assert numbers(plan_pages.steps_title(story, unknown)) == []
    step.exact = None
    assert numbers(plan_pages.steps_title(story, of)) == []


def test_totals_are_bars_from_zero_and_steps_are_not() -> None:
    def bar(key: str, exact: float | None, *, is_total: bool) -> Any:
        row: Any = SimpleNamespace(
            key=key, called="N", note="n", exact=exact, saved_per_month=exact, is_total=is_total
        )
        return plan_pages.savings_bar(row)

    step, own, total = (
        bar("terms", 5.0, is_total=False),
        bar("savings_vs_do_nothing", 7.0, is_total=True),
        bar("savings", 9.0, is_total=True),
    )
    assert [item.kind for item in (step, own, total)] == ["step", "result", "result"]
    assert [str(item.text) for item in (step, own, total)] == ["+5", "7", "9"]
    assert str(total.name) == "N" != str(own.name)


# --- What is to be approved


def decisions(orders: Any, *, day: int = 0, **changes: Any) -> tuple[list[str], Approval]:
    of = worlds.plan()
    advice = replace(of.advised, orders=orders, totals=replace(TOTALS, **changes), checks=())
    seen = approval_on(advice, of.project, PLAN_S + day * DAY_S)
    words = decisions_page.list_questions(replace(of, advice=advice), advice, seen)
    return [str(text) for text in words], seen


def test_what_is_to_sign_is_told_where_there_is_nothing() -> None:
    """Neither now nor later: nothing is worth it, or nobody can say; what is over says so in the title."""
    none, _ = decisions((), liability=0.0, liability_now=0.0)
    unpriced, _ = decisions((), plan=None)
    some, _ = decisions(ORDERS[1:2])
    assert len(set(none) - set(unpriced)) == len(set(unpriced) - set(none)) == 1
    assert not {*none} - {*unpriced} & {*some}
    over, seen = decisions(ORDERS, day=900)
    assert seen.over and not set(none) - set(unpriced) & set(over)


def test_orders_that_only_young_demand_needs_are_counted() -> None:
    young = replace(ORDERS[1], reason=IF_IT_LASTS)
    told = [
        {number for text in decisions(orders)[0] for number in [text]}
        for orders in (ORDERS, (*ORDERS, young))
    ]
    (more,) = told[1] - told[0]
    assert numbers(more) == ["1"]
    (two,) = {*decisions((*ORDERS, young, young))[0]} - told[0]
    assert numbers(two) == ["2"]


@pytest.mark.parametrize(
    ("values", "is_new"),
    [
        ({}, True),
        ({"existing": True}, False),
        ({"term_months": 0}, False),
        ({"term_months": None}, False),
        ({"gpus": 0.0}, False),
        ({"gpus": 0.5}, True),
    ],
)
def test_a_new_layer_has_a_term_and_gpus(values: dict[str, Any], is_new: bool) -> None:
    layer: Any = SimpleNamespace(**({"existing": False, "term_months": 12, "gpus": 4.0} | values))
    assert plan_pages.is_new_commitment(layer) is is_new


def test_nothing_is_asked_for_where_no_order_or_no_sum_is_known() -> None:
    """What K3 costs is unknown, and so is the plan."""
    of = worlds.unpriced()
    asks = replace(approval(0, of), now=ORDERS[1:2], left=ORDERS[1:2], usd=90_520.0)

    def is_asked(item: Approval, **changes: Any) -> bool:
        title = decision_words.question_title(item, replace(of.advised, **changes))
        return str(approvals.ask(item)) in str(title)

    assert is_asked(asks)
    assert is_asked(replace(asks, usd=None)), "at least what is known"
    assert not is_asked(replace(asks, now=())) and not is_asked(replace(asks, now=(), usd=None))


def test_terms_of_days_are_told_in_days() -> None:
    """4 GPUs for a year, of which one layer is for 90 days."""
    of = worlds.plan().advised
    pools = tuple(
        replace(
            pool,
            layers=tuple(
                replace(layer, term_months=3, term_days=90) if layer.is_new else layer
                for layer in pool.layers
            ),
        )
        for pool in of.pools
    )
    assert numbers(plan_pages.plan_title(replace(of, pools=pools))) == ["4", "90"]


# --- Total of the plan


def answered(usd: float | None = None, **totals: Any) -> Message:
    """Of the small plan, whose twelve months cost $320,248 and doing nothing $394,200, with $ more in its first."""
    of = worlds.plan().advised
    first = replace(of.comparison[0], use_usd=None if usd is None else (of.comparison[0].use_usd or 0) + usd)
    months = (first, *of.comparison[1:])
    return decisions_page.answer(replace(of, totals=replace(TOTALS, **totals), comparison=months))


def test_a_title_says_first_what_to_approve() -> None:
    of = worlds.plan()
    title = decision_words.question_title(approval(), of.advised)
    assert numbers(title) == ["$135,780", "31", "2026"]
    lacking = worlds.unpriced()
    part = decision_words.question_title(approval(0, lacking), lacking.advised)
    assert lacking.advised.totals.plan is None and any("$" in number for number in numbers(part))
    priced = replace(approval(0, lacking), now=(ORDERS[1],), left=(ORDERS[1],), usd=90_520.0)
    assert numbers(decision_words.question_title(priced, lacking.advised))[0] == "$90,520"
    assert "at least $90,520" in str(
        decision_words.question_title(replace(priced, usd=None), lacking.advised)
    )
    assert "$90,520" not in str(decision_words.question_title(replace(priced, now=()), lacking.advised))


def test_terms_are_named_longest_first() -> None:
    cases: Sequence[tuple[set[tuple[int, int]], list[str]]] = (
        ({(12, 0)}, ["12"]), ({(12, 0), (36, 0)}, ["36", "12"]), ({(3, 90), (12, 0)}, ["12", "90"]), ({(3, 90)}, ["90"])
    )  # fmt: skip
    for terms, result in cases:
        assert numbers(plan_pages.write_terms(terms)) == result
    of = worlds.plan().advised
    layer = next(each for pool in of.pools for each in pool.layers if each.is_new)
    assert plan_pages.is_new_commitment(layer)
    for changes in ({"existing": True}, {"term_months": 0}, {"term_months": None}, {"gpus": 0.0}):
        assert not plan_pages.is_new_commitment(replace(layer, **changes))
    assert numbers(plan_pages.plan_title(of))[:2] == ["4", "12"]
    no_new = replace(
        of,
        pools=tuple(
            replace(pool, layers=tuple(each for each in pool.layers if not each.is_new)) for pool in of.pools
        ),
    )
    bare = replace(no_new, pools=tuple(replace(pool, layers=()) for pool in of.pools), idle_existing=())
    titles = {
        plan_pages.plan_title(item).template
        for item in (of, no_new, replace(no_new, orders=()), replace(of, pools=()))
    }
    assert len(titles) >= 3
    texts = {str(plan_pages.plan_title(replace(item, orders=()))) for item in (no_new, bare)}
    assert len(texts) == 2


def test_what_would_make_it_wrong_has_what_is_known() -> None:
    totals = worlds.plan().advised.totals
    outlook = replace(NOT_YET, uncertainty=BAND)
    (year,) = savings_page.list_risks(worlds.plan(), totals, outlook, None, 60)
    assert numbers(year) == ["80", "$100", "$300"]
    assert (
        savings_page.list_risks(worlds.plan(), totals, None, None, 60)
        == savings_page.list_risks(worlds.plan(), totals, NOT_YET, None, 60)
        == ()
    )
    unknown = replace(outlook, uncertainty=replace(BAND, year_p10_usd=None))
    assert savings_page.list_risks(worlds.plan(), totals, unknown, None, 60) == ()


def events(
    starting: Any = (), ending: Any = (), to_sign: Any = (), contracts: Any = (), notices: Any = ()
) -> Happening:
    return Happening(
        starting=tuple(starting),
        ending=tuple(ending),
        to_sign=tuple(to_sign),
        contracts_ending=tuple(contracts),
        notices=tuple(notices),
    )


def test_what_happens_in_a_month_is_named_or_that_nothing_does() -> None:
    k1 = contract("K1", 4, 2.0, 2, 730, notice_days=15)
    starts, ends, signs = plan_pages.happens_in(events(ORDERS[:1], ORDERS[1:2], ORDERS[:2], [k1]))
    assert (numbers(starts), numbers(signs)) == (["2"], ["6"]) and str(ends).startswith("K1, ")
    assert plan_pages.happens_in(events()) == ("", "", "")
    assert str(plan_pages.happens_in(events(contracts=[k1]))[1]) == "K1"
    assert numbers(plan_pages.happens_in(events(ending=ORDERS[:1]))[1]) == ["2"]
    every = plan_pages.happens_sentences(events(ORDERS[:1], ORDERS[1:2], ORDERS[:2], [k1], [k1]))
    assert [numbers(text)[0] for text in every] == ["2", "1", "6", "18"] and len(every) == 4
    (nothing,) = plan_pages.happens_sentences(events())
    assert numbers(nothing) == []
    (ended,) = plan_pages.happens_sentences(events(contracts=[k1]))
    assert "K1" in str(ended)


def test_a_month_of_the_year_has_its_costs_and_what_happens() -> None:
    of = worlds.plan()
    page = plan_pages.month_scene(of.advised, seen_in(of.project), 1)
    assert [(figure.key, round(figure.amount or 0)) for figure in page.figures] == [
        ("plan", 29_565), ("do_nothing", 29_930), ("savings_vs_do_nothing", 365)
    ]  # fmt: skip
    (row,) = page.rows
    assert row[0].at == 1 and numbers(row[1].sentences[0]) == ["2"]
    assert numbers(page.title)[:1] == ["2"]
    unknown = replace(
        of.advised, comparison=(replace(of.advised.comparison[0], use_usd=None), *of.advised.comparison[1:])
    )
    assert [figure.amount for figure in plan_pages.month_scene(unknown, seen_in(of.project), 0).figures] == [
        None,
        29_930.0,
        None,
    ]
    apart = replace(of.advised, totals=replace(of.advised.totals, savings_vs_do_nothing=None))
    lacks = plan_pages.month_scene(apart, seen_in(of.project), 0)
    assert [figure.amount for figure in lacks.figures][1:] == [None, None]
    assert [line.is_main for line in lacks.rows[0][0].lines] == [True]
    assert numbers(plan_pages.year_page(of, unknown, approval()).title) == []
    last = replace(
        of.advised, comparison=(*of.advised.comparison[:-1], replace(of.advised.comparison[-1], use_usd=None))
    )
    assert numbers(plan_pages.year_page(of, last, approval()).title) == []


def test_work_that_is_left_to_nobody_is_named_by_why() -> None:
    of = worlds.plan()
    keys = [work.key for work in of.project.workloads]
    rows = [
        SimpleNamespace(key=key, reason=why)
        for key, why in zip(keys, ("a", decisions_page.OVER_BUDGET, "a"), strict=True)
    ]
    many = [SimpleNamespace(key=f"k{at}", reason="a") for at in range(5)]

    def texts(*unserved: Any) -> list[str]:
        return [
            str(text) for text in decisions_page.describe_unserved(of, SimpleNamespace(unserved=unserved))
        ]  # type: ignore[arg-type]

    over, others = texts(*rows)
    assert "load-001" in over and "load-000" in others and "load-002" in others and "load-001" not in others
    (five,) = texts(*many)
    assert "k2" in five and "k3" not in five and "2 " in five
    (three,) = texts(*many[:3])
    assert "k2" in three and numbers(three.replace("k", "")) == ["0", "1", "2"]
    assert texts() == []


@pytest.mark.parametrize(
    ("terms", "written"),
    [({(12, 0)}, ["12"]), ({(12, 0), (36, 0)}, ["36", "12"]), ({(12, 0), (0, 90)}, ["12", "90"])],
)
def test_terms_are_listed_from_the_longest_on(terms: Any, written: list[str]) -> None:
    text = plan_pages.write_terms(terms)
    assert numbers(text) == written
    assert str(text).count("months") == 1


# --- Waits of decisions


def decided_waits(after_h: float, number: int) -> NextDecision:
    """Ends K2, after which training waits so long; without it 2 h."""
    pool = ChangedWait(
        without=PoolWait(pool=Pool.TRAINING, p90_h=2.0), after=PoolWait(pool=Pool.TRAINING, p90_h=after_h)
    )
    waits = DecisionWaits(begins_s=PLAN_S, month=0, pools=(pool,))
    return NextDecision(
        decision_id=f"contract:{number}",
        number=number,
        kind="end",
        subject="K2",
        contract_id="K2",
        waits=waits,
    )


def test_page_1_names_the_two_decisions_that_lengthen_waits_most_and_counts_the_others() -> None:
    rows = [
        decided_waits(after_h, number) for number, after_h in enumerate((3.0, 9.0, 64.0, 3.5, 4.0), start=1)
    ]
    words = list(map(str, savings_page.list_longer_waits(rows)))
    assert words == [f"{rows[2].wait_words}.", f"{rows[1].wait_words}.", words[-1]]
    assert numbers(words[-1]) == ["2"]  # 3 h are an hour longer and no more
    assert savings_page.list_longer_waits(rows[:1]) == []
    assert len(savings_page.list_longer_waits(rows[:3])) == 2


def test_months_without_a_rate_add_up_to_what_is_known_of_the_year() -> None:
    months = [savings_page.MonthCost(f"month {number}", None, None) for number in (1, 2)]
    year = savings_page.YearSums(
        nothing=PartSum(300.0, 2, ("A100",)), plan=PartSum(200.0, 2, ("A100",)), saved_usd=100.0
    )
    table = savings_page.month_table(months, year, is_compared=True)
    assert [str(cell) for cell in table.total[1:4]] == ["≥ 300", "≥ 200", "100"]
    assert {str(cell) for row in table.rows for cell in row[1:]} == {"—"}
    alone = savings_page.month_table(months, year, is_compared=False)
    assert [str(cell) for cell in alone.total[1:4]] == ["—", "≥ 200", "—"]
