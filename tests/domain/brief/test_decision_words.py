"""Words of the page Decisions: prices of the orders to approve, missing providers, and contracts nobody decided on."""

from dataclasses import replace

from gpuplanner.domain.brief import decision_words as words
from gpuplanner.domain.brief.approval import approval_on
from gpuplanner.domain.commitment.listed_order import PROVIDER_MISSING, READY, ListedOrder
from gpuplanner.domain.commitment.next_decision import NextDecision
from gpuplanner.domain.commitment.outlook_result import Outlook
from gpuplanner.domain.commitment.result import Verdict
from gpuplanner.domain.model.window import DAY_S
from tests.domain import worlds
from tests.domain.brief.small_plan import PLAN_S, approval, numbers, values


def listed(number: int, *, status: str = READY, is_quote: bool = False) -> ListedOrder:
    orders = approval().now[number - 1 : number]
    return ListedOrder(
        number=number, orders=orders, order_ids=(f"order:{number}",), status=status, is_quote=is_quote
    )


def test_orders_on_list_prices_are_counted_with_the_day_of_their_list() -> None:
    of = worlds.plan()
    dated = replace(of.project, offers=tuple(replace(one, as_of="2026-01-05") for one in of.project.offers))

    def said(*rows: ListedOrder) -> str:
        outlook = replace(of.outlook or Outlook(), listed_orders=rows)
        return str(words.price_words(replace(of, project=dated, outlook=outlook), approval())[:1])

    assert "2 orders" in said(listed(1), listed(2)) and "5 Jan 2026" in said(listed(1), listed(2))
    assert "1 of 2 orders" in said(listed(1), listed(2, is_quote=True))
    assert "list price" not in said(listed(1, is_quote=True), listed(2, is_quote=True))


def test_orders_without_a_provider_are_named() -> None:
    rows = [listed(1), listed(2, status=PROVIDER_MISSING), listed(3, status=PROVIDER_MISSING)]
    assert values(words.without_provider_words(rows)) == {"orders": "O2, O3"}
    assert not words.without_provider_words(rows[:1])


def test_contracts_due_within_two_weeks_without_a_decision_are_named() -> None:
    """The notice of one is due in 11 days, that of another in 41; the third is a decision."""
    of = worlds.plan()
    made = of.project.contracts[0]
    held = tuple(
        replace(made, contract_id=name, end_s=PLAN_S + day * DAY_S, notice_days=30, renews_months=12)
        for name, day in (("soon", 41), ("late", 71), ("decided", 41))
    )
    verdicts = tuple(
        Verdict(
            contract_id=one.contract_id,
            verdict="keep",
            then_term_months=0,
            gpus=0.0,
            order_by_s=None,
            reason="",
        )
        for one in held
    )
    project = replace(of.project, contracts=held)
    given = replace(of, project=project, advice=replace(of.advised, verdicts=verdicts))
    decision = NextDecision(decision_id="d", kind="renew", subject="x", contract_id="decided")
    seen = approval_on(of.advised, project, PLAN_S)
    said = str(words.undecided_words(given, (decision,), seen))
    assert "soon (11 Feb 2026)" in said and "late" not in said and "decided (" not in said
    assert not words.undecided_words(replace(given, project=replace(project, contracts=())), (), seen)


def test_contracts_that_end_are_counted_by_the_days_of_their_decisions() -> None:
    seen = approval().seen
    ends = [words.ContractEnd(PLAN_S + day * DAY_S, str(day)) for day in (1, 1, 50, 60)]
    assert numbers(words.ends_words(ends, seen)) == ["4", "2", "1", "2026", "2", "22", "2026"]
    undated = [*ends[:1], words.ContractEnd(None, "x")]
    assert numbers(words.ends_words(undated, seen)) == ["2", "1", "1", "2026", "1"]
    assert numbers(words.ends_words(ends[2:], seen)) == ["2", "22", "2026"]
    assert not words.ends_words((), seen)
    late = replace(seen, written_s=PLAN_S + 2 * DAY_S)
    assert numbers(words.ends_words(ends, late)) == ["4", "2", "2", "22", "2026"]
    assert numbers(words.ends_words(ends[:2], late)) == ["2"]


def test_the_title_of_now_counts_what_its_rows_call_overdue() -> None:
    late = replace(approval().seen, written_s=PLAN_S + 2 * DAY_S)
    rows = [
        NextDecision(decision_id=str(day), kind="order", subject="x", by_s=PLAN_S + day * DAY_S)
        for day in (1, 1, 2, 5)
    ]
    assert numbers(words.now_title(rows, late))[0] == "2"
    assert not numbers(words.now_title(rows[:2], late))
    assert len(numbers(words.now_title(rows[2:], late))) == 2


def test_a_question_has_no_savings_but_names_what_is_at_stake() -> None:
    """A year of $900 without it against one of $400 with it: $500."""
    asked = NextDecision(decision_id="a", kind="question", subject="x", year_without=900.0, year_with=400.0)
    assert not words.has_savings(asked)
    assert numbers(words.what_to_do(asked, "Ask about x")) == ["$500", "12"]
    ended = replace(asked, kind="end")
    assert words.has_savings(ended) and str(words.what_to_do(ended, "End x")) == "End x"
