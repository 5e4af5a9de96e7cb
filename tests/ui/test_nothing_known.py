"""What the window says of contracts alone, and of a log without prices: nothing is 0, used or to be signed."""

from dataclasses import replace

import pytest

from gpuplanner.domain.ask.answers import answer_question
from gpuplanner.domain.ask.changes import Question
from gpuplanner.domain.ask.numbers import Answered
from gpuplanner.domain.commitment.plan.totals import plan_sum
from gpuplanner.domain.evaluation import Evaluation, evaluate
from gpuplanner.domain.model.amounts import part_sum
from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.domain.model.project import Project
from gpuplanner.files.system.resources import read_question_figures, read_tables
from gpuplanner.ui.decisions.page_rows import page_rows
from gpuplanner.ui.flows.project_flow import new_project
from gpuplanner.ui.state.headline_figures import describe_missing_prices, figures_of
from gpuplanner.ui.state.view_state import ViewState, next_view_state
from gpuplanner.ui.words import numbers
from tests.ui.sample_world import sample_project

WHOLE = sample_project()
CONTRACTS_ALONE = replace(new_project(WHOLE.window.end_s), contracts=WHOLE.contracts)
LOG_ALONE = replace(WHOLE, contracts=(), offers=())


def known(project: Project) -> Evaluation:
    return evaluate(project, project.scenarios[0].name, read_tables())


def view_state_of(project: Project) -> ViewState:
    return next_view_state(None, known(project))


def test_contracts_alone_are_not_called_idle() -> None:
    evaluation = known(CONTRACTS_ALONE)
    assert evaluation.advice is not None
    assert not evaluation.advice.verdicts and not evaluation.advice.orders and not evaluation.audit.leaks
    assert evaluation.audit.spend  # what is paid is known all the same
    rows = evaluation.audit.contracts
    assert rows and all(row.utilization is None and not row.below_40_percent for row in rows)
    assert all(row.unused_per_month is None for row in rows)
    assert not any(check.code == "below_40" for check in evaluation.checks)


def test_a_log_of_an_idle_window_is_an_answer() -> None:
    """A log was read and none of its jobs is in the window: then contracts are idle, and that is said."""
    file = FileIntake(
        path="jobs.csv",
        kind="jobs",
        format="own_csv",
        rows_read=1,
        rows_accepted=1,
        rows_rejected=0,
        rows_duplicate=0,
        rows_ignored=0,
    )
    evaluation = known(replace(CONTRACTS_ALONE, intake=(file,)))
    assert {row.utilization for row in evaluation.audit.contracts} == {0.0}


@pytest.mark.parametrize("project", [CONTRACTS_ALONE, LOG_ALONE], ids=["contracts", "log"])
def test_the_headline_has_a_dash_and_says_what_is_missing(project: Project) -> None:
    figures = {figure.figure_id: figure for figure in figures_of(view_state_of(project))}
    for name in ("spend", "savings", "unused_per_month", "utilization", "lock_in"):
        assert figures[name].plan == numbers.UNKNOWN, name
    needs = "a job log" if project is CONTRACTS_ALONE else "prices"
    assert str(figures["savings"].second[0]) == f"Unknown without {needs}"


@pytest.mark.parametrize("project", [CONTRACTS_ALONE, LOG_ALONE], ids=["contracts", "log"])
def test_nobody_says_that_nothing_is_to_be_signed(project: Project) -> None:
    rows = page_rows(view_state_of(project), ())
    assert rows[0].title == "Orders not known yet"
    assert not any("Nothing to sign" in row.title or "advice" in str(row.note) for row in rows)


def test_a_part_without_a_price_leaves_what_the_rest_costs_at_least() -> None:
    """Contracts at their rates are known; what runs beyond them needs prices."""
    some = tuple(replace(one, rate_usd_per_gpu_hour=None) for one in WHOLE.contracts[:1])
    evaluation = known(replace(WHOLE, contracts=(*some, *WHOLE.contracts[1:])))
    assert evaluation.advice is not None
    of_plan = plan_sum(evaluation.advice)
    assert evaluation.advice.totals.plan is None and of_plan.is_at_least
    spend = figures_of(next_view_state(None, evaluation))[0]
    assert spend.plan == f"\u2265 {numbers.dollars(of_plan.known)}"
    assert some[0].contract_id in of_plan.missing
    assert spend.second[0] == f"{len(of_plan.missing)} of {of_plan.parts} without a price"


def test_the_one_part_without_a_price_is_named() -> None:
    assert describe_missing_prices(part_sum([("A", 2.0), ("B", None)]))[0] == "1 of 2 without a price: B"
    assert (
        describe_missing_prices(part_sum([("A", 2.0), ("B", None), ("C", None)]))[0]
        == "2 of 3 without a price"
    )


def test_without_prices_no_contract_is_said_to_be_better_let_end() -> None:
    evaluation = known(replace(WHOLE, offers=()))
    assert evaluation.advice is not None and not evaluation.advice.verdicts
    titles = [row.title for row in page_rows(next_view_state(None, evaluation), ())]
    assert not any(str(title).startswith("Let ") for title in titles)


# --- One contract without a rate: what is known of a sum is said, and where the rate is typed

A100 = replace(WHOLE.offers[0], offer_id="aws-a100-od", gpu_model="A100")
PRICED = replace(WHOLE, offers=(*WHOLE.offers, A100))
UNRATED = replace(
    PRICED,
    contracts=tuple(
        replace(one, rate_usd_per_gpu_hour=None) if one.contract_id == "cedar" else one
        for one in PRICED.contracts
    ),
)


@pytest.fixture(scope="module")
def asked() -> tuple[Evaluation, Evaluation]:
    """The plan with all rates, and without that of the contract that serves last with it and without it."""
    return known(PRICED), known(UNRATED)


@pytest.mark.parametrize("form", ["owed", "cash"])
def test_questions_answer_with_what_is_known_of_a_sum(
    asked: tuple[Evaluation, Evaluation], form: str
) -> None:
    """Documents have null, as of totals; the sentence has what it is at least, and the remedy."""
    whole, found = (answer(form, of) for of in asked)
    parts = [(one, full) for one, full in zip(found.numbers, whole.numbers, strict=True) if one.value is None]
    assert parts
    for one, full in parts:
        assert full.value is not None and 0 < one.known.known < full.value
        assert list(map(str, one.known.missing)) == ["cedar"]
    assert "\u2265 $" in str(found.sentence) and "unknown" not in str(found.sentence)
    assert "cedar" in str(found.sentence)


def test_a_rate_that_plan_and_doing_nothing_lack_leaves_the_savings_known(
    asked: tuple[Evaluation, Evaluation],
) -> None:
    whole, found = (answer("savings", of) for of in asked)
    assert [one.value for one in found.numbers] == pytest.approx([one.value for one in whole.numbers])
    assert "cedar" not in str(found.sentence)


def test_what_it_saves_stays_unknown_where_one_side_lacks_a_rate_and_says_which(
    asked: tuple[Evaluation, Evaluation],
) -> None:
    """The plan pays $1,000 of contracts a month without cedar: only doing nothing lacks its rate, until it ends."""
    assert asked[1].advice is not None
    months = [
        replace(one, contracts_usd=1000.0, plan_unpriced=frozenset()) for one in asked[1].advice.comparison
    ]
    found = answer("savings", replace(asked[1], advice=replace(asked[1].advice, comparison=tuple(months))))
    assert [one.value is None for one in found.numbers] == [True, False, True] and "\u2265" not in str(
        found.sentence
    )
    assert "cedar" in str(found.sentence)


def answer(form: str, of: Evaluation) -> Answered:
    return answer_question(Question(form, {}), of, read_question_figures())
