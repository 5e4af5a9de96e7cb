"""What was asked as JSON: how it was understood, the sentence, and its numbers with where a plan has them."""

import shlex
from collections.abc import Sequence
from typing import Final

from gpuplanner.cli.documents.head import Document
from gpuplanner.domain.ask.answers import Answered, Number
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.window import iso_utc
from gpuplanner.domain.reports.report import entry, fields, named


def _value(one: Number) -> object:
    """Dates as all dates of documents."""
    return iso_utc(int(one.value)) if one.unit == "date" and one.value is not None else one.value


def _name(one: Number) -> str:
    """The field that it is."""
    return one.name or one.path.rpartition(".")[2].partition("[")[0]


NUMBER: Final = fields(
    named("name", _name), named("value", _value), "unit", named("path", lambda one: one.path or None)
)


def asked_document(question: str, found: Answered | None, sentence: Text, nearest: Sequence[str]) -> Document:
    """found: None where it was not understood."""
    return {
        "question": question,
        "understood": found is not None,
        "form": None if found is None else found.form,
        "as": None if found is None or found.is_of_file else shlex.join(found.as_words) or "plan",
        "sentence": str(sentence),
        "numbers": [] if found is None else [entry(NUMBER, one) for one in found.numbers],
        "nearest": list(nearest),
    }
