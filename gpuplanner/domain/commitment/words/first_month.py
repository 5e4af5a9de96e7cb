"""Why the first of a plan's months is not what the plan costs a month, in words."""

from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.figures.typed import amount
from gpuplanner.domain.message import Message, worded


def first_month_words(advice: Advice) -> Message | None:
    """Both amounts, and what is between them where an order starts late; None where they are the same, or unknown."""
    month = advice.comparison[0].plan_usd if advice.comparison else None
    running = advice.totals.plan
    if month is None or running is None or round(month) == round(running):
        return None
    if any(one.month == 0 and one.late for one in advice.orders):
        return worded(
            "The first month costs {month}, not the {running} of a month with all of the plan running: what starts "
            "late in it is paid by use until then.",
            month=amount(month),
            running=amount(running),
        )
    return worded(
        "The first month costs {month}, not the {running} of a month with all of the plan running.",
        month=amount(month),
        running=amount(running),
    )
