"""What buyers, finance and ML leads ask in their own words: of which form each question is, or that nothing is read.

A wrong reading is worse than none. `questions.txt` has the questions under the form that each is of; to one of no form
three others are offered. The numbers of answers are in `test_answers.py` and the golden tables.
"""

from pathlib import Path
from typing import Final

import pytest

from gpuplanner.domain.ask.changes import Asked, asked_of, understood
from gpuplanner.domain.ask.reading import NotUnderstoodError
from gpuplanner.domain.evaluation import evaluate_audit
from gpuplanner.files.demo.demo_project import PLANS
from gpuplanner.files.project.project_file import open_project
from gpuplanner.files.system.resources import gpu_families, read_question_forms, read_tables
from gpuplanner.files.tables.provider_words import provider_named
from tests.golden.tables import blocks

NOT_UNDERSTOOD: Final = "not understood"
QUESTIONS: Final = {
    form: text.splitlines()
    for form, text in blocks(Path(__file__).with_name("questions.txt").read_text(encoding="utf-8")).items()
}


@pytest.fixture(scope="module")
def asked(demo_path: Path) -> Asked:
    tables = read_tables()
    audit = evaluate_audit(open_project(demo_path), PLANS[0], tables)
    return asked_of(audit, gpu_families(), tables.node_gpus, provider_named)


def form_of(question: str, asked: Asked) -> object:
    """Return the form that a question is read as, or the questions offered instead, unless they are three."""
    try:
        return understood(question, read_question_forms(), asked).form
    except NotUnderstoodError as fault:
        return NOT_UNDERSTOOD if len(fault.instead) == 3 else fault.instead


@pytest.mark.parametrize("form", QUESTIONS)
def test_questions_in_other_words_are_read_as_what_they_ask(asked: Asked, form: str) -> None:
    forms = {question: form_of(question, asked) for question in QUESTIONS[form]}
    assert forms == dict.fromkeys(QUESTIONS[form], form)
