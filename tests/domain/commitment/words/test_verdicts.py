"""Verdicts in words: what follows a contract, from how many to how many."""

from dataclasses import replace

from gpuplanner.domain.commitment.result import Verdict
from gpuplanner.domain.commitment.words.verdicts import ANEW, STOP, change_words, is_to_stop, verdict_words
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.tables import PricingCategory

CONTRACT = Contract(
    contract_id="k",
    cluster="c",
    gpu_model="H100",
    milli_gpus=64_000,
    rate_usd_per_gpu_hour=None,
    start_s=0,
    term_months=36,
)


def test_a_change_says_from_how_many_to_how_many() -> None:
    verdict = Verdict(
        contract_id="k",
        verdict="shorten",
        then_term_months=12,
        gpus=10.0,
        order_by_s=0,
        reason="",
        shares=((10.0, (12, None)),),
    )
    assert str(change_words(verdict, CONTRACT)) == "64 \u2192 10 GPUs, 36 \u2192 12 months"
    assert str(change_words(verdict, CONTRACT, "H100")).endswith("64 \u2192 10 H100, 36 \u2192 12 months")


def test_terms_of_several_kinds_are_said_to_be_mostly_one() -> None:
    verdict = Verdict(
        contract_id="k",
        verdict="shorten",
        then_term_months=12,
        gpus=1_200.0,
        order_by_s=0,
        reason="",
        shares=((1_000.0, (12, None)), (200.0, (24, None))),
    )
    assert "36 \u2192 mostly 12 months" in str(change_words(verdict, CONTRACT))
    assert "64 \u2192 1,200 GPUs" in str(change_words(verdict, CONTRACT))


def test_what_stays_the_same_has_no_arrow() -> None:
    assert (
        str(
            change_words(
                Verdict(
                    contract_id="k",
                    verdict="replace",
                    then_term_months=36,
                    gpus=64.0,
                    order_by_s=0,
                    reason="",
                ),
                CONTRACT,
            )
        )
        == "64 GPUs, 36 months"
    )
    assert (
        str(
            change_words(
                Verdict(
                    contract_id="k", verdict="replace", then_term_months=1, gpus=1.5, order_by_s=0, reason=""
                ),
                None,
            )
        )
        == "1.5 GPUs, 1 month"
    )
    assert (
        str(
            change_words(
                Verdict(
                    contract_id="k",
                    verdict="let_expire",
                    then_term_months=0,
                    gpus=0.0,
                    order_by_s=0,
                    reason="",
                ),
                CONTRACT,
            )
        )
        == ""
    )


def test_what_runs_on_by_itself_is_to_be_stopped_not_let_end() -> None:
    gone = Verdict(
        contract_id="k",
        verdict="let_expire",
        then_term_months=0,
        gpus=0.0,
        order_by_s=None,
        reason="on demand: planned afresh",
    )
    ending = replace(CONTRACT, end_s=10**9)
    assert str(verdict_words(gone, ending)) == "let expire" and not is_to_stop(gone, ending)
    for one in (CONTRACT, replace(ending, pricing_category=PricingCategory.STANDARD)):  # no end; paid by use
        assert is_to_stop(gone, one) and str(verdict_words(gone, one)) == "end it"
        said = [str(verdict_words(gone, replace(one, notice_days=days))) for days in (1, 30)]
        assert [text.startswith(f"{STOP} ({days} day") for text, days in zip(said, (1, 30), strict=True)] == [
            True
        ] * 2
        assert str(verdict_words(replace(gone, verdict="keep"), one)) == "keep"


def test_what_follows_only_if_its_demand_lasts_says_so() -> None:
    verdict = Verdict(
        contract_id="k",
        verdict="replace",
        then_term_months=12,
        gpus=4.0,
        order_by_s=0,
        reason="",
        shares=((4.0, (12, None)),),
        if_it_lasts_gpus=24.0,
    )
    lasting = str(verdict_words(verdict, CONTRACT))
    assert lasting.endswith(" (64 \u2192 4 GPUs, 36 \u2192 12 months, 24 more if it lasts)")
    firm = replace(verdict, if_it_lasts_gpus=0.0)
    assert "lasts" not in str(verdict_words(firm, CONTRACT))
    gone = replace(verdict, verdict="let_expire", then_term_months=0, gpus=0.0, shares=())
    assert str(verdict_words(gone, replace(CONTRACT, end_s=10**9))) == "let expire (24 more if it lasts)"
    ends = replace(firm, verdict="end")  # it would renew, for as many GPUs as it has
    assert str(verdict_words(ends, CONTRACT)).startswith(f"{ANEW} (64 \u2192 4 GPUs")


def test_terms_of_days_are_said_in_days() -> None:
    verdict = Verdict(
        contract_id="k",
        verdict="shorten",
        then_term_months=3,
        gpus=10.0,
        order_by_s=0,
        reason="",
        shares=((10.0, (3, 90)),),
    )
    assert str(change_words(verdict, CONTRACT)) == "64 \u2192 10 GPUs, 36 months \u2192 90 days"
    assert verdict.then_s == 90 * 86_400
    both = replace(verdict, shares=((4.0, (3, None)), (6.0, (3, 90))))
    assert "3 months or 90 days" in str(change_words(both, CONTRACT))
