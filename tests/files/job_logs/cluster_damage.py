"""What may happen to an export on its way: values of JSON swapped, bytes of a text lost or doubled."""

import copy
import random
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from hypothesis import settings

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.files.job_logs.judging.dialect import IGNORED, NOTED, QUEUE_FIELDS, RAW, TEXT_FIELDS
from gpuplanner.files.sources.source import Source, survey
from tests.some_of import LONG_RUN

IS_LONG = settings.get_current_profile_name() == LONG_RUN
often = settings(max_examples=20_000 if IS_LONG else 50, deadline=None)
"""Of a law whose examples cost next to nothing."""

ODD_VALUES: list[Any] = [
    *(None, True, False, 0, -1, 3, 2.5, 10**25, -0.0),
    *("", " ", "Unknown", "null", "-1", "9" * 40, "1e999", "NaN", "2026-13-45T99:99:99Z"),
    *("\ud800", "a\nb", '"', "é"),
    *([], {}, [None], [[]], [{}], ["x"], {"a": {}}, {"": None}, [1, "2", {"name": 3}]),
]
ODD_TEXTS = [
    *('"', ",", "|", ";", "\n", "\r\n", "{", "}", "[", "]", ":", "<", ">", "=", "\t", "\0", "é", "\u2028"),
    *("Unknown", "-1", "9" * 30, "2026", "null", "NaN", "gpus", "\\u0000", "\ufeff", "(", "+", "1e999"),
]


def damaged_value(value: Any, chance: random.Random) -> Any:
    """A copy of a JSON value with up to four of its parts swapped for odd ones, renamed or gone."""
    value = copy.deepcopy(value)
    for _ in range(chance.randrange(1, 5)):
        places = list(_places(value))
        if not places:
            return chance.choice(ODD_VALUES)
        holder, key = chance.choice(places)
        what = chance.randrange(4)
        if what == 0:
            del holder[key]
        elif what == 1 and isinstance(holder, dict):
            holder[chance.choice(["kind", "name", "items", "", "x"])] = holder[key]
        else:
            holder[key] = copy.deepcopy(chance.choice(ODD_VALUES))
    return value


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    keys: Iterable[Any] = (
        value.keys() if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    )
    for key in keys:
        yield value, key
        yield from _places(value[key])


def damaged_text(text: str, chance: random.Random) -> str:
    """A text with up to eight places overwritten, doubled or cut."""
    for _ in range(chance.randrange(1, 9)):
        at = chance.randrange(len(text) + 1)
        piece = chance.choice([*ODD_TEXTS, text[at : at + 30]])
        text = text[:at] + piece + text[at + chance.choice([0, 0, 1, 5, 40]) :]
    return text


def check_texts(texts: Any) -> None:
    """What a dialect says of a job is text under names that a job row has."""
    assert set(texts) <= {*TEXT_FIELDS, *QUEUE_FIELDS, IGNORED, RAW, NOTED}
    assert all(isinstance(text, str) for text in texts.values())


def check_rows_add_up(file: FileIntake) -> None:
    """Every row has one end."""
    ends = (file.rows_accepted, file.rows_rejected, file.rows_duplicate, file.rows_ignored)
    assert file.rows_read == sum(ends)
    assert len(file.rejected) == file.rows_rejected


def check_read_or_refused(read: Callable[[], FileIntake]) -> None:
    """A file is read with every row accounted for, or refused with what to do."""
    try:
        file = read()
    except PlannerError as refusal:
        fault: PlannerError | None = refusal
    else:
        fault = None
        check_rows_add_up(file)
    assert fault is None or fault.remedy


def source_of(text: str, folder: Path) -> Source:
    """A text as a surveyed file."""
    path = folder / "log"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    return survey(str(path))
