"""What follows a contract, in words: from how many to how many."""

from dataclasses import replace

from gpuplanner.domain.commitment.result import Verdict
from gpuplanner.domain.commitment.words.verdict_words import change_words, is_to_stop, verdict_words
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.pool import PricingCategory

CONTRACT = Contract("k", "c", "H100", 64_000, None, 0, term_months=36)


def test_a_change_says_from_how_many_to_how_many() -> None:
    verdict = Verdict("k", "shorten", 12, 10.0, 0, "", ((10.0, (12, None)),))
    assert str(change_words(verdict, CONTRACT)) == "64 \u2192 10 GPUs, 36 \u2192 12 months"
    assert str(change_words(verdict, CONTRACT, "H100")).endswith("64 \u2192 10 H100, 36 \u2192 12 months")


def test_terms_of_several_kinds_are_said_to_be_mostly_one() -> None:
    verdict = Verdict("k", "shorten", 12, 1_200.0, 0, "", ((1_000.0, (12, None)), (200.0, (24, None))))
    assert "36 \u2192 mostly 12 months" in str(change_words(verdict, CONTRACT))
    assert "64 \u2192 1,200 GPUs" in str(change_words(verdict, CONTRACT))


def test_what_stays_the_same_has_no_arrow() -> None:
    assert str(change_words(Verdict("k", "renew", 36, 64.0, 0, ""), CONTRACT)) == "64 GPUs, 36 months"
    assert str(change_words(Verdict("k", "renew", 1, 1.5, 0, ""), None)) == "1.5 GPUs, 1 month"
    assert str(change_words(Verdict("k", "let_expire", 0, 0.0, 0, ""), CONTRACT)) == ""


def test_what_runs_on_by_itself_is_to_be_stopped_not_let_end() -> None:
    gone = Verdict("k", "let_expire", 0, 0.0, None, "on demand: planned afresh")
    ending = replace(CONTRACT, end_s=10**9)
    assert str(verdict_words(gone, ending)) == "let it end" and not is_to_stop(gone, ending)
    for contract in (
        CONTRACT,
        replace(ending, pricing_category=PricingCategory.STANDARD),
    ):  # no end; paid by use
        assert is_to_stop(gone, contract) and str(verdict_words(gone, contract)) == "stop it"
        said = [str(verdict_words(gone, replace(contract, notice_days=days))) for days in (1, 30)]
        assert said == ["stop it: 1 day's notice", "stop it: 30 days' notice"]
        assert str(verdict_words(replace(gone, verdict="keep"), contract)) == "keep it"


def test_what_follows_only_if_its_demand_lasts_says_so() -> None:
    verdict = Verdict("k", "renew", 12, 4.0, 0, "", ((4.0, (12, None)),), if_it_lasts=True)
    assert str(verdict_words(verdict, CONTRACT)) == (
        "renew if its demand lasts: 64 \u2192 4 GPUs, 36 \u2192 12 months"
    )


def test_terms_of_days_are_said_in_days() -> None:
    verdict = Verdict("k", "shorten", 3, 10.0, 0, "", ((10.0, (3, 90)),))
    assert str(change_words(verdict, CONTRACT)) == "64 \u2192 10 GPUs, 36 months \u2192 90 days"
    assert verdict.then_s == 90 * 86_400
    both = replace(verdict, shares=((4.0, (3, None)), (6.0, (3, 90))))
    assert "mostly 3 months or 90 days" in str(change_words(both, CONTRACT))
