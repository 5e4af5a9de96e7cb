"""A message is a value: it does not change, is no text, and says the same however its values are made."""

import copy
import json
import pickle
from dataclasses import asdict, dataclass

import pytest

from gpuplanner.domain.figures.typed import amount, day, percent, whole
from gpuplanner.domain.message import NO_WORDS, Message, Text, joined, lowered, worded, worded_count
from gpuplanner.domain.model.tables import Pool

SAID = worded("{gpus} GPUs until {date}", gpus=whole(64), date=day(1_777_593_600))


@dataclass(frozen=True)
class Row:
    """A row that says something."""

    words: Text


def test_it_is_read_in_english_where_that_is_asked_for() -> None:
    assert str(SAID) == f"{SAID}" == "64 GPUs until 1 May 2026"
    assert str("From now, " + SAID + ".") == f"From now, {SAID}."
    assert str(worded("of {what}", what=lowered(worded("Idle {n}", n=whole(1))))) == "of idle 1"
    assert str(joined(("a", amount(-5), worded("b")), ", ")) == "a, \u2212$5, b"


def test_it_is_no_text_and_equals_none() -> None:
    assert not isinstance(SAID, str)
    assert str(SAID) != SAID and str(SAID) not in {SAID, NO_WORDS}
    with pytest.raises(TypeError):
        ", ".join([SAID])  # type: ignore[list-item]
    with pytest.raises(TypeError):
        json.dumps({"said": SAID})


def test_two_are_equal_where_template_and_english_are() -> None:
    burst = worded("Move to {pool}, {hours} h", pool=Pool.BURST, hours=whole(12))
    again = worded("Move to {pool}, {hours} h", pool=worded("burst"), hours="12")
    assert burst == again and hash(burst) == hash(again) and len({burst, again}) == 1
    assert burst != worded("Move to {pool}, {hours} h", pool=Pool.BURST, hours=whole(13))
    assert worded("64 GPUs") != worded(
        "{gpus} GPUs", gpus=whole(64)
    )  # another language has other words for them
    one, many = (worded_count(n, "{n} GPU", "{n} GPUs", n="1") for n in (1, 2))
    assert one != many
    assert one == Message("{n} GPUs", {"n": "1"}, 1, "1 GPU")


def test_a_number_is_rounded_as_in_tables_and_unknown_is_a_dash() -> None:
    said = worded("{usd} or {share} of {rest}", usd=amount(2.5), share=percent(0.125), rest=whole(None))
    assert str(said) == "$3 or 13% of \u2014"


def test_it_is_false_where_nothing_is_said() -> None:
    assert not NO_WORDS and not worded("") and not joined(()) and not joined(("", NO_WORDS))
    assert SAID and joined(("", SAID)) and worded("{a}", a=whole(0))


def test_one_message_alone_is_itself() -> None:
    assert joined((SAID,), "; ") is SAID
    assert joined(("a name",)) == Message("{part0}", {"part0": "a name"})


@pytest.mark.parametrize("name", ["template", "values", "number", "one", "other"])
def test_it_does_not_change(name: str) -> None:
    with pytest.raises(AttributeError):
        setattr(SAID, name, "x")


def test_it_is_copied_and_sent_whole() -> None:
    for other in (copy.deepcopy(SAID), pickle.loads(pickle.dumps(SAID)), asdict(Row(SAID))["words"]):
        assert isinstance(other, Message)
        assert (other.template, other.values, other.number, other.one) == (
            SAID.template,
            SAID.values,
            SAID.number,
            SAID.one,
        )
