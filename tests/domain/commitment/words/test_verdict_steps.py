"""Verdicts in words: what to do about a contract, and by when."""

from dataclasses import replace

from gpuplanner.domain.commitment.result import Verdict
from gpuplanner.domain.commitment.words.verdicts import (
    ANEW,
    IS_LATER,
    STOP,
    VERDICTS,
    change_words,
    decide_by_s,
    follows,
    is_to_stop,
    step_words,
)
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.domain.model.window import DAY_S
from tests.domain.commitment.words.sentence_figures import figures
from tests.domain.commitment.words.small_orders import END_S

HELD = Contract(
    contract_id="k",
    cluster="c",
    gpu_model="H100",
    milli_gpus=8_000,
    rate_usd_per_gpu_hour=None,
    start_s=0,
    end_s=END_S,
    pricing_category=PricingCategory.COMMITTED,
    term_months=12,
)
REPLACE = Verdict(
    contract_id="k",
    verdict="replace",
    then_term_months=12,
    gpus=4.0,
    order_by_s=END_S - 10 * DAY_S,
    reason="",
    shares=((4.0, (12, None)),),
)  # type: ignore[arg-type]
GONE = Verdict(
    contract_id="k", verdict="let_expire", then_term_months=0, gpus=0.0, order_by_s=END_S, reason=""
)  # type: ignore[arg-type]


def test_something_follows_where_gpus_are_signed_for_a_term() -> None:
    assert follows(REPLACE)
    assert not follows(replace(REPLACE, gpus=0.0)) and not follows(replace(REPLACE, then_term_months=0))
    assert str(change_words(replace(REPLACE, gpus=0.0), HELD)) == ""


def test_what_to_do_about_a_contract() -> None:
    keep = replace(GONE, verdict="keep")
    assert step_words(GONE, HELD) == VERDICTS["let_expire"]
    assert step_words(replace(GONE, continued_by="k (2)"), HELD).values == {"contract": "k (2)"}  # type: ignore[union-attr]
    assert step_words(replace(REPLACE, is_later=True), HELD) == IS_LATER
    assert step_words(replace(REPLACE, verdict="end", is_later=True), HELD) != IS_LATER
    assert step_words(REPLACE, None) == step_words(REPLACE, HELD) == VERDICTS["replace"]
    assert step_words(REPLACE, replace(HELD, notice_days=30)) == VERDICTS["replace"]
    assert step_words(replace(REPLACE, verdict="end"), HELD) == ANEW
    assert step_words(replace(GONE, verdict="end"), HELD) == VERDICTS["end"]
    assert step_words(replace(keep, verdict="renew"), HELD) == VERDICTS["renew"]
    assert step_words(GONE, replace(HELD, notice_days=30)) == VERDICTS["let_expire"]
    assert step_words(GONE, replace(HELD, end_s=None)) == STOP
    assert figures(step_words(GONE, replace(HELD, end_s=None, notice_days=7))) == ["7"]
    assert str(STOP) not in str(step_words(keep, replace(HELD, end_s=None)))
    assert is_to_stop(GONE, replace(HELD, pricing_category=PricingCategory.STANDARD))
    assert not is_to_stop(keep, replace(HELD, end_s=None)) and not is_to_stop(GONE, HELD)


def test_the_last_day_to_decide_is_the_first_of_notice_and_order() -> None:
    notice = replace(HELD, notice_days=30)
    assert decide_by_s(replace(REPLACE, continued_by="k2"), HELD) is None
    assert decide_by_s(REPLACE, None) == REPLACE.order_by_s
    assert decide_by_s(replace(REPLACE, order_by_s=None), HELD) is None
    assert decide_by_s(REPLACE, replace(HELD, end_s=None)) == REPLACE.order_by_s
    assert decide_by_s(REPLACE, HELD) == END_S - 10 * DAY_S
    assert decide_by_s(REPLACE, notice) == END_S - 30 * DAY_S - 1
    assert decide_by_s(replace(REPLACE, last_day_s=END_S - 40 * DAY_S), notice) == END_S - 40 * DAY_S
    ended = replace(GONE, verdict="end", order_by_s=END_S - 21 * DAY_S)
    assert decide_by_s(ended, notice) == decide_by_s(ended, None) == END_S - 21 * DAY_S - 1


def test_a_change_of_term_says_both_in_one_unit_or_each_in_its_own() -> None:
    assert str(change_words(replace(REPLACE, gpus=8.0), HELD)) == "8 GPUs, 12 months"
    other = replace(HELD, term_months=36)
    assert str(change_words(REPLACE, other)) == "8 → 4 GPUs, 36 → 12 months"
    assert str(change_words(replace(REPLACE, gpus=4.1), HELD)).startswith("8 → 4.1 GPUs")
    both = replace(REPLACE, shares=((3.0, (12, None)), (1.0, (1, None))))
    assert str(change_words(both, HELD)).endswith("mostly 12 months")
    days = replace(REPLACE, shares=((4.0, (12, 365)),))
    assert str(change_words(days, other)).endswith("36 months → 365 days")
    assert str(change_words(REPLACE, replace(HELD, term_months=None))).endswith(", 12 months")
