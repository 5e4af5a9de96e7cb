"""Existing contracts with what to do: by the day of their own notice, also where nothing but a question is open."""

from dataclasses import replace
from typing import Any, Final

from gpuplanner.domain.commitment.contract_rows import ContractRow, contract_rows
from gpuplanner.domain.commitment.next_decision import NextDecision
from gpuplanner.domain.commitment.order_days import Seen, VerdictRow
from gpuplanner.domain.commitment.result import Verdict
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.domain.model.window import instant_s
from gpuplanner.domain.reports.orders import find_last_day

BEGINS_S: Final = instant_s("2026-12-01")
HELD: Final = Contract(
    contract_id="k",
    cluster="c",
    gpu_model="H100",
    milli_gpus=8_000,
    rate_usd_per_gpu_hour=2.0,
    start_s=0,
    end_s=instant_s("2027-03-10"),
    pricing_category=PricingCategory.COMMITTED,
    notice_days=30,
)


def held(name: str, end: str | None, notice_days: int | None = 30) -> Contract:
    return replace(
        HELD, contract_id=name, end_s=None if end is None else instant_s(end), notice_days=notice_days
    )


def decided(name: str, by: str, **values: Any) -> NextDecision:
    return NextDecision(
        decision_id=name,
        contract_id=name,
        subject=name,
        **{"kind": "replace", "by_s": instant_s(by), **values},
    )


def listed(
    contracts: list[Contract],
    decisions: list[NextDecision],
    verdicts: list[VerdictRow],
    day: str = "2026-12-01",
) -> list[ContractRow]:
    return contract_rows(contracts, verdicts, decisions, Seen(instant_s(day), BEGINS_S))


def test_every_contract_has_a_row_and_what_has_ended_comes_last() -> None:
    contracts = [
        held("over", "2026-12-01"),
        held("free", "2027-12-01", None),
        held("noticed", "2027-03-10"),
        held("asked", "2027-01-20"),
    ]
    asked = decided("asked", "2026-11-20", kind="question", is_in_plan=False, number=7)
    rows = listed(contracts, [asked], [])
    assert [row.contract.contract_id for row in rows] == ["asked", "noticed", "free", "over"]
    assert [str(row.act_by) for row in rows] == ["overdue: decide now", "7 Feb 2027", "", ""]
    assert str(rows[0].words).startswith("D7") and rows[1].words is None
    assert not any(row.is_ended for row in rows)


def test_the_day_is_that_of_its_own_notice_though_an_order_is_due_earlier() -> None:
    row_of = Verdict(
        contract_id="k",
        verdict="replace",
        then_term_months=12,
        gpus=8.0,
        order_by_s=instant_s("2027-01-31"),
        reason="",
    )
    decision = decided("k", "2027-01-31", notice_by_s=instant_s("2027-02-07"))
    given = [HELD], [decision], [VerdictRow(row_of, HELD, decision)]
    (row,) = listed(*given)
    assert (row.by_s, str(row.act_by)) == (instant_s("2027-02-07"), "7 Feb 2027")
    assert row.due_s == decision.by_s and row.is_ended
    (late,) = listed(*given, day="2027-02-03")
    assert str(late.act_by) == "overdue: decide now; notice by 7 Feb 2027"


def test_a_contract_without_an_end_has_none_though_the_plan_ends_it() -> None:
    ends = Verdict(
        contract_id="k",
        verdict="end",
        then_term_months=0,
        gpus=0.0,
        order_by_s=None,
        reason="",
        ends_s=instant_s("2027-01-01"),
    )
    contract = held("k", None)
    (row,) = listed([contract], [], [VerdictRow(ends, contract)])
    assert str(find_last_day(row)) == "no end"
    (dated,) = listed([HELD], [], [])
    assert find_last_day(dated) == instant_s("2027-03-10") - 1
