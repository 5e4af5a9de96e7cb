"""Words of the brief by their numbers and branches, on the small plan (`worlds.plan`) and on stated totals.

A GPU of y1 for a year is 8,760 h x $2.50 and $730 upfront, $22,630; of q3 three months are 2,190 h x $3.50, $7,665.
Training orders 4 of y1 on the first day, 31 January 2026, inference 2 on 20 February; 4 of q3 follow K1 on 1 August
2026, and 4 of them again follow those.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from math import inf
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.brief import approval as approvals
from gpuplanner.domain.brief import plan_pages, sensitivity_pages, today_pages
from gpuplanner.domain.brief.approval import Approval, approval_on
from gpuplanner.domain.brief.pages import (
    Bar,
    BridgeChart,
    Column,
    DemandChart,
    LargeFigure,
    Line,
    MonthsChart,
    Page,
    TableBlock,
    TextBlock,
    TimelineChart,
    TimeRow,
    block_words,
    days,
    page_words,
    quarters,
    sentences,
    sum_text,
)
from gpuplanner.domain.commitment.uncertainty.flips import FlipPoint
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.message import Message, Text
from gpuplanner.domain.model.amounts import NO_PARTS, PartSum
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import DAY_S, MONTH_S
from tests.domain import worlds
from tests.domain.reports.reported_results import ENDLESS, FITTING

PLAN_S = worlds.PLAN_S


def numbers(text: Text) -> list[str]:
    """Its numbers, with the sign of money."""
    return re.findall(r"\$?\d[\d,.]*\d|\$?\d", str(text))


def approval(day: int = 0, of: Evaluation | None = None) -> Approval:
    """Of the plan as it is seen so many days after it begins."""
    chosen = of or worlds.plan()
    return approval_on(chosen.advised, chosen.project, PLAN_S + day * DAY_S)


def with_orders(*orders: Any, **totals: Any) -> Evaluation:
    of = worlds.plan()
    return replace(of, advice=replace(of.advice, orders=orders, totals=replace(of.advice.totals, **totals)))


ORDERS = worlds.plan().advised.orders


# --- What is to be approved


@pytest.mark.parametrize(
    ("day", "now", "later", "over", "overdue", "lapsed", "usd"),
    [
        (0, [1, 0], [2], [], [], [], 135_780.0),
        (3, [1, 0], [2], [], [1], [], 135_780.0),
        (30, [1, 0], [2], [], [], [1, 0], 135_780.0),  # y1 is valid to 1 March
        (300, [1, 0, 3], [], [2], [3], [1, 0], 135_780.0 + 30_660.0),
        (900, [], [], [0, 1, 2, 3], [], [], 0.0),
    ],
)
def test_orders_are_now_later_or_over_on_the_day_of_writing(
    day: int,
    now: list[int],
    later: list[int],
    over: list[int],
    overdue: list[int],
    lapsed: list[int],
    usd: float,
) -> None:
    result = approval(day)
    places = [
        [ORDERS.index(order) for order in part]
        for part in (result.now, result.later, result.over, result.overdue, result.lapsed)
    ]
    assert places == [now, later, over, overdue, lapsed]
    assert (result.usd, result.own_usd) == (pytest.approx(usd), pytest.approx(135_780))
    assert result.in_all_usd == pytest.approx(197_100 - 30_660 * len(over) if day < 900 else 0.0)
    assert result.due_usd == pytest.approx(4380.0 if now else 0.0)  # $730 of each of 6 GPUs


@pytest.mark.parametrize(
    ("day", "asked", "title", "counts", "over", "due"),
    [
        (
            0,
            ["$135,780", "31", "2026"],
            ["2", "6", "31", "2026", "1"],
            ["4", "2", "1", "1"],
            [],
            ["2", "20", "2026"],
        ),
        (3, ["$135,780", "1"], ["2", "6", "1", "1"], ["4", "2", "1", "1"], [], ["2", "20", "2026"]),
        (30, ["$135,780", "2"], ["2", "1"], ["4", "2", "1", "1"], [], ["2", "2", "2026"]),
        (
            300,
            ["$166,440", "1", "$135,780"],
            ["3", "10", "1", "2"],
            ["3"],
            ["1", "$30,660"],
            ["3", "27", "2026"],
        ),
    ],
)
def test_the_sum_the_orders_and_their_days_are_named(
    day: int, asked: list[str], title: list[str], counts: list[str], over: list[str], due: list[str]
) -> None:
    result = approval(day)
    assert numbers(approvals.ask(result)) == asked
    assert numbers(approvals._title(worlds.plan().advised, result)) == title
    assert numbers(result.counts_words)[: len(counts)] == counts
    assert numbers(result.over_words) == over
    assert numbers(approvals.now_words(result, "x")) == due


def test_large_figures_are_of_now_of_the_day_and_in_all() -> None:
    now, due, in_all = approvals.commitment_figures(approval())
    assert [(item.key, item.amount) for item in (now, due, in_all)] == [
        ("liability_now", 135_780.0), ("due_at_once_now", 4380.0), ("liability", 197_100.0)
    ]  # fmt: skip
    late = approvals.commitment_figures(approval(300))
    assert [item.key for item in late] == ["to_approve", "due_at_once_now", "left_to_sign"]
    assert numbers(late[0].note)[-1] == "$135,780" and "$135,780" not in str(now.note)
    three_days = approvals.commitment_figures(approval(3))[0]  # late, with the same orders
    assert three_days.key == "to_approve" and "$135,780" not in str(three_days.note)
    gone = approvals.commitment_figures(approval(900))
    assert numbers(gone[2].note) == ["4", "$197,100"]
    none = approvals.commitment_figures(approval(0, with_orders(liability_now=0.0, liability=0.0)))
    assert numbers(none[0].note) == numbers(none[2].note) == [] and none[2].note != gone[2].note
    bought = approvals.commitment_figures(approval(0, worlds.limited()))
    assert numbers(bought[1].note) == ["16"]


def test_days_are_said_where_they_are_late_or_have_no_calendar() -> None:
    assert approvals.day_sentences(approval()) == []
    late, overdue = approvals.day_sentences(approval(3))
    assert numbers(late) == ["31", "2026", "3", "3", "2026"] and numbers(overdue) == ["1", "13", "2026"]
    assert [numbers(text)[-1] for text in approvals.day_sentences(approval(30))] == ["2026", "2"]
    assert (
        len(approvals.day_sentences(approval(300))) == 3 and len(approvals.day_sentences(approval(900))) == 1
    )
    undated = replace(approval(), seen=replace(approval().seen, begins_s=5, written_s=5))
    (counted,) = approvals.day_sentences(undated)
    assert "Plan from" in str(counted) and numbers(approvals.ask(undated)) == ["$135,780"]
    assert numbers(approvals._when(undated)) == ["2", "6"]


def test_overdue_orders_start_on_a_day_or_between_two() -> None:
    """Leads of y1 are ten days, q3 has none."""
    result = approval(300)
    same = approvals._starts(result.seen, (ORDERS[0], ORDERS[1]))
    both = approvals._starts(result.seen, (ORDERS[0], ORDERS[3]))
    assert numbers(same) == ["7", "2026"] and numbers(both) == ["27", "2026", "7", "2026"]


def test_what_is_asked_depends_on_what_is_known_and_left() -> None:
    unknown = approval(0, with_orders(*ORDERS, liability_now=None))
    nothing = approval(0, with_orders(liability_now=0.0, liability=0.0))
    later = approval(0, with_orders(ORDERS[2], liability_now=0.0))
    texts = [str(approvals.ask(item)) for item in (unknown, nothing, later, approval(900))]
    assert len(set(texts)) == 4
    assert numbers(texts[2]) == ["1", "2026"] and numbers(texts[0]) == numbers(texts[1]) == []
    assert unknown.due_usd is None
    titles = [
        str(approvals._title(item.advice, approval(0, item)))  # type: ignore[arg-type]
        for item in (with_orders(), with_orders(ORDERS[2]), worlds.plan())
    ]
    assert len(set(titles)) == 3 and "First of 1: " in titles[1]
    assert approval(0, with_orders(ORDERS[0])).first is ORDERS[0] and approval().first is ORDERS[1]
    assert nothing.first is None


def test_gpus_are_to_buy_or_to_sign_for() -> None:
    """16 are bought; of y1 6 are signed for."""
    assert numbers(approval().gpus_words) == ["6"]
    bought = approval(0, worlds.limited())
    assert numbers(bought.gpus_words) == ["16"] and bought.gpus_words != bought.gpus_counted
    mixed = approval(0, with_orders(ORDERS[0], replace(worlds.limited().advised.orders[0], row=7)))
    assert sorted(numbers(mixed.gpus_words)) == ["2", "4", "6"]
    assert numbers(mixed.gpus_words)[1:] == ["4", "2"]
    assert bought.span_unit != approval().span_unit
    assert [ORDERS.index(order) for order in approval().following] == [3]
    assert numbers(approvals._not_listed(approval())) == ["1"] and not str(
        approvals._not_listed(approval(300))
    )


def test_contracts_and_orders_are_lines_of_time() -> None:
    of = worlds.plan()
    seen, late = approval().seen, approval(3).seen
    row = approvals._order_row(ORDERS[1], seen)
    (span,) = row.spans
    assert (span.start_s, span.end_s, span.term_months) == (
        PLAN_S + 10 * DAY_S,
        PLAN_S + 10 * DAY_S + 12 * MONTH_S,
        12,
    )
    assert (row.order_by_s, row.is_overdue) == (PLAN_S, False)
    again = approvals._order_row(ORDERS[1], late)
    assert again.is_overdue and again.order_by_s == late.written_s
    assert again.spans[0].start_s == 1_770_940_800  # 13 February, ten days after 3 February
    contracts = {item.contract_id: item for item in of.project.contracts}
    verdicts = {item.contract_id: item for item in of.advice.verdicts}
    k1 = approvals._contract_row(contracts["K1"], verdicts["K1"], seen)
    end_s = contracts["K1"].end_s
    assert end_s is not None and len(k1.spans) == 2 and k1.spans[1].start_s == end_s
    assert k1.spans[1].term_months == 3 and k1.order_by_s is not None and not k1.is_overdue
    for name in ("K2", "K3"):
        alone = approvals._contract_row(contracts[name], verdicts[name], seen)
        assert len(alone.spans) == 1 and alone.order_by_s is None
    assert len(approvals._contract_row(contracts["K1"], None, seen).spans) == 1
    passed = approvals._contract_row(contracts["K1"], verdicts["K1"], approval(300).seen)
    assert passed.order_by_s is None and not passed.is_overdue
    noticed = replace(contracts["K1"], end_s=PLAN_S + 40 * DAY_S)
    due = replace(verdicts["K1"], order_by_s=PLAN_S + DAY_S, last_day_s=PLAN_S + DAY_S)
    soon = approvals._contract_row(noticed, due, approval(3).seen)
    assert soon.is_overdue and soon.order_by_s == approval(3).seen.written_s
    renewed = approvals._contract_row(contracts["K1"], replace(verdicts["K1"], ends_s=end_s + MONTH_S), seen)
    assert renewed.spans[0].end_s == end_s + MONTH_S
    assert approvals.file_name("c:\\a\\b.csv") == approvals.file_name("/x/b.csv") == "b.csv"
    assert approvals.file_name("builtin") != "builtin"


# --- Total of the plan


TOTALS = worlds.plan().advised.totals


def answered(usd: float | None = None, **totals: Any) -> Message:
    """Of the small plan, whose twelve months cost $320,248 and doing nothing $394,200, with $ more in its first."""
    of = worlds.plan().advised
    first = replace(of.comparison[0], use_usd=None if usd is None else (of.comparison[0].use_usd or 0) + usd)
    months = (first, *of.comparison[1:])
    return plan_pages.answer(replace(of, totals=replace(TOTALS, **totals), comparison=months))


@pytest.mark.parametrize(
    ("usd", "changes", "result"),
    [
        (0.0, {}, ["$73,952"]),
        (73_952.0, {}, ["12"]),
        (74_952.0, {}, ["$1,000"]),
        (0.0, {"plan": None}, []),
        (0.0, {"savings_vs_do_nothing": None}, ["$27,153"]),
        (None, {}, ["$27,153"]),
    ],
)
def test_a_plan_saves_or_costs_more_in_twelve_months(
    usd: float | None, changes: dict[str, Any], result: list[str]
) -> None:
    assert numbers(answered(usd, **changes)) == result


def test_what_is_said_of_a_plan_is_another_sentence_where_something_else_is_known() -> None:
    cases: Any = (
        (0.0, {}), (73_952.0, {}), (99_999.0, {}), (0.0, {"plan": None}), (0.0, {"savings_vs_do_nothing": None}),
        (None, {}),
    )  # fmt: skip
    assert len({answered(usd, **changes).template for usd, changes in cases}) == len(cases)


def test_a_title_says_first_what_to_approve() -> None:
    of = worlds.plan()
    title = plan_pages._question_title(approval(), of.advised)
    assert numbers(title) == ["$135,780", "31", "2026", "$73,952"]
    lacking = worlds.unpriced()
    part = plan_pages._question_title(approval(0, lacking), lacking.advised)
    assert lacking.advised.totals.plan is None and any("$" in number for number in numbers(part))
    priced = replace(approval(0, lacking), now=(ORDERS[1],), left=(ORDERS[1],), usd=90_520.0)
    assert numbers(plan_pages._question_title(priced, lacking.advised))[0] == "$90,520"
    for given in (replace(priced, usd=None), replace(priced, now=())):
        assert "$90,520" not in str(plan_pages._question_title(given, lacking.advised))


def test_terms_are_named_longest_first() -> None:
    cases: Sequence[tuple[set[tuple[int, int]], list[str]]] = (
        ({(12, 0)}, ["12"]), ({(12, 0), (36, 0)}, ["36", "12"]), ({(3, 90), (12, 0)}, ["12", "90"]), ({(3, 90)}, ["90"])
    )  # fmt: skip
    for terms, result in cases:
        assert numbers(plan_pages._terms(terms)) == result
    of = worlds.plan().advised
    layer = next(each for pool in of.pools for each in pool.layers if each.is_new)
    assert plan_pages._is_new(layer)
    for changes in ({"existing": True}, {"term_months": 0}, {"term_months": None}, {"gpus": 0.0}):
        assert not plan_pages._is_new(replace(layer, **changes))
    assert numbers(plan_pages._plan_title(of))[:2] == ["4", "12"]
    no_new = replace(
        of,
        pools=tuple(
            replace(pool, layers=tuple(each for each in pool.layers if not each.is_new)) for pool in of.pools
        ),
    )
    bare = replace(no_new, pools=tuple(replace(pool, layers=()) for pool in of.pools), idle_existing=())
    titles = {
        plan_pages._plan_title(item).template
        for item in (of, no_new, replace(no_new, orders=()), replace(of, pools=()))
    }
    assert len(titles) >= 3
    texts = {str(plan_pages._plan_title(replace(item, orders=()))) for item in (no_new, bare)}
    assert len(texts) == 2


# --- Prices


def flip(at: float, assumption: str = "delta") -> FlipPoint:
    values = {"assumption": assumption, "at": at, "value": 0.02}
    names = FlipPoint.__slots__
    return FlipPoint(**{name: values.get(name) for name in names})


@pytest.mark.parametrize(
    ("flips", "result"),
    [
        ((), 3),
        ((flip(0.05, "lambda"),), 3),
        ((flip(0.05), flip(0.08)), 2),
        ((flip(-0.01), flip(-0.03)), 2),
        ((flip(0.0),), 1),
        ((flip(0.05), flip(0.0)), 2),
    ],
)
def test_prices_may_fall_or_rise_so_far(
    flips: tuple[FlipPoint, ...], result: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The nearest flip on each side of the 2% that are assumed; without one the span that was tried."""
    monkeypatch.setattr(sensitivity_pages, "share_words", lambda point: f"{100 * point.at:g}%")
    text = sensitivity_pages.price_flip_words(flips, 0.02, signs=True)
    assert len(numbers(text)) == result and numbers(text)[-1] in ("2.0", "2")
    if result == 2 and flips[0].at > 0:
        assert numbers(text)[0] == "5"
    if flips and flips[0].at == -0.01:
        assert numbers(text)[0] == "1.0"
    assert str(text) != str(sensitivity_pages.price_flip_words(flips, 0.02, signs=False))


@pytest.mark.parametrize(
    ("saved", "result"),
    [
        ([], []),
        ([5.0, None], []),
        ([0.3, -0.3], []),
        ([-7.0, 5.0], ["$7"]),
        ([5.2, 5.4], ["$5"]),
        ([5.0, 9.0], ["$5", "$9"]),
        ([-0.4, 9.0], ["$0", "$9"]),
    ],
)
def test_over_all_prices_a_plan_saves_from_least_to_most(
    saved: list[float | None], result: list[str]
) -> None:
    cases = [SimpleNamespace(savings_vs_do_nothing_usd_per_month=usd) for usd in saved]
    title = sensitivity_pages._price_title(SimpleNamespace(cases=cases))  # type: ignore[arg-type]
    assert [number.lstrip("-") for number in numbers(title)] == result
    assert (
        sensitivity_pages._price_title(None).template
        == sensitivity_pages._price_title(SimpleNamespace(cases=[])).template
    )  # type: ignore[arg-type]


# --- Today


def test_the_bridge_adds_up_in_whole_dollars() -> None:
    """$10.40 are paid, $5.30 allocated and $2.30 idle while training ran: 10 - 5 - 2 = 3 of $2.80 stranded."""
    audit = worlds.past().audit
    bridge = replace(
        audit.bridge, cost_per_month=10.4, allocated_per_month=5.3, idle_while_training=2.3, stranded_metered=2.8,
        stranded_audit=7.6, scaled_to_all_hours=4.8,
    )  # fmt: skip

    def bars(**changes: Any) -> list[tuple[float | None, list[str]]]:
        made = today_pages._bridge(replace(audit, bridge=replace(bridge, **changes)))
        return [(bar.usd, numbers(bar.text)) for bar in made.bars]

    assert bars() == [(10.4, ["10"]), (-5.3, ["5"]), (-2.3, ["2"]), (2.8, ["3"]), (4.8, ["5"]), (7.6, ["8"])]
    assert [texts for _, texts in bars(stranded_audit=7.4)][4] == ["4"]  # 7 less 3
    assert [texts for _, texts in bars(stranded_metered=None)][1:5] == [["5"], ["3"], [], ["5"]]
    assert bars(allocated_per_month=None)[1][0] is None
    assert [texts for _, texts in bars(stranded_audit=None)][4:] == [["5"], []]


def test_what_is_stranded_is_said_in_both_readings_or_why_not() -> None:
    of = worlds.past().evaluation

    def title(**changes: Any) -> Any:
        audit = replace(of.audit, bridge=replace(of.audit.bridge, **changes))
        return today_pages._stranded_title(replace(of, audit=audit))

    unused = of.audit.unused_per_month
    assert unused is not None
    both = title(stranded_metered=100.0, stranded_audit=unused)
    assert numbers(both)[:2] == ["$100", f"${unused:,.0f}"]
    above = title(stranded_metered=100.0, stranded_audit=unused + 1)
    unread = title(stranded_metered=100.0, stranded_audit=None)
    assert above.template != both.template and str(unread).startswith(str(above)) and above != unread
    assert title(stranded_metered=100.0, stranded_audit=unused + 0.5).template == both.template
    bare = replace(of, project=replace(of.project, contracts=()))
    unlogged = replace(bare, project=replace(bare.project, workloads=(), intake=()))
    texts = {
        str(today_pages._stranded_title(item))
        for item in (
            bare,
            unlogged,
            replace(of, audit=replace(of.audit, bridge=replace(of.audit.bridge, stranded_metered=None))),
        )
    }
    assert len(texts) == 3


def test_what_is_spent_now_is_whole_at_least_or_unknown() -> None:
    of = worlds.past().evaluation

    def text(
        spend: float | None, parts: PartSum = NO_PARTS, project: Any = of.project, asked: bool = False
    ) -> Any:
        audit = SimpleNamespace(spend=spend, spend_parts=parts, asked_contracts=asked)
        return today_pages._spent_now(SimpleNamespace(project=project, audit=audit))  # type: ignore[arg-type]

    parts = PartSum(500.0, 2, ("k2",))
    assert numbers(text(1234.0)) == ["$1,234"]
    assert numbers(text(None, parts)) == ["$500", "2"] and "k2" in str(text(None, parts))
    unknown = text(None, PartSum(0.0, 2, ("k2",)))
    assert numbers(unknown) == [] and text(None, parts, asked=True).template == unknown.template
    bare = replace(of.project, contracts=())
    on_demand, nothing = text(7.0, parts, bare), text(None, parts, bare)
    assert numbers(on_demand) == ["$7"] and on_demand.template != text(7.0).template
    assert len({unknown.template, nothing.template, on_demand.template}) == 3


def test_demand_is_a_mean_of_days_and_of_the_hours_of_the_last() -> None:
    """Of 730 hours the last day has 10: training is 8 in all of them, inference 4 and then 2."""
    chart = today_pages._demand(worlds.plan())
    series = dict(chart.series)
    assert [len(values) for values in series.values()] == [31] * 3
    assert set(series[Pool.TRAINING].tolist()) == {8.0}
    assert (series[Pool.INFERENCE][0], series[Pool.INFERENCE][-1]) == (4.0, 2.0)
    assert series[Pool.INFERENCE][15] == pytest.approx((4 * 5 + 2 * 19) / 24)  # 365 h are 15 days and 5 h
    assert chart.title != today_pages._demand(replace(worlds.plan(), scenario="Today")).title


def test_endpoints_cost_together_or_at_least() -> None:
    def sized(gpus: int | None, usd: float | None) -> Any:
        return SimpleNamespace(
            sizing=SimpleNamespace(drawn=SimpleNamespace(gpus_peak=gpus, cost_per_month=usd))
        )

    undrawn: Any = SimpleNamespace(sizing=SimpleNamespace(drawn=None))
    both = today_pages._title([sized(4, 10.0), sized(2, 5.0)])
    assert numbers(both) == ["6", "2", "$15"]
    least = today_pages._title([sized(1, 10.0), sized(None, None), undrawn])
    assert numbers(least) == ["1", "3", "$10"] and least.template != both.template
    assert today_pages._usd(undrawn) is None and today_pages._usd(sized(1, 3.0)) == 3.0


def test_a_training_run_is_done_in_hours_for_dollars_or_not_at_all() -> None:
    """The run of 16 GPUs takes 100 h and costs $4,000."""

    def answer(best: Any, deadline_h: float | None = None) -> Any:
        return SimpleNamespace(
            best=best, stated=SimpleNamespace(called="run"), asked=SimpleNamespace(deadline_h=deadline_h)
        )

    sentence = today_pages._sentence(answer(FITTING))
    assert numbers(sentence)[0] == "16" and numbers(sentence)[-1] == "$4,000" and "100" in numbers(sentence)
    unpriced = today_pages._sentence(answer(replace(FITTING, usd=None)))
    assert "$" not in str(unpriced)
    free, bound = today_pages._sentence(answer(None)), today_pages._sentence(answer(None, 5.0))
    assert str(free) != str(bound)
    assert FITTING.finish is not None
    endless = replace(FITTING, finish=replace(FITTING.finish, hours=inf))
    for best in (endless, ENDLESS, replace(FITTING, finish=None)):
        assert str(today_pages._sentence(answer(best))) == str(free)
    whole = today_pages._training_title([answer(FITTING), answer(FITTING)])
    part = today_pages._training_title([answer(FITTING), answer(None)])
    assert numbers(whole) == ["2", "$8,000"] and numbers(part) == ["2"]


def test_the_page_of_waits_has_marked_sizes_on_which_somebody_waits() -> None:
    of = worlds.waiting()
    page = today_pages.waiting_page(of)
    tables = [block for (block,) in page.rows if isinstance(block, TableBlock)]
    marked = [point for point in of.frontier if point.marks and point.waits.p90_h]
    assert sum(len(table.rows) for table in tables[3:]) == len(marked) > 0
    today = today_pages.waiting_page(worlds.waiting(is_planned=False))
    assert len([block for (block,) in today.rows if isinstance(block, TableBlock)]) == len(tables) - 1
    bare = today_pages.waiting_page(replace(of, frontier=()))
    assert len(page.rows) - len(bare.rows) == len(tables[3:])


# --- Words of blocks


def test_quarters_have_their_first_days() -> None:
    """From 1 January to 1 July 2026 both ends count; 1 January says the year."""
    january, july = 1_767_225_600, 1_782_864_000
    assert [at_s for at_s, _ in quarters(january, july)] == [january, 1_775_001_600, july]
    assert str(quarters(january, january)[0][1]) == "2026"
    assert "2026" not in str(quarters(january + 1, july)[0][1]) or len(quarters(january + 1, july)) == 2
    assert quarters(january + 1, 1_775_001_600 - 1) == []
    assert [at_s for at_s, _ in quarters(july, january + 365 * DAY_S)][-1] == january + 365 * DAY_S
    assert str(days(january, january + DAY_S)) == "1 Jan 2026 \u2013 1 Jan 2026"


BLOCKS: tuple[tuple[Any, list[str]], ...] = (
    (TextBlock("T", ("a 1.", "b 2.")), ["1", "2"]),
    (TextBlock("", ("a 1.",)), ["1"]),
    (
        TableBlock(
            "T",
            (Column("A", False, 1.0), Column("B", True, 1.0)),
            (("x", "1"), ("", "2")),
            ("all", "3"),
            "note 4.",
        ),
        ["1", "2", "3", "4"],
    ),
    (TableBlock("T", (Column("A", True, 1.0),), (("5",),), (), ""), ["5"]),
    (
        MonthsChart("T", ("m1", "m2", "m3"), (Line("P", (10.0, 20.0, 30.0)), Line("Q", ()))),
        ["1", "3", "10", "30"],
    ),
    (DemandChart("T", None, ((Pool.BURST, np.array([1.0, 4.0])), (Pool.TRAINING, np.array([])))), ["2.5"]),
    (BridgeChart("T", (Bar("A", "n", 5.0, "step", "+5"), Bar("B", "", 7.0, "result", "7"))), ["5", "7"]),
    (
        TimelineChart("T", (TimeRow("r1", ()), TimeRow("r2", (), 0), TimeRow("r3", (), 0, True)), 0, 9, 0),
        ["1", "2", "1", "1970", "3"],
    ),
)


@pytest.mark.parametrize(("block", "result"), BLOCKS)
def test_a_block_is_read_with_its_amounts(block: Any, result: list[str]) -> None:
    assert numbers(block_words(block)) == result


def test_a_page_is_read_with_its_figures_and_blocks() -> None:
    figures = (LargeFigure("a", "A", "GPUs", 1.0, "1", "note 2"), LargeFigure("b", "B", "GPUs", 3.0, "3", ""))
    page = Page("k", "K", "T", ((BLOCKS[1][0], BLOCKS[3][0]),), figures)
    assert numbers(page_words(page)) == ["1", "2", "3", "1", "5"]
    assert str(sentences("a.", "", "b.")) == "a. b."
    assert str(sum_text(PartSum(5.0, 2, ("x",)))) == "\u2265 $5" and str(sum_text(PartSum(5.0, 1))) == "$5"
    assert "5" not in str(sum_text(PartSum(0.0, 2, ("x",))))
