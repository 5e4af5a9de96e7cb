"""Coverage in words: what a target takes, and whether contracts alone reach it."""

import pytest

from gpuplanner.domain.commitment.outlook_result import Coverage
from gpuplanner.domain.commitment.words.coverage import coverage_sentences
from gpuplanner.domain.commitment.words.plan_costs import npv_sentence
from tests.domain.commitment.words.sentence_figures import figure_values, figures


@pytest.mark.parametrize(
    ("coverage", "said"),
    [
        (
            Coverage(now=0.8, plan=0.8, target=0.7, reached=0.8, extra_gpus=0, extra_usd_per_month=0.0),
            ["70%"],
        ),  # nothing to let go
        (
            Coverage(now=0.2, plan=0.5, target=0.7, reached=0.71, extra_gpus=3, extra_usd_per_month=None),
            ["3", "70%"],
        ),  # without a rate
        (
            Coverage(now=0.2, plan=0.5, target=0.7, reached=0.71, extra_gpus=3, extra_usd_per_month=0.0),
            ["3", "71.0%", "70%", "$0"],
        ),
    ],
)
def test_a_target_says_what_it_takes(coverage: Coverage, said: list[str]) -> None:
    first, second = coverage_sentences(coverage)
    assert figures(second) == said
    assert ("month more" in str(second)) is ("$0" in said)  # nothing is no less
    assert figures(first) == [f"{100 * (coverage.plan or 0):.1f}%", f"{100 * (coverage.now or 0):.1f}%"]


def test_whether_contracts_alone_hold_the_target() -> None:
    """They do where they are over it, and the plan serves no more than they."""
    held = coverage_sentences(
        Coverage(now=0.8, plan=0.8, target=0.7, reached=0.8, extra_gpus=0, extra_usd_per_month=0.0)
    )[1].template
    assert (
        coverage_sentences(
            Coverage(now=0.8, plan=0.7, target=0.7, reached=0.8, extra_gpus=0, extra_usd_per_month=0.0)
        )[1].template
        == held
    )
    for now, plan in ((0.7, 0.7), (0.75, 0.8), (0.6, 0.6)):
        assert (
            coverage_sentences(
                Coverage(now=now, plan=plan, target=0.7, reached=0.8, extra_gpus=0, extra_usd_per_month=0.0)
            )[1].template
            != held
        )
    (unknown,) = coverage_sentences(
        Coverage(now=0.2, plan=None, target=0.7, reached=None, extra_gpus=0, extra_usd_per_month=None)
    )
    assert not figures(unknown)


MORE_FOR_TARGET = "Committing 3 GPUs more would reach 71.0% (target: 70%): $1,234 per month more."
LESS_FOR_TARGET = "Moving 1 GPU to on demand would reach 72.0% (target: 70%): $500 per month more."
CHEAPER = "Committing 2 GPUs more would reach 70.0% (target: 70%): $80 per month less."


@pytest.mark.parametrize(
    ("coverage", "said"),
    [
        (
            Coverage(now=0.2, plan=0.5, target=0.7, reached=0.71, extra_gpus=3, extra_usd_per_month=1234.4),
            MORE_FOR_TARGET,
        ),
        (
            Coverage(now=0.2, plan=0.9, target=0.7, reached=0.72, extra_gpus=-1, extra_usd_per_month=500.0),
            LESS_FOR_TARGET,
        ),
        (
            Coverage(now=0.2, plan=0.5, target=0.7, reached=0.7, extra_gpus=2, extra_usd_per_month=-80.0),
            CHEAPER,
        ),
        (
            Coverage(now=0.2, plan=0.7, target=0.7, reached=0.7, extra_gpus=0, extra_usd_per_month=0.0),
            "This is the 70% target, as near as whole GPUs allow.",
        ),
        (
            Coverage(now=0.2, plan=0.5, target=0.7, reached=None, extra_gpus=3, extra_usd_per_month=None),
            "No offered commitments reach the 70% target.",
        ),
    ],
)
def test_coverage_in_words(coverage: Coverage, said: str) -> None:
    first, second = coverage_sentences(coverage)
    assert figure_values(str(first)) == [100 * (coverage.plan or 0), 100 * (coverage.now or 0)]
    assert str(second) == said


def test_no_demand_and_no_value_are_said() -> None:
    (nothing,) = coverage_sentences(
        Coverage(now=None, plan=None, target=0.7, reached=None, extra_gpus=0, extra_usd_per_month=None)
    )
    assert "demand" in str(nothing) and "%" not in str(nothing)
    assert "unknown" in str(npv_sentence(None, 60))
    assert "save $1,000 against on demand over 60 months" in str(npv_sentence(1000.0, 60))
    assert "cost $1,000 more than on demand over 60 months" in str(npv_sentence(-1000.0, 60))
