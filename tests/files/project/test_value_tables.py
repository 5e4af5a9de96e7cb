"""Field types: every value that a sound project holds passes, and nothing else."""

import json
import math
from dataclasses import dataclass
from decimal import Decimal

import pytest

from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.figures.typed import Written, amount, day, gpus, percent, significant, whole
from gpuplanner.domain.message import Message, joined, lowered, worded, worded_count
from gpuplanner.domain.model.intake import Issue, RejectedRow
from gpuplanner.domain.model.tables import Pool
from gpuplanner.files.project.value_tables import (
    DEEPEST,
    NewerFieldError,
    check_fields,
    rows_of,
    table,
    words_entry,
    words_from_text,
    words_of,
    words_text,
)

# --- Field types: every value that a sound project holds passes, and nothing else ----------------


@dataclass(frozen=True, kw_only=True)
class Row:
    count: int
    share: float | None
    rate: Decimal | None
    pool: Pool
    names: tuple[str, ...]
    is_own: bool
    start_s: int
    anything: object = None


SOUND = {
    "count": (0, -5, 2**63 - 1),
    "share": (0.5, 1, None, -0.0),
    "rate": (Decimal("2.750"), Decimal(0), None),
    "pool": tuple(Pool),
    "names": ((), ("a",)),
    "is_own": (True, False),
    "start_s": (0, -(10**9), 10**10),
    "anything": (None, "x", [1], True, 2.5),
}
UNSOUND = {
    "count": (None, 1.0, True, "1", 2**63, [1]),
    "share": (float("nan"), float("inf"), "0.5", True, Decimal(1), []),
    "rate": (Decimal("NaN"), Decimal("Infinity"), 2.75, 2, "2.75"),
    "pool": ("nowhere", None, 1),
    "names": ([], "ab", None, {"a": 1}),
    "is_own": (0, 1, None, "true"),
    "start_s": (2**60, None, 1.5),
}


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, some in SOUND.items() for value in some])
def test_what_a_field_can_hold(name: str, value: object) -> None:
    check_fields(Row, [(name, value)])


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, some in UNSOUND.items() for value in some]
)
def test_what_a_field_cannot_hold(name: str, value: object) -> None:
    with pytest.raises(ValueError, match=f"Row.{name} cannot be"):
        check_fields(Row, [(name, value)])


def test_a_field_that_there_is_not() -> None:
    with pytest.raises(NewerFieldError):
        check_fields(Row, [("colour", 1)])


# --- Texts that were saved say themselves in the language they are read in; a file cannot make them do
# anything else

TEXTS = (
    worded("Separate automatically"),
    worded("Move {what} to {pool}", what=worded("{count} workloads", count="12"), pool=Pool.BURST),
    worded_count(1, "Set level to {gpus} GPU", "Set level to {gpus} GPUs", gpus="1"),
    worded("Say why: {what}", what=lowered(worded("Pin {name}", name="a {b}"))),
    worded("Plan from ") + "2026-01-01",
    joined(("a", worded("b")), ", "),
    worded(
        "Saves {usd} of {share} by {day}", usd=amount(0.1 + 0.2, 2), share=percent(1 / 3, 1), day=day(86_400)
    ),
    worded_count(1, "{n} GPU {is_left}", "{n} GPUs {is_left}", n=gpus(1.0), is_left=worded("left")),
    worded("{unknown} of {many}", unknown=whole(None), many=significant(12_345.5)),
)


def pieces(text: object) -> object:
    """A text down to its last template."""
    if isinstance(text, Written):
        return text
    if not isinstance(text, Message):
        return str(text)
    return text.template, text.number, {name: pieces(one) for name, one in text.values.items()}


@pytest.mark.parametrize("text", TEXTS, ids=str)
def test_a_text_comes_back_with_its_pieces(text: Message) -> None:
    back = words_of(json.loads(json.dumps(words_entry(text))))
    assert back == text
    plain = {Pool.BURST: worded("burst")}  # a word of the model comes back as what it is called
    values = {k: plain.get(v, v) for k, v in text.values.items()}  # type: ignore[call-overload]
    wanted = Message(text.template, values, text.number, text.one)
    assert pieces(back) == pieces(wanted)
    assert tr(back) == str(text)
    assert words_from_text(words_text(text)) == text


def test_a_plain_text_has_nothing_to_translate() -> None:
    assert words_entry("Moved by hand") == "Moved by hand"
    assert tr(words_of("Moved by {hand}")) == "Moved by {hand}"
    assert (
        str(words_from_text("Move a to burst")) == "Move a to burst"
    )  # of a journal that was written before
    assert str(words_from_text("")) == ""


@pytest.mark.parametrize(
    "entry",
    [
        {"template": "{a.__class__}", "values": {"a": "x"}},
        {"template": "{a:>999999999}", "values": {"a": "x"}},
        {"template": "{a!r}", "values": {"a": "x"}},
        {"template": "{b}", "values": {"a": "x"}},
        {"template": "{", "values": {"a": "x"}},
        {"template": 3},
        {"template": "x", "values": {"a": 3}},
        {"template": "{a}", "values": {"a": {"template": "1", "way": "number", "value": "1", "places": 0}}},
        {"template": "{a}", "values": {"a": {"template": "1", "way": "number", "value": 1, "places": 10**9}}},
        {
            "template": "{a}",
            "values": {"a": {"template": "1", "way": "number", "value": math.nan, "places": 0}},
        },
        {"template": "{a}", "values": {"a": {"template": "1", "way": "number", "value": True, "places": 0}}},
        {"template": "{a}", "values": {"a": {"template": "1", "way": "day", "value": 10**18, "places": 0}}},
        {"template": "{a}", "values": {"a": {"way": "number", "value": 1}}},
        {"template": "x", "number": "3", "english": "x"},
        {"values": {}},
        ["x"],
        3,
    ],
    ids=str,
)
def test_what_is_no_text_is_refused(entry: object) -> None:
    with pytest.raises((ValueError, TypeError, KeyError)):
        words_of(entry)


def test_numbers_are_english_to_a_reader_that_knows_of_none() -> None:
    entry = words_entry(worded("Saves {usd}", usd=amount(1234)))
    assert entry == {
        "template": "Saves {usd}",
        "values": {"usd": {"template": "$1,234", "way": "amount", "value": 1234, "places": 0}},
    }


def test_a_number_in_a_way_of_later_versions_is_its_english() -> None:
    entry = {
        "template": "In {n}",
        "values": {"n": {"template": "3 weeks", "way": "weeks", "value": 3, "places": 0}},
    }
    assert str(words_of(entry)) == "In 3 weeks"


def test_a_number_that_json_has_no_form_for_is_kept_in_english() -> None:
    for value in (math.inf, math.nan, 1e300):
        text = worded("{n} GPUs", n=whole(value))
        assert str(words_of(json.loads(json.dumps(words_entry(text), allow_nan=False)))) == str(text)


def test_an_older_entry_of_a_counted_text_says_what_was_said() -> None:
    entry = {"template": "{n} GPUs", "values": {"n": "1"}, "number": 1, "english": "1 GPU {x}"}
    assert str(words_of(entry)) == "1 GPU {x}"


def test_texts_inside_texts_without_end_are_refused() -> None:
    entry: object = "x"
    for _ in range(DEEPEST + 2):
        entry = {"template": "{a}", "values": {"a": entry}}
    with pytest.raises(ValueError, match="is no text"):
        words_of(entry)
    text = joined(("x",))
    for _ in range(DEEPEST + 2):
        text = worded("({inner})", inner=text)
    assert words_of(words_entry(text)) == text  # what was written can always be read


def test_what_a_reader_says_of_rows_keeps_its_template() -> None:
    # so a project that is opened again speaks the window's words, whose options are controls, and its language
    words = joined(
        (worded("{hours} GPU-h before it", hours=significant(3.0)), worded("choose --start")), "; "
    )
    for row in (
        Issue("before_window", 2, 4, words),
        RejectedRow(row=4, code="bad_time", message=words, text="a,b"),
    ):
        [back] = rows_of(type(row), json.loads(json.dumps(table(type(row), (row,)))))
        assert back == row
        assert [str(part) for part in back.message.values.values()] == [
            "3 GPU-h before it",
            "; ",
            "choose --start",
        ]
