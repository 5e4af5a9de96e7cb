"""Reading contracts and prices: files in, values and how every row of them ended out."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from decimal import Decimal
from functools import partial
from typing import Final, TypeVar

from gpuplanner.domain.figures.typed import significant
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.price_history import joined as joined_offers
from gpuplanner.domain.model.book.price_history import with_earlier
from gpuplanner.domain.model.book.remark import undecided
from gpuplanner.domain.model.book.tax import without_tax
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import FileIntake, Issue
from gpuplanner.files.contracts import contract_tables
from gpuplanner.files.contracts.contract_forms import CONTRACT_FORMS
from gpuplanner.files.contracts.export_form import ExportForm, read_form
from gpuplanner.files.importing.best_sheet import of_best_sheet
from gpuplanner.files.importing.other_sheets import with_sheets_named
from gpuplanner.files.importing.read_facts import gpu_family
from gpuplanner.files.importing.recognise import check_is
from gpuplanner.files.importing.reconciliation import reconciled, with_agreeing
from gpuplanner.files.importing.stated_exchange import with_stated_exchange
from gpuplanner.files.lists.node_lists import NODE_KINDS, contracts_of_list, node_kind, read_node_contracts
from gpuplanner.files.prices import other_price_lists, price_forms, price_tables, wide_prices
from gpuplanner.files.prices.price_tables import BUILTIN, builtin_path
from gpuplanner.files.request.answered_table import is_answer
from gpuplanner.files.request.answers import read_answers, with_last_answers
from gpuplanner.files.sources.issue_texts import refused_file
from gpuplanner.files.sources.source import Source, stated_of
from gpuplanner.files.system.resources import gpu_families
from gpuplanner.files.tables.column_mapping import DIFFERS, TableMapping, without_not_needed
from gpuplanner.files.tables.json_table import json_table
from gpuplanner.files.tables.layout import first_rows
from gpuplanner.files.tables.mapped_cells import unit_heading
from gpuplanner.files.tables.odd_rates import with_currency_asked, with_odd_rates
from gpuplanner.files.tables.propose_mapping import propose_table_mapping
from gpuplanner.files.tables.recipe import Recipe
from gpuplanner.files.tables.recipe_file import of_recipe, with_recipe
from gpuplanner.files.tables.small_table import (
    Kept,
    TableRead,
    TablesRead,
    read_anew,
    read_files,
    worded_message,
)
from gpuplanner.files.tables.table_columns import LIKELY
from gpuplanner.files.tables.unread_columns import ReadTable, refuse_if_asked, unread_issues
from gpuplanner.lazy_dataclass import dataclass, replace
from gpuplanner.lazy_re import lazy_re

Value = TypeVar("Value", Contract, Offer)


@dataclass(frozen=True, slots=True)
class ContractsRead:
    """Contracts sorted by id, the intake of their files, and why some of these were refused."""

    contracts: tuple[Contract, ...] = ()
    intake: tuple[FileIntake, ...] = ()
    refused: tuple[PlannerError, ...] = ()


@dataclass(frozen=True, slots=True)
class PricesRead:
    """Offers sorted by id, the intake of their files, why some of these were refused, and older rates of the offers."""

    offers: tuple[Offer, ...] = ()
    intake: tuple[FileIntake, ...] = ()
    refused: tuple[PlannerError, ...] = ()
    earlier_offers: tuple[Offer, ...] = ()


NO_TAXES: Final[Mapping[str, Decimal]] = {}
Mappings = Mapping[str, TableMapping | str | Recipe]
"""By path: how a table is read, as a value, in words or by a recipe, instead of as proposed."""


def import_contracts(
    paths: Sequence[str],
    mappings: Mappings | None = None,
    clusters: Mapping[str, str] | None = None,
    *,
    refuses_unread: bool = False,
    known: Collection[str] = (),
    kept: Kept = read_anew,
) -> ContractsRead:
    """Read contract files; of two rows of one contract_id, also in two files, the first is kept.

    clusters: by path, that of rows that name none. refuses_unread: refuse files with an unread column that is a
    question, but none whose SHA-256 is known: a project has it already. kept: readings of before.

    Errors: PlannerError file_missing, file_unreadable, truncated_file, usage. A table that is none of contracts is
    refused.
    """
    read_one = partial(read_contracts_on, clusters=clusters or {})
    read = _read_tables(
        paths,
        "contracts",
        read_one,
        _contract_id,
        mappings or {},
        known=known if refuses_unread else None,
        kept=kept,
    )
    intake = with_counted_twice(read.intake, read.values)
    return ContractsRead(tuple(sorted(read.values, key=_contract_id)), intake, read.refused)


COUNTED_TWICE: Final = "counted_twice"
"""The issue of a list of nodes whose GPUs other files may have contracts of."""


def with_counted_twice(
    files: Sequence[FileIntake], contracts: Collection[Contract]
) -> tuple[FileIntake, ...]:
    """The files, lists of nodes with what others have contracts of beside them; what was said of that before goes.

    contracts: of all the files.
    """
    lists = {file.path: contracts_of_list(file.path, contracts) for file in files if is_node_list(file)}
    ids = {one.contract_id for own in lists.values() for one in own}
    others = [contract for contract in contracts if contract.contract_id not in ids]
    return tuple(_told_twice(file, lists.get(file.path, ()), others) for file in files)


def _told_twice(file: FileIntake, own: Collection[Contract], others: Collection[Contract]) -> FileIntake:
    """A file with what is to be said of its contracts beside others; as it is without any of its own."""
    if not own:
        return file
    words = counted_twice_words(own, others)
    issues = () if words is None else (Issue(COUNTED_TWICE, len(own), None, words),)
    kept = (issue for issue in file.issues if issue.code != COUNTED_TWICE)
    return replace(file, issues=(*kept, *issues))


def is_node_list(file: FileIntake) -> bool:
    """Whether a file lists nodes, which are capacity without contracts."""
    return file.format in {kind.format for kind in NODE_KINDS}


def counted_twice_words(nodes: Collection[Contract], others: Collection[Contract]) -> Message | None:
    """Of each family of GPUs that nodes and contracts both have, how many of each; without one how many in all.

    None where one of them has none, and where families and clusters are all others: one that is not named may be any.
    """
    of_nodes, of_others = _gpus_by_family(nodes, others)
    here, there = ({one.cluster for one in part} for part in (nodes, others))
    words = [
        worded(
            "{gpus} {model} in the list, {others} in contracts",
            gpus=significant(of_nodes[family] / 1000),
            model=family,
            others=significant(of_others[family] / 1000),
        )
        for family in sorted(of_nodes)
        if family and of_others[family]
    ]
    if not words and here and there and ("" in here | there or here & there):
        gpus, contracted = (significant(part.total() / 1000) for part in (of_nodes, of_others))
        words = [
            worded(
                "{gpus} GPUs in the list, {others} of other models in contracts", gpus=gpus, others=contracted
            )
        ]
    return worded_message(COUNTED_TWICE, words) if words else None


def are_contracted(path: str, contracts: Collection[Contract], at_s: int) -> bool:
    """Whether the GPUs of a list of nodes are likely those of contracts that run at an instant: these have GPUs of each
    of its families, on the list's clusters or on none that they name. path: of the list.
    """
    own = contracts_of_list(path, contracts)
    ids = {one.contract_id for one in own}
    others = [
        contract
        for contract in contracts
        if contract.contract_id not in ids
        and contract.start_s <= at_s
        and (contract.end_s is None or contract.end_s > at_s)
    ]
    clusters, (listed, held) = {other.cluster for other in others}, _gpus_by_family(own, others)
    is_there = all("" in clusters or contract.cluster in ("", *clusters) for contract in own)
    return is_there and bool(own) and listed.keys() <= held.keys()


def _gpus_by_family(*parts: Iterable[Contract]) -> list[Counter[str]]:
    """Thousandths of GPUs of each part; A100 80GB are A100 where any of them does not say the size."""
    found = [Counter[str]() for _ in parts]
    for part, held in zip(parts, found, strict=True):
        for one in part:
            held[gpu_family(one.gpu_model or "")] += one.milli_gpus
    for held in found:
        for family in [*held]:
            base = gpu_families().read(family.rpartition(" ")[0])
            if base and base.is_unsized and not base.part and any(base.family in other for other in found):
                held[base.family] += held.pop(family)
    return found


def _contract_id(contract: Contract) -> str:
    """What tells contracts apart over all files."""
    return contract.contract_id


def import_prices(
    paths: Sequence[str],
    mappings: Mappings | None = None,
    *,
    refuses_unread: bool = False,
    known: Collection[str] = (),
    kept: Kept = read_anew,
    taxes: Mapping[str, Decimal] = NO_TAXES,
) -> PricesRead:
    """Read price lists; `builtin` is the one that ships with the product. Otherwise as import_contracts.

    taxes: by path, the percentage of tax that all its prices include.

    Of two rows of one offer with different days the newer counts, the older is an earlier rate of it; so of two answers
    of a vendor to one row of a request, as `with_last_answers` has it.
    """
    builtin = builtin_path() if BUILTIN in paths else ""
    paths = [builtin if path == BUILTIN else path for path in paths]
    read = _read_tables(
        paths,
        "prices",
        partial(_read_prices_without_tax, taxes=taxes),
        price_tables.RowIds(),
        mappings or {},
        known=known if refuses_unread else None,
        kept=kept,
    )
    by_file, intake, earlier = with_last_answers(read.by_file, read.intake)
    offers: tuple[Offer, ...] = ()
    for values in by_file:
        offers, older = joined_offers(offers, values)
        earlier += older
    files = tuple(replace(file, path=BUILTIN) if file.path == builtin else file for file in intake)
    return PricesRead(offers, files, read.refused, with_earlier((), earlier, offers))


def read_contracts_on(
    source: Source, mapping: TableMapping | str | None, clusters: Mapping[str, str]
) -> TableRead[Contract]:
    """The contracts of one file; those that name no cluster serve the one that was said of it. clusters: by path.

    Where no row names one, the names of contracts are as with `cluster==NAME`. Errors: as read_contracts.
    """
    read = read_contract_source(source, mapping)
    cluster = stated_of(source.path, clusters) or ""
    is_named = any(contract.cluster for contract in read.values)
    if is_named or not cluster or isinstance(mapping, TableMapping) or {*cluster} & {*',"'}:
        return _serving(read, cluster)
    before = f"{mapping}," if mapping and mapping != DIFFERS else DIFFERS
    return read_contract_source(source, f"{before}cluster=={cluster}")


def read_contract_source(source: Source, mapping: TableMapping | str | None = None) -> TableRead[Contract]:
    """The contracts of one file of any form. Errors: as read_contracts."""
    form = _form_of(source, CONTRACT_FORMS, contract_tables.sniff)
    stated, of_fields = _stated_of(mapping), _of_fields(mapping)
    reading, served = stated.get("quantity", ""), stated.get("cluster=", "")
    if form is not None and (of_fields is None or reading or served or _is_part(mapping)):
        texts_of = form.readings.get(reading, form.texts_of)
        return _serving(with_odd_rates(read_form(source, replace(form, texts_of=texts_of))), served)
    if reading:
        rest = _ONE.sub(lambda match: "" if match[1] == "quantity" else match[0], str(mapping)).lstrip(",")
        mapping = DIFFERS + rest if _is_part(mapping) and not _is_part(rest) else rest
        mapping = None if mapping in ("", DIFFERS) else mapping
    nodes = node_kind(source.head)
    if (of_fields is None or served) and nodes is not None:
        return _serving(_with_sheets_named(read_node_contracts(source, nodes), source), served)
    sheet = _sheet_of(source, mapping, "contracts")
    table = (
        mapping if isinstance(mapping, TableMapping) else propose_table_mapping(sheet, "contracts", mapping)
    )
    read = reconciled(
        contract_tables.read_contracts(sheet, table), sheet, table, is_given=mapping is not None
    )
    return _with_sheets_named(with_odd_rates(_with_unread(with_stated_exchange(read, sheet), sheet)), sheet)


def read_price_source(
    source: Source,
    mapping: TableMapping | str | None = None,
    counts: other_price_lists.ListCounts | None = None,
) -> TableRead[Offer]:
    """The offers of one price list, or those of a request that a vendor answered. Errors: as read_prices."""
    of_fields = _of_fields(mapping)
    if of_fields is None and is_answer(source):
        return with_odd_rates(read_answers(source))
    form = _form_of(source, price_forms.PRICE_FORMS, price_tables.sniff)
    if form is not None and (of_fields is None or _is_part(mapping)):
        return with_odd_rates(read_form(source, form))
    source = json_table(source) or source
    wide = wide_prices.find_wide(source) if of_fields is None else None
    words = mapping or ""
    if wide is not None:
        left = without_not_needed(words if isinstance(words, str) else None).not_needed
        read = wide_prices.read_wide(source, wide, left)
        return with_odd_rates(with_currency_asked(read, source.head, ""))
    sheet = _sheet_of(source, mapping, "prices")
    words = words if isinstance(words, str) else words.words
    read = with_currency_asked(price_tables.read_prices(sheet, mapping, counts), sheet.head, words)
    table = propose_table_mapping(sheet, "prices", words or None)
    read = with_stated_exchange(with_agreeing(read, sheet, table, is_given=bool(words)), sheet)
    return _with_sheets_named(with_odd_rates(_with_unread(read, sheet)), sheet)


def _read_prices_without_tax(
    source: Source, mapping: TableMapping | str | None, taxes: Mapping[str, Decimal]
) -> TableRead[Offer]:
    """The offers of one price list, without the tax that its prices were said to include."""
    read, percent = read_price_source(source, mapping), stated_of(source.path, taxes)
    if percent is None:
        return read
    net = tuple(without_tax(offer, percent) for offer in read.values)
    answered = sum(undecided(offer) is not None for offer in read.values)
    is_settled = not any(undecided(offer) is not None for offer in net)
    issues = tuple(
        issue
        for issue in read.intake.issues
        if not (is_settled and (issue.code, issue.count) == ("undecided", answered))
    )
    return replace(read, values=net, intake=replace(read.intake, issues=issues))


def _with_unread(read: TableRead[Value], source: Source) -> TableRead[Value]:
    """The table with the issues of its columns that were not read, by the first of its accepted rows."""
    if read.mapping is None or not read.mapping.unused:
        return read
    return read.with_issues(unread_issues(_read_table(read.mapping, {*read.rows}, source)))


def _read_table(mapping: TableMapping, accepted: Collection[int], source: Source) -> ReadTable:
    """What was read of a table. accepted: lines of its rows."""
    return ReadTable(
        headings=mapping.headings,
        rows=[cells for line, cells in first_rows(source, mapping.delimiter) if line in accepted],
        fields={column.column: column.field for column in mapping.columns},
        used=(*mapping.compared, unit_heading(mapping)),
        not_needed=mapping.not_needed,
        header_row=mapping.header_row,
    )


def _form_of(
    source: Source, forms: Sequence[ExportForm[Value]], own: Callable[[str], float]
) -> ExportForm[Value] | None:
    """The form that a file is surest to have; None where it is likelier our own table, or anybody's."""
    form = max(forms, key=lambda one: one.sniff(source.head))
    sure = form.sniff(source.head)
    return form if sure >= LIKELY and sure > own(source.head) else None


def _read_by_recipe(
    source: Source, recipe: Recipe, read: Callable[[Source, TableMapping | str | None], TableRead[Value]]
) -> TableRead[Value]:
    """One file after the steps of a recipe. Errors: PlannerError missing_column, and those of read."""
    table = of_best_sheet(json_table(source) or source, recipe.kind)
    changed = with_recipe(table, recipe)
    return of_recipe(read(changed.source, recipe.words or None), recipe, changed.skipped)


def _of_fields(mapping: TableMapping | str | None) -> TableMapping | str | None:
    """Return what a mapping says of fields; None if it says only which columns are not needed, or nothing."""
    return without_not_needed(mapping).of_fields if isinstance(mapping, str) else mapping


QUANTITY: Final = "quantity="
"""How what is said of an export begins that says what the quantity of a commitment is for."""


def _stated_of(mapping: TableMapping | str | None) -> dict[str, str]:
    """What is said of a file whose columns are not mapped: how a quantity is read, and which cluster all serve.

    Either alone, or beside what differs in the tables of the same call.
    """
    if not isinstance(mapping, str) or not (_is_part(mapping) or _ALONE.fullmatch(mapping)):
        return {}
    return {name: text.strip() for name, text in _ONE.findall(mapping)}


_ONE: Final = lazy_re(r"(?:^|[,+] ?)(quantity|cluster=)=([^,\"]+)")
_ALONE: Final = lazy_re(rf"(?:{_ONE.pattern})+")


def _serving(read: TableRead[Contract], cluster: str) -> TableRead[Contract]:
    """What an export or a list of nodes holds, where no column is to be mapped, as serving a cluster."""
    of_cluster = (
        contract if contract.cluster or not cluster else replace(contract, cluster=cluster)
        for contract in read.values
    )
    return replace(read, values=tuple(of_cluster))


def _is_part(mapping: TableMapping | str | None) -> bool:
    """Whether a mapping only says what differs: an export that is read by its own names needs none of it."""
    return isinstance(mapping, str) and mapping.startswith(DIFFERS)


def _sheet_of(source: Source, mapping: TableMapping | str | None, kind: str) -> Source:
    """The source with the sheet of the mapping, or with the one that looks most like this kind of table."""
    if isinstance(mapping, TableMapping) and mapping.sheet:
        return replace(source, sheet=mapping.sheet)
    return of_best_sheet(source, kind)


def _with_sheets_named(read: TableRead[Value], source: Source) -> TableRead[Value]:
    """The table with what is to be said of the other sheets of its workbook."""
    return replace(read, intake=with_sheets_named(read.intake, source))


def _read_tables(
    paths: Sequence[str],
    kind: str,
    read: Callable[[Source, TableMapping | str | None], TableRead[Value]],
    key: Callable[[Value], object],
    mappings: Mappings,
    *,
    known: Collection[str] | None,
    kept: Kept,
) -> TablesRead[Value]:
    """Reads each file as one kind of table; of values with the same key over all files one remains.

    A file without a mapping must be recognised as that kind; a refused file does not stop the others. known: SHA-256 of
    files whose questions are settled; None if no question refuses a file.
    """

    def of_kind(path: str, source: Source) -> TableRead[Value]:
        """One file by its mapping, found under its own path or that of the archive it is in."""
        mapping = mappings.get(source.path, mappings.get(path))
        if isinstance(mapping, Recipe):
            of_source = _read_by_recipe(source, mapping, read)
        else:
            if _of_fields(mapping) is None:
                check_is(source, kind)
            of_source = read(source, mapping)
        if known is not None and source.sha256 not in known:
            refuse_if_asked(of_source.intake)
        return of_source

    return read_files(
        list(map(str, paths)),
        of_kind,
        key,
        lambda source, fault: refused_file(source, fault, kind),
        kept=kept,
    )
