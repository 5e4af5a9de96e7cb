"""What is asked for, of whom and on what terms."""

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from gpuplanner.domain.award.deciding import asked_on
from gpuplanner.domain.commitment import asked_rows
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.book.offer import Offer, is_owned
from gpuplanner.domain.model.book.only import only_of
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import RequestDays
from gpuplanner.domain.model.tables import Tables
from gpuplanner.domain.model.window import DAY_S, day_of, instant_s, is_day, iso_utc
from gpuplanner.files.request.quoted_cells import UnclearError
from gpuplanner.files.request.request_form import sla_percent_of
from gpuplanner.files.tables.network_words import offered_network_words
from gpuplanner.lazy_dataclass import dataclass, field, fields, replace

# --- What a buyer says in a request: who asks, by when to reply, on what terms; with what stands there unsaid

MOST_DECIDE_DAYS: Final = 366
REPLY_HOUR: Final = 17
"""Of the last day for a reply, UTC."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """Texts as the vendor reads them. buyer: company and address, which no file is without. reply_by, questions_until:
    ISO days; empty is what `reply_by_s` and `questions_until_s` make of it. decide_days: from the last reply to the
    first order. sla: percent of a month; empty: none is asked for. question: what the buyer asks besides, one a line.
    """

    buyer: str = ""
    contact: str = ""
    reply_by: str = ""
    questions_until: str = ""
    payment: str = "monthly in arrears, 30 days net. Upfront payment only where you state one"
    sla: str = ""
    decide_days: str = str(asked_rows.DECIDE_DAYS)
    question: str = ""


UNSAID: Final = Terms()
NAMES: Final = tuple(term.name for term in fields(Terms))
VENDORS: Final = "vendors"
"""Beside them: names of who is asked, with commas between them."""


def check_buyer(terms: Terms) -> None:
    """Errors: PlannerError where nobody is named who asks."""
    if not terms.buyer:
        remedy = worded("add {option}", option="--rfq-head buyer=NAME")
        raise PlannerError("rfq", "usage", worded("no buyer is named"), remedy)


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
    return _day_said("reply_by", terms.reply_by, today_s)


def questions_until_s(terms: Terms, today_s: int) -> int:
    """The last day for questions, epoch seconds, 00:00 UTC: half of the time for a reply where nothing else is said.

    Errors: PlannerError where it is no day, or is over.
    """
    if not terms.questions_until:
        return day_of((day_of(today_s) + reply_by_s(terms, today_s)) // 2)
    return _day_said("questions_until", terms.questions_until, today_s)


def _day_said(name: str, text: str, today_s: int) -> int:
    """The day of a text, epoch seconds."""
    if not is_day(text):
        problem = worded("{day} is not a day", day=repr(text))
        raise PlannerError(name, "usage", problem, worded("write it as {example}", example="2026-01-31"))
    at_s = instant_s(text)
    if at_s + DAY_S <= today_s:
        problem = worded("{day} is before the RFQ date", day=iso_utc(at_s)[:10])
        raise PlannerError(name, "usage", problem, worded("name a later day"))
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

    asking: its days. currency: the code of what is asked in. memory_gb: of one GPU, by GPU model, where it is known.
    networks: of the offer of the plan, by name of the row, where it is known.
    """

    reference: str
    asking: asked_rows.Asking
    currency: str
    terms: Terms
    rows: tuple[asked_rows.AskedRow, ...]
    vendors: tuple[str, ...]
    memory_gb: Mapping[str, float] = field(default_factory=dict)
    networks: Mapping[str, str] = field(default_factory=dict)

    def rows_for(self, vendor: str) -> tuple[asked_rows.AskedRow, ...]:
        """The rows that a vendor is asked for.

        All but those that another provider alone may serve: vendors that sell one model may quote another.
        """
        asked = vendor.casefold()
        return tuple(
            row
            for row in self.rows
            if row.only.provider.casefold() in ("", asked) and row.only.not_provider.casefold() != asked
        )

    def order_day_s(self, row: asked_rows.AskedRow) -> int:
        """The first day on which a row can be ordered, epoch seconds."""
        return self.asking.order_day_s(row.orders[0])

    @property
    def too_late(self) -> tuple[asked_rows.AskedRow, ...]:
        """The firm rows whose replies come after the last day to order them."""
        firm = (row for row in self.rows if not row.is_option)
        return tuple(row for row in firm if self.asking.is_too_late(row.orders[0]))


def days_of(terms: Terms, today_s: int) -> RequestDays:
    """The days of a request that is sent on a day, epoch seconds. Errors: PlannerError as of `request_of`."""
    return RequestDays(day_of(today_s), reply_by_s(terms, today_s), decide_s(terms))


def asking_of(terms: Terms, today_s: int, offers: Iterable[Offer]) -> asked_rows.Asking:
    """The same, with the leads of what is on offer."""
    return asked_rows.asking_in(days_of(terms, today_s), offers)


def has_rows(evaluation: Evaluation, generated_at_s: int) -> bool:
    """Whether `request_of` would ask for anything; without working out what, so that a window can ask it at a click."""
    orders = asked_rows.asked_of_vendors(evaluation.advised.orders, evaluation.in_parts.project.offers)
    return not all(asked_rows.is_over(order, generated_at_s) for order in orders)


def vendors_of(evaluation: Evaluation) -> tuple[str, ...]:
    """The names of the providers that sell a GPU model of the plan's orders, or alone may serve one of them."""
    project = evaluation.in_parts.project
    orders = asked_rows.asked_of_vendors(evaluation.advised.orders, project.offers)
    models = {order.offer_gpu_model for order in orders}
    sold = (o.provider for o in project.offers if o.gpu_model in models and not is_owned(o))
    alone = (only_of(order.gpu_model).provider for order in orders)
    named: dict[str, str] = {}
    for name in (*sold, *alone):
        if name and name.strip():
            named.setdefault(name.strip().casefold(), name.strip())
    return tuple(named[name] for name in sorted(named))


def request_of(
    evaluation: Evaluation, tables: Tables, generated_at_s: int, terms: Terms, vendors: Sequence[str] = ()
) -> Request:
    """The request for all that a plan orders, on the day of generated_at_s (epoch seconds).

    evaluation: of the plan that is shown. vendors: who is asked; nobody named: `vendors_of` it.

    Errors: ValueError where the evaluation has no advice yet; PlannerError where the day to reply by is none, or
    figures in the SLA are no percentage.
    """
    sla_asked(terms)  # refuses what nobody could read back
    questions_until_s(terms, generated_at_s)
    project = evaluation.in_parts.project
    asking = asking_of(terms, generated_at_s, project.offers)
    rows = asked_on(evaluation, generated_at_s, asking)
    named = {name.strip().casefold(): name.strip() for name in reversed(vendors) if name.strip()}
    return Request(
        reference=reference_of(project.title, generated_at_s, rows),
        asking=asking,
        currency=project.currency,
        terms=terms,
        rows=rows,
        vendors=tuple(named[name] for name in sorted(named)) or vendors_of(evaluation),
        memory_gb=_memory_gb(project.offers, tables, {row.gpu_model for row in rows}),
        networks=_networks(project.offers, rows),
    )


def _networks(offers: Iterable[Offer], rows: Iterable[asked_rows.AskedRow]) -> dict[str, str]:
    """Network of the offer of each row of the plan, by name of the row, where it is known."""
    by_id = {offer.offer_id: offer for offer in offers}
    named = ((row.name, offered_network_words(by_id.get(row.orders[0].offer_id))) for row in rows)
    return {name: str(words) for name, words in named if words}


def _memory_gb(offers: Iterable[Offer], tables: Tables, models: Collection[str]) -> dict[str, float]:
    """GB of one GPU of each model: the most that it is offered with, else as the table of models has it."""
    known = {model.name: model.memory_gb for model in tables.gpu_models if model.name in models}
    offered: dict[str, float] = {}
    for offer in offers:
        if offer.gpu_model in models and offer.gpu_memory_gb:
            offered[offer.gpu_model] = max(offered.get(offer.gpu_model, 0.0), offer.gpu_memory_gb)
    return {name: gb for name in models if (gb := offered.get(name) or known.get(name))}


def reference_of(title: str, day_s: int, rows: Sequence[asked_rows.AskedRow]) -> str:
    """What a request and its answers are known by: its day, and a mark of the project's title and of what is asked.

    >>> reference_of("Q3", 0, ()) == reference_of("Q3", 86_399, ()) != reference_of("Q4", 0, ())
    True
    """
    asked = [(row.name, row.gpu_model, row.gpus, row.term_words, row.start_s) for row in rows]
    mark = hashlib.sha256(f"{title}{asked}".encode()).hexdigest()[:6].upper()
    return f"RFQ-{iso_utc(day_s)[:10].replace('-', '')}-{mark}"
