"""Values of assumptions as they are shown and typed."""

from typing import Final

from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.assumptions import AssumptionSpec, AssumptionValue, parse_assumption, read_share
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.ui.words import numbers

FROM_THEN_ON_PERCENT = 1.0
"""A bare number of at least this size is percent: 5 is 5%; below it a share: 0.05 is 5%."""


def value_words(spec: AssumptionSpec, value: AssumptionValue) -> str:
    """A value as it is read and typed: 3%, 60, yes; empty where none is set."""
    if value is None:
        return ""
    if spec.kind == "flag":
        return tr("yes") if value else tr("no")
    if spec.kind == "ratio":
        return share_text(float(value))
    return str(value).replace("_", " ") if spec.kind == "choice" else numbers.significant(float(value))


def words_with_unit(spec: AssumptionSpec, value: AssumptionValue) -> str:
    """The same in a sentence: 12 months, 900 kW, 3% per month; empty where none is set."""
    written = value_words(spec, value).replace("-", numbers.MINUS)
    has_unit = spec.kind in ("integer", "number") or str(spec.unit).startswith("per ")
    return (
        tr("{first} {second}", first=written, second=spec.unit)
        if written and has_unit and spec.unit
        else written
    )


WITHOUT_END: Final = 1e12
"""A bound that nobody comes near: its digits would take the room of the names."""


def range_words(spec: AssumptionSpec) -> str:
    """The values it may have: 0% - 100%, yes or no; with an en dash, and a minus sign where one is below zero."""
    if spec.kind == "flag":
        return tr("yes or no")
    low, high = (value_words(spec, bound) for bound in (spec.low, spec.high))
    if spec.high >= WITHOUT_END:
        return tr("{low} or more", low=low)
    return f"{low} {numbers.EN_DASH} {high}".replace("-", numbers.MINUS)


def typed_value(spec: AssumptionSpec, text: str) -> AssumptionValue:
    """The value that was typed; a minus sign and separators of thousands are read as they are shown.

    Errors: PlannerError in the unit of the table, with the range as it is shown there.
    """
    if spec.kind == "flag" and (flag := _flag(text)) is not None:
        return flag
    plain = numbers.plain_amount if "_usd_" in spec.name else numbers.plain_number
    cleaned = plain(text.strip().replace(numbers.MINUS, "-"))
    if spec.kind in ("number", "integer"):
        cleaned = cleaned.replace(",", "")
    if spec.kind == "ratio" and _is_percent(cleaned):
        cleaned += "%"
    try:
        return parse_assumption(spec.name, cleaned)
    except PlannerError as error:
        raise PlannerError(spec.title, error.code, _fault(spec, cleaned), _remedy(spec)) from None


def typed_share(text: str) -> float | None:
    """A share that was typed, 0..1: 40%, 40 or 0.4; None for nothing. Errors: PlannerError."""
    cleaned = numbers.plain_number(text.strip())
    return read_share(f"{cleaned}%" if _is_percent(cleaned) else cleaned)


def share_text(share: float | None) -> str:
    """A share as it is read and typed: 40%; empty where none is set."""
    return "" if share is None else f"{numbers.significant(100 * share, 4)}%"


def _flag(text: str) -> bool | None:
    """Yes or no as the planner's language has it, which is how it is shown; None for any other word."""
    return {tr("yes").casefold(): True, tr("no").casefold(): False}.get(text.strip().casefold())


def _is_percent(text: str) -> bool:
    """Whether a ratio was typed as percent: it is too large to be a ratio."""
    try:
        return abs(float(text)) >= FROM_THEN_ON_PERCENT
    except ValueError:
        return False


def _fault(spec: AssumptionSpec, text: str) -> Message:
    """Why a text is no value of an assumption."""
    try:
        number = float(text.removesuffix("%"))
    except ValueError:
        kind = worded("yes or no") if spec.kind == "flag" else worded("a number")
        if not text:
            return worded("there is no value")
        return worded("{value} is not {kind}", value=repr(text), kind=kind)
    if spec.kind == "integer" and number != int(number):
        return worded("{value} is not a whole number", value=text)
    return worded("{value} is out of range", value=text)


def _remedy(spec: AssumptionSpec) -> Message:
    """What to enter, with range and unit."""
    if spec.kind == "flag":
        return worded("enter yes or no")
    limits = range_words(spec).replace(numbers.EN_DASH, "to")
    entered = worded("enter {spec}, {unit}", spec=limits, unit=spec.unit)
    if str(spec.unit).startswith("per ") or spec.kind != "ratio":
        entered = worded("enter {spec} {unit}", spec=limits, unit=spec.unit)
    return worded("{entered}, or nothing", entered=entered) if spec.may_be_none else entered
