"""Marks are for exceptions: of what many cards of a column have in common, the head counts them."""

from dataclasses import replace

from gpuplanner.domain.evaluation import fit_project
from gpuplanner.domain.fit.rules import Light
from gpuplanner.files.system.resources import read_tables
from gpuplanner.ui.cards.marks import WORDS, CardMarks, Finding, finding_words, most_few, standing_out
from gpuplanner.ui.state.view_state import ViewState, next_view_state
from gpuplanner.ui.words.lanes import Lane
from tests.ui.sample_world import evaluation_of, sample_project

RED = ("fit", "red")


def test_few_are_a_tenth_and_three_at_least() -> None:
    assert [most_few(peers) for peers in (0, 8, 30, 31, 72, 10_000)] == [3, 3, 3, 4, 8, 1000]


def test_an_exception_is_marked_however_little_it_costs() -> None:
    weights = {str(at): 100.0 for at in range(30)} | {"x": 0.0}
    assert standing_out(["x"], weights) == {"x"}
    assert standing_out([], weights) == frozenset()


def test_of_what_many_have_those_that_carry_the_dollars_are_marked() -> None:
    weights = {"a": 60.0, "b": 30.0, "c": 5.0, "d": 4.9, "e": 0.1}
    assert standing_out([*weights], weights) == {"a", "b", "c"}  # 5% of the column at least
    assert standing_out([*weights], {**weights, "c": 4.0, "d": 5.9}) == {"a", "b", "d"}
    assert standing_out([*weights], dict.fromkeys(weights, 0.0)) == frozenset()  # none stands out


def test_what_is_amber_of_most_is_marked_once() -> None:
    """A map of models gave every card of a small column `80 GB is under 141 GB`."""
    weights = {"a": 60.0, "b": 30.0, "c": 10.0}
    assert standing_out([*weights], weights, is_amber=True) == {"a"}
    assert standing_out(["b"], weights, is_amber=True) == {"b"}
    assert standing_out([*weights], weights) == {*weights}


def with_light(light: Light | None) -> ViewState:
    """The sample in which all hardware has one light."""
    project = sample_project()
    evaluation = evaluation_of(project, project.scenarios[0].name)
    fit = fit_project(project, evaluation.audit, read_tables())
    shown = next_view_state(None, replace(evaluation, fit=fit))
    assert shown.fit
    return replace(shown, fit=tuple(replace(fit, light=light) for fit in shown.fit))


def test_what_all_cards_have_is_said_by_the_head_and_still_by_each_card() -> None:
    shown = with_light(Light.RED)
    marks = CardMarks(shown)
    training = [card.key for card in shown.cards if not card.in_review and card.pool.value == "training"]
    (finding,) = (one for one in marks.findings[Lane.TRAINING] if (one.icon, one.role) == RED)
    drawn = [
        key for key in training if any(one.is_drawn and (one.icon, one.role) == RED for one in marks[key])
    ]
    assert (finding.cards, finding.marked) == (len(training), len(drawn))
    assert 0 < len(drawn) <= most_few(len(training)) < len(training)
    assert drawn[0] == max(training, key=lambda key: shown.usd[key] or 0.0)
    assert all(any((one.icon, one.role) == RED for one in marks[key]) for key in training)
    assert finding.is_of_the_pool


def test_words_of_a_finding() -> None:
    four, one, none = (
        finding_words(Finding("fit", role, cards, marked))
        for role, cards, marked in (("red", 31, 4), ("red", 3, 1), ("amber", 72, 0))
    )
    red, amber = (str(WORDS["fit", role]) for role in ("red", "amber"))
    said, marked = four.split(". ")
    assert said == f"31 cards with {red}" and marked == "The 4 most expensive ones are marked."
    said, marked = one.split(". ")
    assert said == f"3 cards with {red}" and marked == "The most expensive one is marked."
    assert none == f"72 cards with {amber}."
