"""What is asked of the small projects, as golden tables: the form that is understood, and the numbers of each answer.

A case is `PROJECT ? TEXT`. The golden files have the cases: a question is added by writing it there.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Final

from gpuplanner.domain.ask.answers import OF_OUTLOOK, answer_question
from gpuplanner.domain.ask.changes import Asked, Change, Question, answer_change, asked_of, meant_by
from gpuplanner.domain.ask.numbers import Answered, Number
from gpuplanner.domain.ask.reading import NotUnderstoodError
from gpuplanner.domain.award.offer_worths import OfferWorth
from gpuplanner.domain.evaluation import Evaluation, advise_plan
from gpuplanner.domain.figures.typed import Written
from gpuplanner.domain.message import worded
from gpuplanner.files.system.resources import gpu_families, read_question_figures, read_question_forms
from tests.domain import worlds
from tests.domain.tables import plain
from tests.golden.tables import Table

FOLDER: Final = "tables_ask"
BETWEEN: Final = " ? "
"""Stands between the project and the text that is typed."""
NODES: Final = {"H100": 8, "A100": 8}


# --- Projects ------------------------------------------------------------------------------------


@cache
def past_with_plan() -> Evaluation:
    past = worlds.past()
    return replace(past.evaluation, advice=advise_plan(past.project, past.evaluation.figures))


PROJECTS: Final[Mapping[str, Callable[[], Evaluation]]] = {
    "past": past_with_plan,
    "plan": worlds.plan,
    "limited": worlds.limited,
    "unpriced": worlds.unpriced,
    "divided": worlds.divided,
}


@cache
def asked_about(project: str) -> Asked:
    return asked_of(PROJECTS[project](), gpu_families(), NODES)


def meaning_of(project: str, text: str) -> Question | Change:
    return meant_by(text, read_question_forms(), asked_about(project))


# --- Answers -------------------------------------------------------------------------------------


def answer_to(project: str, question: Question) -> Answered:
    """Return the answer to a question, with the queue of the log or what offers are worth where it reads them."""
    evaluation = PROJECTS[project]()
    if project == "plan" and question.form in (*OF_OUTLOOK, "separation"):
        evaluation = worlds.outlook_of(worlds.plan)
    read: object = worlds.queueing() if project == "plan" else None
    if question.form == "worth":
        read = worths_of(evaluation)
    return answer_question(question, evaluation, read_question_figures(), read)


def worths_of(evaluation: Evaluation) -> list[OfferWorth]:
    """Return what two offers are worth, of which one is unknown."""
    offers = {offer.offer_id: offer for offer in evaluation.project.offers}
    return [
        OfferWorth(offer=offers["y1"], rate=2.5, worth_rate=3.0, why_not_worth=None, margin_share=0.2),
        OfferWorth(
            offer=offers["q3"], rate=3.5, worth_rate=None, why_not_worth=worded("unknown"), margin_share=None
        ),
    ]


def answer_to_change(project: str, change: Change) -> Answered:
    """Return what the plan comes to with a change."""
    evaluation = PROJECTS[project]()
    after = worlds.evaluated(change.edit(evaluation.project)).advised
    return answer_change(change, evaluation.advised, after)


# --- Texts ---------------------------------------------------------------------------------------


def number_line(number: Number) -> str:
    """Return a number with its unit and its place in documents; of an unknown one, at least how much it is."""
    value = plain(Written("day", number.value)) if number.unit == "date" else plain(number.value)
    if number.value is None and number.known.is_at_least:
        value += f" at least {plain(number.known.known)}"
    if number.last_s is not None:
        value += f" to {plain(Written('day', number.last_s))}"
    return f"{value} {number.unit} {number.path or number.name}"


def answer_lines(answer: Answered) -> Iterator[str]:
    if not answer.numbers:
        yield "  none"
    for number in answer.numbers:
        yield f"  {number_line(number)}"


def answer_text(case: str) -> str:
    """Return the form that a text is understood as, and the numbers of its answer; of a change what a call states."""
    project, _, text = case.partition(BETWEEN)
    try:
        meaning = meaning_of(project, text)
    except NotUnderstoodError as fault:
        return "\n".join(("not understood", *(f"  instead: {other}" for other in fault.instead)))
    if isinstance(meaning, Change):
        parts = (meaning.form, *meaning.as_words, meaning.subject, plain(meaning.usd_per_month))
        return " ".join(" ".join(parts).split())
    return "\n".join((meaning.form, *answer_lines(answer_to(project, meaning))))


def change_text(case: str) -> str:
    """Return the numbers of the plan with a change."""
    project, _, text = case.partition(BETWEEN)
    change = meaning_of(project, text)
    assert isinstance(change, Change)
    return "\n".join((change.form, *answer_lines(answer_to_change(project, change))))


TABLES: Final = {"answers.txt": Table(text_of=answer_text), "changes.txt": Table(text_of=change_text)}
