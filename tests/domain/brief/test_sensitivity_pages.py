"""The pages of savings and prices: steps add up to the savings named, and flips are said as they were found."""

from dataclasses import replace

import pytest

from gpuplanner.domain.brief.briefs import brief_of
from gpuplanner.domain.brief.pages import BridgeChart, TableBlock
from gpuplanner.domain.brief.plan_pages import steps_page
from gpuplanner.domain.brief.sensitivity_pages import price_flip_words
from gpuplanner.domain.commitment.outlook_result import Separation
from gpuplanner.domain.commitment.uncertainty.flips import FlipPoint, Largest
from gpuplanner.domain.commitment.words.savings import STEP_NAMES
from gpuplanner.domain.model.tables import Pool
from tests.files.workbook.evaluations import evaluation_of, two_clusters_evaluated
from tests.oracle.projects import random_case


def page_of(evaluation, key):
    made = brief_of(evaluation, evaluation.project.plan_window.end_s, "1")
    return next(page for page in made.pages if page.key == key)


def steps_of(evaluation):
    """The page of the first month's savings alone: in a brief it may stand below another."""
    (page,) = steps_page(evaluation.advice, evaluation.outlook, evaluation.audit, has_today=True)
    return page


def blocks(page, kind):
    return [block for row in page.rows for block in row if isinstance(block, kind)]


def amount(text):
    return int(str(text).replace(",", "").replace("−", "-").replace("+", ""))


@pytest.mark.long
def test_steps_add_up_to_the_savings_named():
    known = 0
    for seed in range(12):
        evaluation = evaluation_of(random_case(seed))
        totals, page = evaluation.totals, steps_of(evaluation)
        steps = {step.step: step.usd_per_month for step in evaluation.outlook.savings_steps}
        table, apart = blocks(page, TableBlock)
        assert len(apart.rows) == 6 and str(apart.rows[0][0]).startswith("Costs")
        for bridge in blocks(page, BridgeChart):
            bars = bridge.bars
            if any(bar.usd is None for bar in bars):
                continue
            known += 1
            texts = [amount(bar.text) for bar in bars]
            assert sum(texts[:3]) == texts[3] == round(totals.savings_vs_do_nothing)
            assert texts[3] + sum(texts[4:6]) == texts[6] == round(totals.savings)
            assert [bar.usd for bar in bars[:3]] == [-steps[n] for n in ("terms", "separation", "spot")]
            assert [bar.usd for bar in bars[4:6]] == [-steps[n] for n in ("demand", "ending")]
            written = [amount(row[1]) for row in table.rows] + [amount(table.total[1])]
            assert written == texts
            assert "doing nothing" in str(table.rows[3][0])
    assert known > 4


def test_separate_pools_say_what_they_cost_in_twelve_months():
    """Contracts that go on leave nothing of it in the first month: 0 was shown of $77,000."""
    made = two_clusters_evaluated()
    apart = Separation((5.0, *[9_000.0] * 11), (5.0, *[2_000.0] * 11))
    made = replace(made, outlook=replace(made.outlook, separation=apart))
    _, lines = blocks(steps_of(made), TableBlock)[:2]
    assert "$77,000" in str(lines.rows[0][0])


def test_unknown_steps_are_no_bars():
    evaluation = two_clusters_evaluated()
    steps = tuple(
        replace(one, saved_per_month=None, unknown="No rate.") for one in evaluation.outlook.savings_steps
    )
    totals = replace(evaluation.advice.totals, savings=None, savings_vs_do_nothing=None)
    page = steps_of(
        replace(
            evaluation,
            advice=replace(evaluation.advice, totals=totals),
            outlook=replace(evaluation.outlook, savings_steps=steps),
        )
    )
    assert "unknown" in str(page.title) and not blocks(page, BridgeChart)
    table, names = blocks(page, TableBlock)[0], set(map(str, STEP_NAMES.values()))
    assert {str(row[2]) for row in table.rows if str(row[0]) in names} == {"\u2014: No rate."}


def flip(at, value=0.004):
    return FlipPoint(
        assumption="delta",
        pool=Pool.INFERENCE,
        gpu_model="H100",
        value=value,
        at=at,
        today=Largest(36, 24.0),
        there=Largest(12, 41.0),
    )


@pytest.mark.parametrize(
    ("flips", "words"),
    [
        ((), "keep their term from +2.0% to −12.0% per month"),
        ((flip(0.03), flip(0.008)), "unless prices fall by 0.8% per month or more;"),
        (
            (flip(0.008), flip(-0.019), flip(-0.02)),
            "fall by 0.8% per month or more, or rise by 1.9% per month or more;",
        ),
        ((flip(0.0),), "unless prices do not fall;"),
        ((flip(0.002),), "unless prices fall by 0.2% per month or less;"),
    ],
)
def test_how_far_prices_may_move(flips, words):
    said = str(price_flip_words(flips, 0.004, signs=True))
    assert words in said and ": 0.4%" in said


def test_where_nothing_is_signed_no_layer_keeps_its_term():
    said = str(price_flip_words((flip(0.03),), 0.004, signs=False))
    assert " 3.0% per month " in said
    assert said.startswith("No order pays off")
    assert "No order" not in str(price_flip_words((flip(0.03),), 0.004, signs=True))


def test_paths_are_those_of_the_outlook():
    evaluation = two_clusters_evaluated()
    table = blocks(page_of(evaluation, "rates"), TableBlock)[1]
    assert len(table.rows) == 4
    for row, path in zip(table.rows, evaluation.outlook.price_paths, strict=True):
        usd = (path.shorter_only_usd, path.advice_usd, path.longer_only_usd, path.regret_usd)
        assert [amount(cell) for cell in row[1:]] == [round(value) for value in usd]
