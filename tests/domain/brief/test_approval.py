"""What is to be approved, on the small plan (`worlds.plan`) and on stated orders.

A GPU of y1 for a year is 8,760 h x $2.50 and $730 upfront, $22,630; of q3 three months are 2,190 h x $3.50, $7,665.
Training orders 4 of y1 on the first day, 31 January 2026, inference 2 on 20 February; 4 of q3 follow K1 on 1 August
2026, and 4 of them again follow those.
"""

import re
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from gpuplanner.domain.brief import approval as approvals
from gpuplanner.domain.brief import orders_page, timeline
from gpuplanner.domain.brief.approval import approval_on
from gpuplanner.domain.brief.timeline import build_timeline
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.domain.model.window import DAY_S, MONTH_S
from tests.domain import worlds
from tests.domain.brief.small_plan import ORDERS, PLAN_S, TOTALS, approval, numbers, values
from tests.domain.commitment.conftest import contract


def with_orders(*orders: Any, **totals: Any) -> Evaluation:
    of = worlds.plan()
    return replace(of, advice=replace(of.advice, orders=orders, totals=replace(of.advice.totals, **totals)))


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
    assert numbers(orders_page.orders_title(worlds.plan().advised, result)) == title
    assert numbers(result.over_words) == over
    assert numbers(approvals.now_words(result)) == due


def test_large_figures_are_of_now_of_the_day_and_in_all() -> None:
    now, due, in_all = approvals.commitment_figures(approval())
    assert [(item.key, item.amount) for item in (now, due, in_all)] == [
        ("liability_now", 135_780.0), ("due_at_once_now", 4380.0), ("later_commitments", 61_320.0)
    ]  # fmt: skip
    late = approvals.commitment_figures(approval(300))
    assert [item.key for item in late] == ["to_approve", "due_at_once_now", "later_commitments"]
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
    assert numbers(orders_page.write_order_deadline(undated)) == ["2", "6"]


def test_overdue_orders_start_on_a_day_or_between_two() -> None:
    """Leads of y1 are ten days, q3 has none."""
    result = approval(300)
    same = approvals.write_start_days(result.seen, (ORDERS[0], ORDERS[1]))
    both = approvals.write_start_days(result.seen, (ORDERS[0], ORDERS[3]))
    assert numbers(same) == ["7", "2026"] and numbers(both) == ["27", "2026", "7", "2026"]


def test_what_is_asked_depends_on_what_is_known_and_left() -> None:
    unknown = approval(0, with_orders(*ORDERS, liability_now=None))
    without = approval(0, with_orders(ORDERS[2], liability_now=None))
    nothing = approval(0, with_orders(liability_now=0.0, liability=0.0))
    later = approval(0, with_orders(ORDERS[2], liability_now=0.0))
    texts = [str(approvals.ask(item)) for item in (without, nothing, later, approval(900), unknown)]
    assert len(set(texts)) == 5
    assert numbers(texts[2]) == ["1", "2026"] and numbers(texts[0]) == numbers(texts[1]) == []
    assert numbers(texts[4])[0] == "$135,780"  # what of it is known
    assert unknown.due_usd is None
    titles = [
        str(orders_page.orders_title(item.advice, approval(0, item)))  # type: ignore[arg-type]
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


def test_contracts_and_orders_are_lines_of_time() -> None:
    of = worlds.plan()
    seen, late = approval().seen, approval(3).seen
    row = timeline.order_row(ORDERS[1], seen)
    (span,) = row.spans
    assert (span.start_s, span.end_s, span.term_months) == (
        PLAN_S + 10 * DAY_S,
        PLAN_S + 10 * DAY_S + 12 * MONTH_S,
        12,
    )
    assert (row.order_by_s, row.is_overdue) == (PLAN_S, False)
    again = timeline.order_row(ORDERS[1], late)
    assert again.is_overdue and again.order_by_s == late.written_s
    assert again.spans[0].start_s == 1_770_940_800  # 13 February, ten days after 3 February
    contracts = {item.contract_id: item for item in of.project.contracts}
    verdicts = {item.contract_id: item for item in of.advice.verdicts}
    k1 = timeline.contract_row(contracts["K1"], verdicts["K1"], seen)
    end_s = contracts["K1"].end_s
    assert end_s is not None and len(k1.spans) == 2 and k1.spans[1].start_s == end_s
    assert k1.spans[1].term_months == 3 and k1.order_by_s is not None and not k1.is_overdue
    for name in ("K2", "K3"):
        alone = timeline.contract_row(contracts[name], verdicts[name], seen)
        assert len(alone.spans) == 1 and alone.order_by_s is None
    assert len(timeline.contract_row(contracts["K1"], None, seen).spans) == 1
    passed = timeline.contract_row(contracts["K1"], verdicts["K1"], approval(300).seen)
    assert passed.order_by_s is None and not passed.is_overdue
    noticed = replace(contracts["K1"], end_s=PLAN_S + 40 * DAY_S)
    due = replace(verdicts["K1"], order_by_s=PLAN_S + DAY_S, last_day_s=PLAN_S + DAY_S)
    soon = timeline.contract_row(noticed, due, approval(3).seen)
    assert soon.is_overdue and soon.order_by_s == approval(3).seen.written_s
    renewed = timeline.contract_row(contracts["K1"], replace(verdicts["K1"], ends_s=end_s + MONTH_S), seen)
    assert renewed.spans[0].end_s == end_s + MONTH_S
    assert approvals.file_name("c:\\a\\b.csv") == approvals.file_name("/x/b.csv") == "b.csv"
    assert approvals.file_name("builtin") != "builtin"


def test_without_an_order_it_is_told_whether_some_are_over() -> None:
    of = worlds.plan()
    none = replace(of, advice=replace(of.advised, orders=()))
    gone, never = (approvals.commitment_figures(item)[2].note for item in (approval(900), approval(0, none)))
    assert "left" in str(gone) and "left" not in str(never)


def test_the_line_of_time_is_of_36_months_and_blank_without_a_calendar() -> None:
    of, seen = worlds.plan(), approval()
    chart = timeline.build_timeline(of, seen, {})
    assert chart.end_s == PLAN_S + 36 * MONTH_S and chart.rows
    undated = replace(seen, seen=replace(seen.seen, begins_s=5, written_s=5))
    assert timeline.build_timeline(of, undated, {}).rows == ()


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
    monkeypatch.setattr(orders_page, "at_list", lambda orders, _: "list" if orders else "")
    monkeypatch.setattr(
        orders_page, "liability_usd", lambda orders: sums["listed" if orders == "list" else "expected"]
    )
    assert numbers(orders_page.prices_words(of, ORDERS)) == ["$100", "$120"]
    for expected, listed in ((100.0, 100.4), (None, 120.0), (100.0, None)):
        sums.update(expected=expected, listed=listed)  # type: ignore[arg-type]
        assert not str(orders_page.prices_words(of, ORDERS))


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


def test_the_line_of_time_has_what_is_decided_first() -> None:
    """K3 has no end, and K2 none to decide by: they come last; of nine rows eight are shown."""
    of = worlds.plan()
    approval = approval_on(of.advice, of.project)
    verdicts = {row.contract_id: row for row in of.advice.verdicts}
    chart = build_timeline(of, approval, verdicts)
    names = [str(row.name) for row in chart.rows]
    assert names[-2:] == ["K2", "K3"] and names.index("K1") == 2 and len(names) == 6
    assert (chart.begin_s, chart.written_s) == (of.project.plan_window.start_s, PLAN_S)
    assert numbers(chart.title) == []
    over = contract("old", 1, 1.0, -2, 730)
    more = [contract(f"m{at}", 1, 1.0, None, 730) for at in range(2)]
    for added, count, rows in (
        ((over,), [], 6),
        (more, [], 8),
        ((*more, replace(more[0], contract_id="n")), ["8"], 8),
    ):
        project = replace(of.project, contracts=(*of.project.contracts, *added))
        made = build_timeline(replace(of, project=project), approval, verdicts)
        assert (numbers(made.title), len(made.rows)) == (count, rows)
    by_use = replace(more[0], pricing_category=PricingCategory.STANDARD)
    project = replace(of.project, contracts=(by_use,))
    (line,) = [
        row for row in build_timeline(replace(of, project=project), approval, {}).rows if row.name == "m0"
    ]
    assert line.spans[0].is_by_use and not chart.rows[-1].spans[0].is_by_use


def test_orders_to_buy_stand_beside_those_to_sign(monkeypatch: pytest.MonkeyPatch) -> None:
    """16 of 90 GPUs are bought: 74 are signed for."""
    monkeypatch.setattr(approvals, "gpus_in_rows", lambda _: 90.0)
    for bought, written in ((16.0, ["90", "16", "74"]), (90.0, ["90"]), (0.0, ["90"])):
        orders: Any = SimpleNamespace(
            now=(), bought=(SimpleNamespace(bought_gpus=bought),), gpus_counted=worded("90 GPUs")
        )
        assert numbers(approvals.Approval.gpus_words.fget(orders)) == written  # type: ignore[attr-defined]


def test_what_later_orders_commit_is_unknown_without_a_rate_and_not_zero() -> None:
    """No later order is known: the plan may still need some for what has no rate."""
    of = approval()
    alone = replace(of, left=of.now)
    unpriced = replace(alone, usd=None)
    assert str(approvals.later_words(unpriced)) != str(approvals.later_words(alone))
    assert (unpriced.later_usd, unpriced.not_now) == (None, ())
    assert str(approvals.later_words(replace(of, usd=None))) == str(approvals.later_words(of)), (
        "some later orders are known"
    )


def test_a_sum_of_orders_is_at_least_what_is_known_and_never_0_where_a_rate_is_missing() -> None:
    whole, missing = approval(), replace(approval(), usd=None)
    assert [str(whole.summed(usd)) for usd in (0.0, 5.0, None)] == ["$0", "$5", "—"]
    assert [str(missing.summed(usd)) for usd in (0.0, 5.0, None)] == ["—", "≥ $5", "—"]
