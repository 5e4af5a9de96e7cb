"""Rows of contracts and offers that a project takes: by id, in its money and its spelling of GPU models."""

from collections.abc import Callable, Iterable
from typing import TypeVar

from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.exchange import counted_rows
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.project import Project
from gpuplanner.lazy_dataclass import replace

Item = TypeVar("Item")
Priced = TypeVar("Priced", Contract, Offer)


def rows_by_id(rows: Iterable[Item], id_of: Callable[[Item], str]) -> tuple[Item, ...]:
    """Rows by id, ascending; of two of one id the later counts."""
    latest = {id_of(row): row for row in rows}
    return tuple(latest[row_id] for row_id in sorted(latest))


def spellings_in_use(project: Project) -> dict[str, str]:
    """The spelling in use of each GPU model, by its folded name; the log's before the contracts' and the offers'."""
    rows: tuple[Contract | Offer, ...] = (*project.contracts, *project.offers)
    used = (*project.cube.gpu_models, *(row.gpu_model for row in rows if row.gpu_model is not None))
    mapped = (name for mapping in project.mappings for name in (mapping.gpu_model, mapping.offer_model))
    return {name.casefold(): name for name in (*mapped, *reversed(used))}


def one_spelling(project: Project, rows: Iterable[Priced]) -> list[Priced]:
    """Rows at the project's rates of exchange, each GPU model spelled as it does, or as the first row that names it."""
    spellings = spellings_in_use(project)
    rows = counted_rows(rows, project.currency, project.exchange)

    def spelled(row: Priced) -> Priced:
        if row.gpu_model is None:
            return row
        name = spellings.setdefault(row.gpu_model.casefold(), row.gpu_model)
        return row if row.gpu_model == name else replace(row, gpu_model=name)

    return [spelled(row) for row in rows]
