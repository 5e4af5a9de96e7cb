"""Questions 1 to 20 of the meeting: today, the plan, what if, limits, own or rent, energy, who pays, how sure."""

from typing import Final

from gpuplanner.domain.commitment.comparison.horizons import Horizon
from tests.meeting.eyes import Headline
from tests.meeting.hands import Look, Say
from tests.meeting.question import Answer, Cell, Question

FIRST_TWENTY: Final = (
    Question(
        1,
        "What do we spend a month now, and what in twelve months if we do nothing?",
        (),
        ("plan",),
        (
            Answer(
                "Spend today",
                "$ per month",
                Headline("spend", "before"),
                "totals.current_usd_per_month",
                Cell("Summary", "Spend today", "Value"),
            ),
        ),
    ),
    Question(
        3,
        "Inference doubles by March: what does that cost us?",
        (Say("inference x2 by 2027-03"), Look(Horizon.TWELVE_MONTHS)),
        ("plan", "--change", "inference x2 by 2027-03"),
        (
            Answer(
                "The plan with it, twelve months",
                "$",
                Headline("spend"),
                "horizons[horizon=twelve_months].plan_usd",
                Cell("Comparison", "Sum", "Plan as advised, $"),
            ),
        ),
    ),
)
