"""What is asked for, of whom and on what terms, and what stands where in a request for quote."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from gpuplanner.domain.award.deciding import asked_on
from gpuplanner.domain.commitment import asked_rows
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.book.offer import Offer, is_owned
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import RequestDays
from gpuplanner.domain.model.tables import Tables
from gpuplanner.domain.model.window import DAY_S, day_of, instant_s, is_day, iso_utc
from gpuplanner.files.request.quoted_cells import UnclearError
from gpuplanner.files.request.request_form import sla_percent_of
from gpuplanner.lazy_dataclass import dataclass, fields, replace

# --- What a buyer says above a request: who asks, by when to reply, on what terms; with what stands there unsaid

MOST_DECIDE_DAYS: Final = 366


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """Texts as the vendor reads them. reply_by: an ISO day; empty is what `reply_by_s` makes of it. decide_days: from
    then to the first order, which no vendor is told. question: what the buyer asks besides, one a line."""

    buyer: str = "The sender of this request"
    questions: str = "The sender of this request"
    reply_by: str = ""
    payment: str = "Monthly in arrears, 30 days after the invoice; what is due upfront with the order"
    validity: str = "As each row says"
    sla: str = "99.9% a month for each node, with service credits"
    delivery: str = "As each row says; any of your regions where it says any"
    decide_days: str = str(asked_rows.DECIDE_DAYS)
    reply_to: str = "Send this file back to the sender of this request"
    question: str = ""


UNSAID: Final = Terms()
NAMES: Final = tuple(field.name for field in fields(Terms))


def sla_asked(terms: Terms) -> float:
    """The percentage of a month that is asked for; 0 for none. Errors: PlannerError for figures that are none."""
    try:
        return sla_percent_of(terms.sla)
    except UnclearError as fault:
        raise PlannerError("sla", "usage", fault.why, fault.remedy) from fault


def reply_by_s(terms: Terms, today_s: int) -> int:
    """The last day for a reply, epoch seconds, 00:00 UTC: REPLY_DAYS from today on where nothing else is said.

    Errors: PlannerError where it is no day, or is over.
    """
    if not terms.reply_by:
        return day_of(today_s) + asked_rows.REPLY_DAYS * DAY_S
    if not is_day(terms.reply_by):
        problem = worded("{day} is not a day", day=repr(terms.reply_by))
        raise PlannerError(
            "reply_by", "usage", problem, worded("write it as {example}", example="2026-01-31")
        )
    at_s = instant_s(terms.reply_by)
    if at_s + DAY_S <= today_s:
        problem = worded("{day} is before the RFQ date", day=iso_utc(at_s)[:10])
        raise PlannerError("reply_by", "usage", problem, worded("name a later day"))
    return at_s


def decide_s(terms: Terms) -> int:
    """Seconds from the last reply to the first order. Errors: PlannerError where it is no number of days up to a year.

    >>> decide_s(UNSAID) // DAY_S
    5
    """
    if not terms.decide_days.isdecimal() or int(terms.decide_days) > MOST_DECIDE_DAYS:
        problem = worded("{days} is not a number of days", days=repr(terms.decide_days))
        raise PlannerError("decide_days", "usage", problem, worded("write whole days, such as 14"))
    return int(terms.decide_days) * DAY_S


def terms_of(texts: Mapping[str, str]) -> Terms:
    """Terms with what was said; an empty text leaves what stands there unsaid. Errors: KeyError for another name."""
    if unknown := sorted(set(texts) - set(NAMES)):
        raise KeyError(unknown[0])
    return replace(UNSAID, **{name: text.strip() for name, text in texts.items() if text.strip()})


def parse_terms(texts: Iterable[str]) -> Terms:
    """Terms of words such as `buyer=ACME Ltd`. Errors: PlannerError for another name, or a word without a value.

    >>> parse_terms(["buyer=ACME = Co"]).buyer
    'ACME = Co'
    """
    terms = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not value.strip() or name not in NAMES:
            remedy = worded("write NAME=TEXT with a name from {names}", names=", ".join(NAMES))
            raise PlannerError(text, "usage", worded("not part of an RFQ"), remedy)
        terms[name] = value
    return terms_of(terms)


# --- What is asked for and of whom: the rows of a plan, its reference, and the vendors that get a file each


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One request. vendors: names, each with a file; rows: all of them, of which a vendor sees those it may serve.

    asking: its days; waiting: rows that start later than the plan orders them. currency: the code of what is asked in.
    """

    reference: str
    asking: asked_rows.Asking
    currency: str
    terms: Terms
    rows: tuple[asked_rows.AskedRow, ...]
    vendors: tuple[str, ...]

    def rows_for(self, vendor: str | None) -> tuple[asked_rows.AskedRow, ...]:
        """The rows that a vendor is asked for; None: any other vendor.

        All but those that another provider alone may serve: vendors that sell one model may quote another.
        """
        asked = (vendor or "").casefold()
        return tuple(
            row
            for row in self.rows
            if row.only.provider.casefold() in ("", asked)
            and (not asked or row.only.not_provider.casefold() != asked)
        )

    def runs_for(self, vendor: str | None) -> tuple[asked_rows.Run, ...]:
        """The lines of a vendor's file: rows that renew each other are one."""
        return asked_rows.runs_of(self.rows_for(vendor))

    def reply_s(self, row: asked_rows.AskedRow) -> int:
        """The day by which a row needs replies, epoch seconds."""
        return min(map(self.asking.reply_s, row.orders))

    def order_day_s(self, row: asked_rows.AskedRow) -> int:
        """The day on which all of a row is to be ordered, until which its quote is asked to hold, epoch seconds."""
        return max(map(self.asking.order_day_s, row.orders))


def days_of(terms: Terms, today_s: int) -> RequestDays:
    """The days of a request that is sent on a day, epoch seconds. Errors: PlannerError as of `request_of`."""
    return RequestDays(day_of(today_s), reply_by_s(terms, today_s), decide_s(terms))


def asking_of(terms: Terms, today_s: int, offers: Iterable[Offer]) -> asked_rows.Asking:
    """The same, with the leads of what is on offer."""
    return asked_rows.asking_in(days_of(terms, today_s), offers)


def has_rows(evaluation: Evaluation, generated_at_s: int, terms: Terms) -> bool:
    """Whether `request_of` would ask for anything; without working out what, so that a window can ask it at a click.

    Errors: as of `request_of`.
    """
    offers = evaluation.in_parts.project.offers
    orders = asked_rows.asked_of_vendors(evaluation.advised.orders, offers)
    return bool(asked_rows.starts_from(orders, generated_at_s, asking_of(terms, generated_at_s, offers)))


def request_of(evaluation: Evaluation, tables: Tables, generated_at_s: int, terms: Terms) -> Request:
    """The request for all that a plan orders, on the day of generated_at_s (epoch seconds).

    evaluation: of the plan that waits for it (`waiting_for`).

    Errors: ValueError where the evaluation has no advice yet; PlannerError where the day to reply by is none, or
    figures in the SLA are no percentage.
    """
    sla_asked(terms)  # refuses what nobody could read back
    project = evaluation.in_parts.project
    asking = asking_of(terms, generated_at_s, project.offers)
    rows = asked_on(evaluation, generated_at_s, asking)
    models = {row.gpu_model for row in rows}
    named: dict[str, str] = {}
    for offer in project.offers:
        if offer.gpu_model in models and not is_owned(offer) and (name := (offer.provider or "").strip()):
            named.setdefault(name.casefold(), name)
    for row in rows:
        if row.only.provider:  # who alone may serve it is asked, whatever it has on offer
            named.setdefault(row.only.provider.casefold(), row.only.provider)
    return Request(
        reference=reference_of(project.title, generated_at_s, rows),
        asking=asking,
        currency=project.currency,
        terms=terms,
        rows=rows,
        vendors=tuple(named[name] for name in sorted(named)),
    )


def reference_of(title: str, day_s: int, rows: Sequence[asked_rows.AskedRow]) -> str:
    """What a request and its answers are known by: its day, and a mark of the project's title and of what is asked.

    >>> reference_of("Q3", 0, ()) == reference_of("Q3", 86_399, ()) != reference_of("Q4", 0, ())
    True
    """
    asked = [(row.name, row.gpu_model, row.gpus, row.term_words, row.start_s) for row in rows]
    mark = hashlib.sha256(f"{title}{asked}".encode()).hexdigest()[:6].upper()
    return f"RFQ-{iso_utc(day_s)[:10].replace('-', '')}-{mark}"
