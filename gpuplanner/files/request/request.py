"""What is asked for and of whom: the rows of a plan, its reference, and the vendors that get a file each."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gpuplanner.domain.commitment.requests.asked_rows import AskedRow, asked_of_vendors, order_day_s
from gpuplanner.domain.commitment.requests.renewing import Run, runs_of
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.model.book.owned import is_owned
from gpuplanner.domain.model.tables import Tables
from gpuplanner.domain.model.window import DAY_S, iso_utc
from gpuplanner.domain.reports.plan.asked import asked_on
from gpuplanner.files.request.terms import Terms, reply_by_s, sla_asked


@dataclass(frozen=True, slots=True)
class Request:
    """One request. vendors: names, each with a file; rows: all of them, of which a vendor sees those it may serve.

    issued_s, reply_by_s: days, epoch seconds. currency: the code of what is asked in.
    """

    reference: str
    issued_s: int
    reply_by_s: int
    currency: str
    terms: Terms
    rows: tuple[AskedRow, ...]
    vendors: tuple[str, ...]

    def rows_for(self, vendor: str | None) -> tuple[AskedRow, ...]:
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

    def runs_for(self, vendor: str | None) -> tuple[Run, ...]:
        """The lines of a vendor's file: rows that renew each other are one."""
        return runs_of(self.rows_for(vendor))

    def at_once(self, rows: Iterable[AskedRow]) -> tuple[AskedRow, ...]:
        """Those of some rows of which something is to be ordered by the day to reply by, so that no reply may wait."""
        days = ((row, order_day_s(row.orders, self.issued_s)) for row in rows)
        return tuple(row for row, day_s in days if day_s is not None and day_s <= self.reply_by_s)


def request_of(evaluation: Evaluation, tables: Tables, generated_at_s: int, terms: Terms) -> Request:
    """The request for all that a plan orders, on the day of generated_at_s (epoch seconds).

    Errors: ValueError where the evaluation has no advice yet; PlannerError where the day to reply by is none, or
    figures in the SLA are no percentage.
    """
    if evaluation.advice is None:
        raise ValueError("request: the evaluation has no advice; advise first")
    sla_asked(terms)  # refuses what nobody could read back
    project = evaluation.in_parts.project
    rows = asked_on(evaluation, tables.node_gpus, generated_at_s)
    orders = asked_of_vendors(evaluation.advice.orders, project.offers)
    models = {row.gpu_model for row in rows}
    named: dict[str, str] = {}
    for offer in project.offers:
        if offer.gpu_model in models and not is_owned(offer) and (name := (offer.provider or "").strip()):
            named.setdefault(name.casefold(), name)
    for row in rows:
        if row.only.provider:  # who alone may serve it is asked, whatever it has on offer
            named.setdefault(row.only.provider.casefold(), row.only.provider)
    return Request(
        reference_of(project.title, generated_at_s, rows),
        generated_at_s - generated_at_s % DAY_S,
        reply_by_s(terms, generated_at_s, order_day_s(orders, generated_at_s)),
        project.currency,
        terms,
        rows,
        tuple(named[name] for name in sorted(named)),
    )


def reference_of(title: str, day_s: int, rows: Sequence[AskedRow]) -> str:
    """What a request and its answers are known by: its day, and a mark of the project's title and of what is asked.

    >>> reference_of("Q3", 0, ()) == reference_of("Q3", 86_399, ()) != reference_of("Q4", 0, ())
    True
    """
    asked = [(row.name, row.gpu_model, row.gpus, row.term_words, row.start_s) for row in rows]
    mark = hashlib.sha256(f"{title}{asked}".encode()).hexdigest()[:6].upper()
    return f"RFQ-{iso_utc(day_s)[:10].replace('-', '')}-{mark}"
