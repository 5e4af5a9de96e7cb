from collections.abc import Callable
from dataclasses import replace

import pytest

from gpuplanner.domain.commitment.plan.orders import FirstCommitment
from gpuplanner.domain.commitment.plan.verdicts import verdicts_of
from gpuplanner.domain.commitment.result import Verdict
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.pool import Pool, PricingCategory
from gpuplanner.domain.model.window import DAY_S, MONTH_S, Window, instant_s

HOURS = 720
WINDOW = Window(1_767_225_600, HOURS)


@pytest.fixture
def first(make_offer: Callable[..., Offer]) -> Callable[..., FirstCommitment]:
    def of(
        pool: Pool, term: int, month: int, gpus: float, lead_h: float = 0, model: str = "H100"
    ) -> FirstCommitment:
        return FirstCommitment(
            pool, model, make_offer(f"t{term}-{lead_h:g}", term, 3.0, lead_time_hours=lead_h), month, gpus
        )

    return of


def judged(contracts: list[Contract], firsts: list[FirstCommitment], **served: int) -> dict[str, Verdict]:
    return {verdict.contract_id: verdict for verdict in verdicts_of(contracts, firsts, served, WINDOW)}


def summary(verdict: Verdict) -> tuple[str, int, float]:
    return verdict.verdict, verdict.then_term_months, verdict.gpus


def test_far_ends_are_kept_and_rows_on_demand_expire(make_contract: Callable[..., Contract]) -> None:
    found = judged(
        [
            make_contract("far", 4, 3.0, 24.5, HOURS, notice_days=10),
            make_contract("ever", 4, 3.0, None, HOURS, notice_days=10),
            make_contract("od", 4, 3.0, 3, HOURS, pricing_category=PricingCategory.STANDARD),
            make_contract("near", 4, 3.0, 24, HOURS),
            make_contract("gone", 4, 3.0, -1, HOURS),
        ],
        [],
    )
    far_end = WINDOW.end_s + round(24.5 * MONTH_S)
    assert (found["far"].verdict, found["far"].order_by_s) == ("keep", far_end - 10 * DAY_S)
    assert (found["ever"].verdict, found["ever"].order_by_s) == ("keep", None)
    assert (found["od"].verdict, found["od"].order_by_s) == ("let_expire", WINDOW.end_s + 3 * MONTH_S)
    assert summary(found["near"]) == ("let_expire", 0, 0.0)
    assert "gone" not in found


def test_what_starts_at_its_end_or_two_months_before_follows_a_contract(make_contract, first) -> None:  # type: ignore[no-untyped-def]
    contract = make_contract("k", 20, 3.0, 5.2, HOURS, term_months=12)
    commitments = [first(Pool.TRAINING, 36, month, 1 + month) for month in (0, 2, 3, 4, 5, 6)]
    assert summary(judged([contract], commitments)["k"]) == ("renew", 36, 4 + 5 + 6)


def test_a_quote_that_takes_its_place_is_ordered_while_it_holds(make_contract, first) -> None:  # type: ignore[no-untyped-def]
    contract = make_contract("k", 20, 3.0, 5.2, HOURS, term_months=12)
    listed = first(Pool.TRAINING, 36, 5, 20.0)
    quoted = replace(
        listed, offer=replace(listed.offer, source="Quote RFQ-20260101-AAAA R1", valid_until="2026-02-10")
    )
    usual, early = (judged([contract], [one])["k"].order_by_s for one in (listed, quoted))
    assert usual == contract.end_s
    assert early == instant_s("2026-02-11") - 1


def test_those_of_month_0_count_only_for_an_end_in_month_0(make_contract, first) -> None:  # type: ignore[no-untyped-def]
    commitments = [first(Pool.TRAINING, 12, 0, 3)]
    assert summary(judged([make_contract("k", 8, 3.0, 0.5, HOURS)], commitments)["k"]) == ("renew", 12, 3.0)
    assert summary(judged([make_contract("k", 8, 3.0, 1.5, HOURS)], commitments)["k"]) == (
        "let_expire",
        0,
        0.0,
    )


def test_earlier_ends_then_most_served_take_first_and_each_commitment_once(make_contract, first) -> None:  # type: ignore[no-untyped-def]
    contracts = [
        make_contract("a", 4, 3.0, 5.5, HOURS),
        make_contract("b", 4, 3.5, 5.1, HOURS),
        make_contract("c", 4, 9.0, 3.5, HOURS),
    ]
    commitments = [first(Pool.TRAINING, 12, 3, 9.0)]
    found = judged(contracts, commitments, a=5, b=6)
    assert [found[name].gpus for name in "abc"] == [1.0, 4.0, 4.0]
    tied = judged(contracts, commitments, a=5, b=5)
    assert [tied[name].gpus for name in "abc"] == [4.0, 1.0, 4.0]  # the lower rate first


def test_the_largest_term_first_then_the_next_and_the_shorter_of_equals(make_contract, first) -> None:  # type: ignore[no-untyped-def]
    contract = make_contract("k", 10, 3.0, 3.5, HOURS, term_months=24, notice_days=5)
    commitments = [
        first(Pool.BURST, 36, 3, 4, 100),
        first(Pool.INFERENCE, 12, 3, 3, 500),
        first(Pool.TRAINING, 12, 2, 3, 200),
    ]
    verdict = judged([contract], commitments)["k"]
    assert summary(verdict) == ("shorten", 12, 10.0)
    assert verdict.order_by_s == (contract.end_s or 0) - 500 * 3600
    few = make_contract("k", 2, 3.0, 3.5, HOURS, term_months=24, notice_days=5)
    assert (
        judged([few], commitments)["k"].order_by_s == (contract.end_s or 0) - 500 * 3600
    )  # inference before training
    equal = [first(Pool.TRAINING, 36, 3, 4), first(Pool.TRAINING, 6, 3, 4)]
    assert summary(judged([few], equal)["k"]) == ("shorten", 6, 2.0)


def test_a_pinned_contract_and_another_model_keep_to_themselves(make_contract, first) -> None:  # type: ignore[no-untyped-def]
    commitments = [first(Pool.TRAINING, 12, 3, 5), first(Pool.BURST, 1, 3, 2)]
    pinned = make_contract("p", 9, 3.0, 3.5, HOURS, pool=Pool.BURST)
    other = make_contract("q", 9, 3.0, 3.5, HOURS, gpu_model="A100")
    found = judged([pinned, other], commitments)
    assert summary(found["p"]) == ("renew", 1, 2.0)
    assert found["q"].verdict == "let_expire"


def test_one_that_follows_late_for_its_lead_time_is_said(make_contract, first) -> None:  # type: ignore[no-untyped-def]
    verdict = judged([make_contract("k", 9, 3.0, 1.5, HOURS)], [first(Pool.TRAINING, 12, 3, 5, 3.5 * 730)])[
        "k"
    ]
    assert verdict.verdict == "let_expire" and "106 days" in str(verdict.reason)


def test_shares_are_what_the_reason_says_of_each_term(make_contract, first) -> None:  # type: ignore[no-untyped-def]
    commitments = [first(Pool.TRAINING, 12, 5, 1_024), first(Pool.TRAINING, 3, 5, 16)]
    found = judged([make_contract("k", 1_040, 3.0, 5.2, HOURS)], commitments)["k"]
    assert found.shares == ((16.0, (3, None)), (1_024.0, (12, None)))
    assert str(found.reason) == "16 GPUs for 3 months + 1,024 GPUs for 12 months"
    (ended,) = judged([make_contract("k", 8, 3.0, 5.2, HOURS)], []).values()
    assert ended.shares == ()


def test_only_what_follows_young_demand_alone_hangs_on_its_lasting(make_contract, first) -> None:  # type: ignore[no-untyped-def]
    young, old = replace(first(Pool.TRAINING, 12, 5, 4.0), if_it_lasts=True), first(Pool.TRAINING, 3, 5, 4.0)
    contract = make_contract("k", 8, 3.0, 5.2, HOURS)
    assert judged([contract], [young])["k"].if_it_lasts
    assert (
        not judged([contract], [young, old])["k"].if_it_lasts and not judged([contract], [])["k"].if_it_lasts
    )
