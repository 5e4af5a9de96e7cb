"""Parts of the small plan (`worlds.plan`), and the numbers and values of a text."""

import re

from gpuplanner.domain.brief.approval import Approval, approval_on
from gpuplanner.domain.commitment.uncertainty.flips import FlipPoint
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.message import Message, Text
from gpuplanner.domain.model.window import DAY_S
from tests.domain import worlds

PLAN_S = worlds.PLAN_S
TOTALS = worlds.plan().advised.totals
ORDERS = worlds.plan().advised.orders


def numbers(text: Text) -> list[str]:
    return re.findall(r"\$?\d[\d,.]*\d|\$?\d", str(text))


def values(text: Text) -> dict[str, str]:
    """What stands in the places of a message."""
    assert isinstance(text, Message)
    return {name: str(part) for name, part in text.values.items()}


def flip(at: float, assumption: str = "growth", value: float = 0.02) -> FlipPoint:
    known = {"assumption": assumption, "at": at, "value": value}
    return FlipPoint(**{name: known.get(name) for name in FlipPoint.__slots__})  # type: ignore[arg-type]


def approval(day: int = 0, of: Evaluation | None = None) -> Approval:
    chosen = of or worlds.plan()
    return approval_on(chosen.advised, chosen.project, PLAN_S + day * DAY_S)
