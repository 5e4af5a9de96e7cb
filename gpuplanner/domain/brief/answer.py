"""The title of the first page: what the plan comes to, beside signing nothing and beside what is paid now."""

from gpuplanner.domain.brief.figure_words import dollars
from gpuplanner.domain.commitment.result import Totals


def answer(totals: Totals, has_today: bool) -> str:
    """has_today: there are contracts; without them the other side is all on demand, and what is spent now unknown."""
    current, plan, nothing = (
        totals.current_usd_per_month,
        totals.plan_usd_per_month,
        totals.do_nothing_usd_per_month,
    )
    if plan is None:
        return "What the plan costs is unknown: a rate is missing, and a quote is needed before anything is signed"
    if nothing is None or current is None:
        return f"The plan costs {dollars(plan)} a month; what it is compared with is unknown, for a rate is missing"
    if leaves_to_nobody(totals):
        return (
            f"The plan costs {dollars(plan)} a month and leaves demand to nobody, so what it saves is unknown"
        )
    saved, now = round(nothing - plan), round(current - plan)  # as the tiles of the page round them
    if not has_today:
        return _answer_without_contracts(plan, current, saved, now)
    if saved == 0:
        return f"Signing nothing is as good as anything on offer: {dollars(plan)} a month, {dollars(current)} now"
    return f"The plan costs {dollars(plan)} a month: {_beside(saved)} than signing nothing, {_beside(now)} than now"


def leaves_to_nobody(totals: Totals) -> bool:
    """Whether savings are unknown for demand that the plan leaves to nobody, and not for want of a rate."""
    both = (totals.plan_usd_per_month, totals.do_nothing_usd_per_month)
    return None not in both and totals.savings_vs_do_nothing_usd_per_month is None


def _answer_without_contracts(plan: float, on_demand: float, saved: int, less: int) -> str:
    if saved == less == 0:
        return f"Signing nothing is as good as anything on offer: {dollars(plan)} a month, all on demand"
    beside = f"{_beside(less)} than all on demand ({dollars(on_demand)})"
    nothing = f"{_beside(saved)} than signing nothing, " if saved != less else ""
    return f"The plan costs {dollars(plan)} a month: {nothing}{beside}"


def _beside(saved: int) -> str:
    return f"{dollars(abs(saved))} {'less' if saved >= 0 else 'more'}"
