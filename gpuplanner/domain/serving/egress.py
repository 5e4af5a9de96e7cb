"""Egress: what it costs that data leaves, text apart from media."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from gpuplanner.domain.figures.typed import decimals, significant
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.log.traffic import Traffic
from gpuplanner.domain.model.scenario.assumptions import Assumptions
from gpuplanner.domain.model.window import HOUR_S, HOURS_PER_MONTH

BYTES_PER_TOKEN: Final = 5
BYTES_PER_GB: Final = 10**9


@dataclass(frozen=True, slots=True)
class Egress:
    """Units: GB and $ a month, $ per GB. An amount that nobody stated is None, and so is a price that needs it.

    text: of the tokens that leave; media: images, audio and video, only where the planner stated them. usd:
    of what is stated; None where neither is.
    Source: docs/formulas.md, Egress.
    """

    text_gb: float | None
    media_gb: float | None
    usd_per_gb: float
    text_usd: float | None
    media_usd: float | None
    usd: float | None
    sentence: Message


def text_gb(tokens: float) -> float:
    """Gigabytes of so many tokens of text, at 5 bytes each.

    Units: GB of 10^9 bytes, of as many tokens as are given.

    >>> text_gb(1_000_000_000)
    5.0
    """
    return tokens * BYTES_PER_TOKEN / BYTES_PER_GB


def tokens_per_month(traffic: Iterable[Traffic]) -> float | None:
    """What endpoints generated, as a month of 730 h: what they read comes in and leaves nothing. None without any.

    Each file of traffic counts as though its mean rate went on all month, and the files are added up; one
    without any length is left out.
    Source: docs/formulas.md, Egress.
    """
    spans = [(one.end_s - one.start_s, sum(hour[2] for hour in one.hours)) for one in traffic]
    known = [(span, tokens) for span, tokens in spans if span > 0]
    return sum(tokens * HOURS_PER_MONTH * HOUR_S / span for span, tokens in known) if known else None


def egress_of(assumptions: Assumptions, tokens_read: float | None = None) -> Egress:
    """GB x rate, a month. tokens_read: tokens a month that files of traffic say, used where no number was set.

    The sum is of what is stated; it is unknown where neither text nor media is.
    """
    tokens = tokens_read if assumptions.tokens_per_month is None else assumptions.tokens_per_month
    media, rate = assumptions.media_gb_per_month, assumptions.egress_usd_per_gb
    text = None if tokens is None else text_gb(tokens)
    text_usd = None if text is None else text * rate
    media_usd = None if media is None else media * rate
    stated = [usd for usd in (text_usd, media_usd) if usd is not None]
    return Egress(
        text,
        media,
        rate,
        text_usd,
        media_usd,
        sum(stated) if stated else None,
        _sentence(tokens, media, rate),
    )


def _sentence(tokens: float | None, media: float | None, rate: float) -> Message:
    """Both amounts in words. Text under $100 a month is called negligible; media that nobody stated is asked
    for.
    """
    per_gb = (
        worded("${rate} per GB", rate=decimals(rate, 2))
        if round(rate, 2) == rate
        else worded("${rate} per GB", rate=significant(rate, 4))
    )
    if tokens is None:
        usd = text_gb(1e9) * rate
        text = worded(
            "Text is negligible: a billion tokens are 5 GB, ${usd} at {per_gb}",
            usd=decimals(usd, 2),
            per_gb=per_gb,
        )
    else:
        gb = text_gb(tokens)
        text = worded(
            "Text: {tokens} tokens per month are {gb} GB, ${gb_2} at {per_gb}"
            if gb * rate >= 100
            else "Text: {tokens} tokens per month are {gb} GB, ${gb_2} at {per_gb}: negligible",
            tokens=significant(tokens, 4),
            gb=significant(gb, 4),
            gb_2=decimals(gb * rate, 2),
            per_gb=per_gb,
        )
    if media is None:
        return worded(
            "{value}. Media (images, audio, video) is not: state its GB per month to see it.", value=text
        )
    return worded(
        "{value}. Media: {media} GB per month, ${media_2}.",
        value=text,
        media=significant(media),
        media_2=decimals(media * rate, 2),
    )
