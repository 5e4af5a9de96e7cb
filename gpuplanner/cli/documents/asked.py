"""An answered question as JSON: its meaning, the sentence, and its numbers."""

import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from gpuplanner.domain.message import Text
from gpuplanner.domain.model.window import iso_utc
from gpuplanner.domain.reports.report import entry, fields, named

if TYPE_CHECKING:  # most documents ask nothing
    from gpuplanner.domain.ask.numbers import Answered, Number
from gpuplanner.cli.documents.head import Document


def _value(number: "Number") -> object:
    """Dates as all dates of documents."""
    return iso_utc(int(number.value)) if number.unit == "date" and number.value is not None else number.value


def _name(number: "Number") -> str:
    """The field that it is."""
    return number.name or number.path.rpartition(".")[2].partition("[")[0]


NUMBER: Final = fields(
    named("name", _name), named("value", _value), "unit", named("path", lambda row: row.path or None)
)


def asked_document(
    question: str, answered: "Answered | None", sentence: Text, nearest: Sequence[str]
) -> Document:
    """answered: None where it was not understood."""
    return {
        "question": question,
        "understood": answered is not None,
        "form": None if answered is None else answered.form,
        "as": None if answered is None or answered.is_of_file else shlex.join(answered.as_words) or "plan",
        "sentence": str(sentence),
        "numbers": [] if answered is None else [entry(NUMBER, number) for number in answered.numbers],
        "nearest": list(nearest),
    }
