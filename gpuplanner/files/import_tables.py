"""Importing contracts and prices: files in, values and the fate of every row out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from gpuplanner.domain.model.contract import Contract
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.domain.model.offer import Offer
from gpuplanner.files.contracts import read_contracts
from gpuplanner.files.prices import BUILTIN, builtin_path, read_prices
from gpuplanner.files.recognise import check_is
from gpuplanner.files.refused_file import refused_file
from gpuplanner.files.small_table import TableRead
from gpuplanner.files.source import Source, sources_of

Value = TypeVar("Value", Contract, Offer)


@dataclass(frozen=True, slots=True)
class ContractsRead:
    """Contracts sorted by id, the intake of their files, and why some of these were refused."""

    contracts: tuple[Contract, ...] = ()
    intake: tuple[FileIntake, ...] = ()
    refused: tuple[PlannerError, ...] = ()


@dataclass(frozen=True, slots=True)
class PricesRead:
    """Offers sorted by id, the intake of their files, and why some of these were refused."""

    offers: tuple[Offer, ...] = ()
    intake: tuple[FileIntake, ...] = ()
    refused: tuple[PlannerError, ...] = ()


def import_contracts(paths: Sequence[str]) -> ContractsRead:
    """Read contract files; of two rows of one contract_id, also in two files, the first is kept.

    Errors: PlannerError file_missing, file_unreadable, truncated_file. A table that is none of contracts is refused.
    """
    reads, refused = _read_tables(paths, "contracts", read_contracts)
    values, files = _joined(reads, lambda contract: contract.contract_id)
    return ContractsRead(values, files, refused)


def import_prices(paths: Sequence[str]) -> PricesRead:
    """Read price lists; `builtin` is the one that ships with the product. Otherwise as import_contracts."""
    reads, refused = _read_tables(paths, "prices", read_prices)
    values, files = _joined(reads, lambda offer: offer.offer_id)
    return PricesRead(values, files, refused)


def _read_tables(
    paths: Sequence[str], kind: str, read: Callable[[Source], TableRead[Value]]
) -> tuple[list[TableRead[Value]], tuple[PlannerError, ...]]:
    reads: list[TableRead[Value]] = []
    refused: list[PlannerError] = []
    for path in map(str, paths):
        is_builtin = (kind, path) == ("prices", BUILTIN)
        with sources_of(builtin_path() if is_builtin else path) as sources:
            for source in sources:
                try:
                    check_is(source, kind)
                    found = read(source)
                except PlannerError as fault:
                    if fault.code != "missing_column":
                        raise
                    refused.append(fault)
                    found = TableRead((), refused_file(source, fault, kind))
                shown = path if is_builtin else source.path
                reads.append(replace(found, intake=replace(found.intake, path=shown)))
    return reads, tuple(refused)


def _joined(
    reads: Sequence[TableRead[Value]], id_of: Callable[[Value], str]
) -> tuple[tuple[Value, ...], tuple[FileIntake, ...]]:
    found: dict[str, Value] = {}
    files = []
    for read in reads:
        again = 0
        for value in read.values:
            again += found.setdefault(id_of(value), value) is not value
        files.append(
            replace(
                read.intake,
                rows_accepted=read.intake.rows_accepted - again,
                rows_duplicate=read.intake.rows_duplicate + again,
            )
        )
    return tuple(found[key] for key in sorted(found)), tuple(files)
