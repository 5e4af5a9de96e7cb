"""Branches of the brief by hand, on stated rows beside the small plan (`worlds.plan`): decisions, orders, reports.

The plan costs $27,153 in its first month, doing nothing $29,930.
"""

import re
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.brief import approval as approvals
from gpuplanner.domain.brief import briefs, pages, plan_pages, sensitivity_pages
from gpuplanner.domain.brief.approval import Approval, approval_on
from gpuplanner.domain.brief.pages import (
    Bar,
    BridgeChart,
    Line,
    MonthsChart,
    TableBlock,
    TextBlock,
    TimelineChart,
)
from gpuplanner.domain.commitment.result import IF_IT_LASTS
from gpuplanner.domain.commitment.uncertainty.flips import FlipPoint
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.message import Message, Text
from gpuplanner.domain.model.amounts import NO_PARTS, PartSum
from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import DAY_S, MONTH_S, Window
from tests.domain import worlds
from tests.domain.audit.conftest import START_S

PLAN_S = worlds.PLAN_S
TOTALS = worlds.plan().advised.totals
ORDERS = worlds.plan().advised.orders


def numbers(text: Text) -> list[str]:
    return re.findall(r"\$?\d[\d,.]*\d|\$?\d", str(text))


def values(text: Text) -> dict[str, str]:
    """What stands in the places of a message."""
    assert isinstance(text, Message)
    return {name: str(part) for name, part in text.values.items()}


# --- The first page and the plan


def headline(**changes: Any) -> tuple[Any, Any]:
    of = worlds.plan()
    plan, saved = plan_pages._headline(of, replace(of.advised, totals=replace(TOTALS, **changes)))
    return plan, saved


def test_twelve_months_of_the_plan_stand_beside_today_and_what_they_save() -> None:
    """Twelve months cost $320,248, without new commitments $394,200."""
    plan, saved = headline()
    assert (plan.key, round(plan.amount), numbers(plan.text)) == ("plan_12_months", 320_248, ["$320,248"])
    assert numbers(plan.note) == ["$27,153", "$29,930"] and "today" in str(plan.note)
    assert (saved.key, round(saved.amount), numbers(saved.text)) == ("savings_12_months", 73_952, ["$73,952"])
    assert numbers(saved.note) == ["$394,200"]
    of = worlds.plan()
    bare = replace(of, project=replace(of.project, contracts=()))
    (plan, saved) = plan_pages._headline(bare, of.advised)
    assert "today" not in str(plan.note) + str(saved.note)


def test_savings_of_unlike_work_are_unknown_and_say_why() -> None:
    month = replace(worlds.plan().advised.comparison[0], use_usd=None)
    of = worlds.plan()
    lacks = replace(of.advised, comparison=(month, *of.advised.comparison[1:]))
    rate = str(plan_pages._headline(of, lacks)[1].note)
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
    unused, use, terms = plan_pages._plan_figures(of.audit, of.advised, totals, True)
    assert (unused.amount, use.amount, terms.amount) == (1234.4, 0.625, 7.25)
    assert numbers(unused.note)[-1] == f"${of.audit.bridge.stranded_metered:,.0f}"
    assert (str(use.text), numbers(use.note)) == ("62.5%", ["50.0"])
    assert (numbers(terms.text), numbers(terms.note)) == (["7.3"], ["3.5"])
    assert [figure.note for figure in plan_pages._plan_figures(of.audit, of.advised, totals, False)] == [
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
    monkeypatch.setattr(plan_pages.pages, "listed", lambda names: "|".join(map(str, names)))
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
            values(text)["names"] for text in plan_pages._left_to_nobody(of, SimpleNamespace(unserved=rows))
        ]  # type: ignore[arg-type]

    assert names("a", "a", "b", "c") == ["chat (x)|chat|sft"]
    assert names("a", "b", "c", "d", "e") == ["chat (x)|chat|sft|2 more"]
    assert names("a", "b", "c", "d", reason=plan_pages.OVER_BUDGET) == ["chat (x)|chat|sft|1 more"]


def flip(at: float, assumption: str = "growth", value: float = 0.02) -> FlipPoint:
    known = {"assumption": assumption, "at": at, "value": value}
    return FlipPoint(**{name: known.get(name) for name in FlipPoint.__slots__})  # type: ignore[arg-type]


def test_the_first_flip_is_what_would_make_it_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan_pages, "flip_sentence", lambda point: f"at {point.at:g}")
    sensitivity = sensitivity_pages.Sensitivity((), (flip(3.0), flip(4.0)))
    assert list(map(str, plan_pages._wrong(TOTALS, None, sensitivity, 60))) == ["at 3."]
    none = replace(sensitivity, flips=())
    assert plan_pages._wrong(TOTALS, None, none, 60) == ()


def test_savings_are_those_of_twelve_months_and_of_the_first() -> None:
    of = worlds.plan().advised
    step = SimpleNamespace(key="savings_vs_do_nothing", exact=2776.67)
    story: Any = SimpleNamespace(steps=[step])
    assert numbers(plan_pages._savings_title(story, of)) == ["$73,952", "$2,777"]
    unknown = replace(of, comparison=(replace(of.comparison[0], use_usd=None), *of.comparison[1:]))
    assert numbers(plan_pages._savings_title(story, unknown)) == []
    step.exact = None
    assert numbers(plan_pages._savings_title(story, of)) == []


def test_totals_are_bars_from_zero_and_steps_are_not() -> None:
    def bar(key: str, exact: float | None, *, is_total: bool) -> Any:
        row: Any = SimpleNamespace(
            key=key, called="N", note="n", exact=exact, saved_per_month=exact, is_total=is_total
        )
        return plan_pages._bar(row)

    step, own, total = (
        bar("terms", 5.0, is_total=False),
        bar("savings_vs_do_nothing", 7.0, is_total=True),
        bar("savings", 9.0, is_total=True),
    )
    assert [item.kind for item in (step, own, total)] == ["step", "result", "result"]
    assert [str(item.text) for item in (step, own, total)] == ["+5", "7", "9"]
    assert str(total.name) == "N" != str(own.name)


# --- What is to be approved


def approval(day: int = 0, of: Evaluation | None = None) -> Approval:
    chosen = of or worlds.plan()
    return approval_on(chosen.advised, chosen.project, PLAN_S + day * DAY_S)


def decisions(orders: Any, *, notices: Any = (), day: int = 0, **changes: Any) -> tuple[list[str], Approval]:
    of = worlds.plan()
    advice = replace(of.advised, orders=orders, totals=replace(TOTALS, **changes), checks=())
    seen = approval_on(advice, of.project, PLAN_S + day * DAY_S)
    words = plan_pages._decisions(replace(of, advice=advice), advice, seen, notices)
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


def test_notices_are_the_last_of_what_is_to_decide() -> None:
    k2, k1 = (PLAN_S + DAY_S, "K2"), (PLAN_S + 9 * DAY_S, "K1")
    plain, _ = decisions(ORDERS)
    given, _ = decisions(ORDERS, notices=[k2, k1])
    assert given[:-1] == plain
    assert numbers(given[-1]) == ["2", "1", "2026", "1", "9", "2026"]


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
    assert plan_pages._is_new(layer) is is_new


def test_nothing_is_asked_for_where_no_order_or_no_sum_is_known() -> None:
    """What K3 costs is unknown, and so is the plan."""
    of = worlds.unpriced()
    asks = replace(approval(0, of), now=ORDERS[1:2], left=ORDERS[1:2], usd=90_520.0)

    def is_asked(item: Approval, **changes: Any) -> bool:
        title = plan_pages._question_title(item, replace(of.advised, **changes))
        return str(approvals.ask(item)) in str(title)

    assert is_asked(asks)
    assert not is_asked(replace(asks, now=())) and not is_asked(replace(asks, usd=None))


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
    assert numbers(plan_pages._plan_title(replace(of, pools=pools))) == ["4", "90"]


def test_without_an_order_it_is_told_whether_some_are_over() -> None:
    of = worlds.plan()
    none = replace(of, advice=replace(of.advised, orders=()))
    gone, never = (approvals.commitment_figures(item)[2].note for item in (approval(900), approval(0, none)))
    assert "left" in str(gone) and "left" not in str(never)


def test_the_line_of_time_is_of_36_months_and_blank_without_a_calendar() -> None:
    of, seen = worlds.plan(), approval()
    chart = approvals._timeline(of, seen, {})
    assert chart.end_s == PLAN_S + 36 * MONTH_S and chart.rows
    undated = replace(seen, seen=replace(seen.seen, begins_s=5, written_s=5))
    assert approvals._timeline(of, undated, {}).rows == ()


def test_what_is_bought_is_placed_and_what_is_not_is_signed() -> None:
    """16 GPUs are bought, 6 of another plan signed for; of both 22."""
    signs, buys = approval(), approval(0, worlds.limited())
    both = replace(
        signs, now=(*signs.now, *(replace(order, row=7 + at) for at, order in enumerate(buys.now)))
    )
    text = values(both.gpus_words)
    assert (numbers(text["buys"]), numbers(text["signs"])) == (["16"], ["6"])
    assert not re.search(r"[-\u2212]\d", " ".join(text.values()))


def test_the_sum_of_what_is_left_is_worked_out_where_some_is_over() -> None:
    of = worlds.plan()
    unknown = replace(
        of, advice=replace(of.advised, totals=replace(TOTALS, liability=None, liability_now=None))
    )
    late = approval(300, unknown)
    assert late.over and late.in_all_usd is None and late.usd is None
    assert approval(0, unknown).in_all_usd is None
    assert approval(300).in_all_usd == pytest.approx(197_100 - 30_660)
    stated = replace(of, advice=replace(of.advised, totals=replace(TOTALS, liability=5.0, liability_now=7.0)))
    early = approval(0, stated)
    assert not early.over and (early.in_all_usd, early.usd) == (5.0, 7.0)


def test_orders_at_other_prices_than_the_list_say_both(monkeypatch: pytest.MonkeyPatch) -> None:
    of = worlds.plan()
    sums = {"expected": 100.0, "listed": 120.0}
    monkeypatch.setattr(approvals, "at_list", lambda orders, _: "list" if orders else "")
    monkeypatch.setattr(
        approvals, "liability_usd", lambda orders: sums["listed" if orders == "list" else "expected"]
    )
    assert numbers(approvals.prices_words(of, ORDERS)) == ["$100", "$120"]
    for expected, listed in ((100.0, 100.4), (None, 120.0), (100.0, None)):
        sums.update(expected=expected, listed=listed)  # type: ignore[arg-type]
        assert not str(approvals.prices_words(of, ORDERS))


def intake(name: str, sha256: str = "0123456789abcdef") -> FileIntake:
    return FileIntake(
        path=f"/data/{name}",
        kind="jobs",
        format="mapped",
        rows_read=9,
        rows_accepted=7,
        rows_rejected=2,
        rows_duplicate=0,
        rows_ignored=0,
        issues=(),
        sha256=sha256,
    )


@pytest.mark.parametrize(
    ("count", "named", "more"), [(0, 0, None), (1, 1, None), (4, 4, None), (5, 4, 1), (7, 4, 3)]
)
def test_sources_are_named_up_to_four(count: int, named: int, more: int | None) -> None:
    of = worlds.plan()
    files = tuple(intake(f"f{at}.csv") for at in range(count))
    block = approvals.sources(replace(of, project=replace(of.project, intake=files)))
    made = str(block.sentences[0])
    assert [f"f{at}.csv" in made for at in range(8)] == [at < named for at in range(8)]
    assert len(block.sentences) == 2
    if more is not None:
        assert values(block.sentences[0])["more"] == str(more)
    if count:
        assert "0123456789ab;" not in made and "0123456789ab" in made and "0123456789abc" not in made
        assert "/data" not in made and "7 rows" in made and "2 rejected" in made
    unkept = approvals.sources(replace(of, project=replace(of.project, intake=(intake("x", ""),))))
    assert "not kept" in str(unkept.sentences[0])


# --- Reports as blocks


def test_a_text_is_a_day_where_its_column_is_one_and_a_nameless_cluster_is_told() -> None:
    def text(value: Any, form: str = "text", key: str = "k") -> str:
        return str(pages._text(SimpleNamespace(of=lambda _: value, form=form, key=key), None))  # type: ignore[arg-type]

    assert numbers(text(START_S, "date")) == ["1", "2026"] and text(START_S) == str(START_S)
    assert text("2026-07-01", "date") == "2026-07-01"
    assert text("") == text(None) == "" != text("", key="cluster")
    assert text("x", key="cluster") == "x" and text(5) == "5"


def test_changes_of_money_have_a_sign_and_amounts_have_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "whole_amounts", lambda *_: [5, None])
    monkeypatch.setattr(pages, "rounded_values", lambda *_: [5, None])
    unknown = SimpleNamespace(known=NO_PARTS, text="?")

    def cells(unit: str, form: str) -> list[str]:
        column: Any = SimpleNamespace(
            figure=SimpleNamespace(unit=SimpleNamespace(key=unit)), form=form, unknown_of=lambda _: unknown
        )
        return [str(cell) for cell in pages._cells(None, column, [1, 2])]  # type: ignore[arg-type]

    assert cells("usd", "change") == ["+5", "?"] and cells("usd", "value") == ["5", "?"]
    assert cells("gpus", "change") == cells("gpus", "value") == ["5", "?"]


def test_what_stands_for_several_is_a_sum_or_what_it_is_at_least() -> None:
    usd: Any = SimpleNamespace(figure=SimpleNamespace(unit=SimpleNamespace(key="usd")))
    bare: Any = SimpleNamespace(figure=None)
    assert str(pages._of_all(bare, 5)) == "5"
    assert [
        str(pages._of_all(usd, value)) for value in (PartSum(1234.4, 1), PartSum(5.0, 2, ("x",)), 7.0)
    ] == ["1,234", "\u2265 5", "7"]
    unknown: Any = SimpleNamespace(known=PartSum(5.0, 2, ("x",)), text="?")
    assert str(pages._unknown(unknown)) == "\u2265 5"
    assert str(pages._unknown(SimpleNamespace(known=NO_PARTS, text="?"))) == "?"  # type: ignore[arg-type]


# --- The brief


def test_pages_without_advice_say_that_they_are_of_today_or_wait() -> None:
    of = worlds.plan()
    today, waits = (
        briefs._not_yet(replace(of, scenario=name), "year", "K") for name in ("Today", of.scenario)
    )
    assert "Today" in str(today.title) and "Today" not in str(waits.title)
    assert today.rows != waits.rows and (today.key, today.kicker) == ("year", "K")


def test_a_brief_needs_advice() -> None:
    with pytest.raises(ValueError, match="advice"):
        briefs.brief_of(replace(worlds.plan(), advice=None), PLAN_S, "1")


def test_teams_that_are_charged_are_counted(tables: list[Any]) -> None:
    rows: Any = tuple(
        SimpleNamespace(total_in_window=usd, budget_in_window=None) for usd in (5.0, 0.0, None, 3.0)
    )
    of = briefs.charges_of(worlds.past().evaluation)
    charges = replace(of, rows=rows, whole=replace(of.whole, total_in_window=8.0))
    assert numbers(briefs._overview(charges).title) == ["$8", "3"]
    unknown = replace(charges, whole=replace(of.whole, total_in_window=None))
    assert numbers(briefs._overview(unknown).title) == []
    briefs._statement(of.rows[0], of)
    assert [asked[1:3] for asked in tables] == [({"called": 2.0}, 24)] * 2 + [({"workload": 3.2}, 20)]


def test_large_figures_of_a_team_have_short_titles() -> None:
    row = briefs.charges_of(worlds.past().evaluation).rows[0]
    for key in (*briefs.LARGE, *briefs.BUDGET):
        figure = briefs._large(row, key)
        assert 0 < len(str(figure.title)) <= len(str(briefs.CHARGE[key].title))


@pytest.mark.parametrize(
    ("block", "is_empty"),
    [
        (TableBlock(title="T", columns=(), rows=(), total=(), note=""), True),
        (TableBlock(title="T", columns=(), rows=(("x",),), total=(), note=""), False),
        (TimelineChart(title="T", rows=(), begin_s=0, end_s=9, written_s=0), True),
        (TextBlock("T", ()), True),
        (TextBlock("T", ("a",)), False),
        (MonthsChart("T", ("m",), (Line("P", (None,)), Line("Q", (None,)))), True),
        (MonthsChart("T", ("m",), (Line("P", (None,)), Line("Q", (0.0,)))), False),
        (
            BridgeChart(
                "T",
                (
                    Bar(name="A", note="", usd=0.0, kind="step", text=""),
                    Bar(name="B", note="", usd=None, kind="step", text=""),
                ),
            ),
            True,
        ),
        (
            BridgeChart(
                "T",
                (
                    Bar(name="A", note="", usd=0.0, kind="step", text=""),
                    Bar(name="B", note="", usd=-1.0, kind="step", text=""),
                ),
            ),
            False,
        ),
        (pages.DemandChart("T", None, ((Pool.BURST, np.array([])),)), False),
    ],
)
def test_what_has_nothing_to_show_is_left_out(block: Any, *, is_empty: bool) -> None:
    assert briefs._is_empty(block) is is_empty
    page = pages.Page(key="k", kicker="K", title="T", rows=((block,), (TextBlock("", ("a",)), block)))
    assert len(briefs._without_empty(page).rows) == (1 if is_empty else 2)
    assert len(briefs._without_empty(page).rows[-1]) == (1 if is_empty else 2)


def test_a_block_is_read_after_its_title() -> None:
    texts = [str(pages.block_words(TextBlock(title, ("a.", "b.")))) for title in ("T", "")]
    assert texts == ["T. a. b.", "a. b."]


def test_a_day_of_a_log_has_its_date_or_its_number() -> None:
    assert numbers(pages.day_of_log(START_S, 3)) == ["4"] and numbers(pages.day_of_log(None, 3)) == ["3"]


def test_a_log_is_told_by_its_days_or_its_length() -> None:
    assert numbers(briefs._log_words(Window(START_S, 48))) == ["1", "2026", "2", "2026"]
    assert numbers(briefs._log_words(Window(0, 60))) == ["2"]  # 2.5 days, to the even one
    assert numbers(briefs._log_words(Window(0, 70))) == ["3"]
