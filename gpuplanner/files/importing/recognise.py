"""What a file is, by its content: so that anything can be dropped and sorts itself."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.activity.activity_dialects import ACTIVITY_DIALECTS
from gpuplanner.files.activity.activity_intake import KIND as ACTIVITY
from gpuplanner.files.activity.reading import ActivityDialect
from gpuplanner.files.contracts import contract_tables
from gpuplanner.files.contracts.contract_forms import CONTRACT_FORMS
from gpuplanner.files.contracts.export_form import ExportForm
from gpuplanner.files.importing.best_reading import NEAR, most_accepted, sure_mapping, tells_of_jobs
from gpuplanner.files.importing.described import DESCRIBED
from gpuplanner.files.importing.known_listings import known_listing
from gpuplanner.files.importing.sheets import LIKELY, of_best_sheet
from gpuplanner.files.job_logs.kubernetes.kubernetes_pods import DIALECT as PODS
from gpuplanner.files.job_logs.mapping.mapped_log import FORMAT as MAPPED
from gpuplanner.files.job_logs.mapping.propose_columns import SURE
from gpuplanner.files.job_logs.recognisers import DIALECTS
from gpuplanner.files.lists.node_lists import KIND as NODES
from gpuplanner.files.lists.node_lists import has_pods
from gpuplanner.files.prices import price_tables
from gpuplanner.files.prices.price_forms import PRICE_FORMS
from gpuplanner.files.prices.wide_prices import sniff_wide
from gpuplanner.files.request.answered_table import is_answer
from gpuplanner.files.request.answers import FORMAT as ANSWERS
from gpuplanner.files.sources.json_objects import empty_list
from gpuplanner.files.sources.kind_words import kind_words
from gpuplanner.files.sources.source import OTHER, XLSX, Source, sources_of, survey_part
from gpuplanner.files.sources.unpack import parts_of
from gpuplanner.files.system.own_folder import own_folder
from gpuplanner.files.tables.table_sniff import SURELY_OURS

EXPORT_FORMS: Final[tuple[ExportForm[Contract] | ExportForm[Offer], ...]] = (*CONTRACT_FORMS, *PRICE_FORMS)
"""Every form of export of contracts or prices."""

_AS_JOBS: Final = worded("give it as --jobs")
GIVE_AS: Final[Mapping[str, Message]] = {
    "jobs": _AS_JOBS,
    "billing": _AS_JOBS,
    "activity": _AS_JOBS,
    "tres": _AS_JOBS,
    "contracts": worded("give it as --contracts"),
    "prices": worded("give it as --prices"),
    "nodes": worded("give it as --contracts"),
    "rules": worded("give it as --rules"),
    "traffic": worded("give it as --traffic"),
    "interruptions": worded("give it as --interruptions"),
    "planned": worded("give it as --planned"),
}
"""The option of the command line that takes a file of each kind, as a remedy where it was given as another."""


@dataclass(frozen=True, slots=True)
class Recognition:
    """kind: jobs, billing, contracts, prices, one of `described`, or unknown; confidence 0..1; why: words.

    format: the dialect, empty where it has none.
    """

    kind: str
    format: str
    confidence: float
    why: Message


def recognise(path: str) -> Recognition:
    """What a file on disk is; of several packed in it, the first that is known.

    Errors: PlannerError file_missing, file_unreadable, truncated_file.
    """
    with sources_of(path) as sources:
        found = [recognise_source(source) for source in sources]
    return next((one for one in found if one.kind != "unknown"), found[0])


def glance(path: str, on_bytes: Callable[[int], None] | None = None) -> Recognition:
    """As `recognise`, from the first bytes alone: a file of any size is known at once. Packed files are unpacked.

    on_bytes: told what of a packed file is done; whatever it raises stops the work.
    """
    with own_folder() as folder:
        parts = parts_of(path, folder, on_bytes)
        found = [
            recognise_source(survey_part(part, is_head_enough=True)) for part in parts if part.fault is None
        ]
    return next((one for one in found if one.kind != "unknown"), found[0])


def recognise_source(source: Source) -> Recognition:
    """What a surveyed file is."""
    if source.kind == OTHER:
        return Recognition("unknown", "", 1.0, worded("it is {kind}", kind=source.foreign))
    if not source.head.strip():
        return Recognition("unknown", "", 1.0, worded("it is empty"))
    if is_answer(source):
        return Recognition("prices", ANSWERS, 1.0, worded("its rows have the keys of a request for quote"))
    candidates: list[Recognition] = []
    for candidate in _candidates(source):
        candidates.append(candidate)
        if candidate.confidence == 1:  # none is surer, and of equals the first is taken
            break
    best = max(candidates, key=lambda candidate: candidate.confidence)
    if best.kind == NODES and any(one.format == PODS.format and one.confidence for one in candidates):
        best = next(one for one in candidates if one.format == PODS.format) if has_pods(source) else best
    if best.confidence < LIKELY and source.kind == XLSX:
        other_sheets = [
            one for kind in ("contracts", "prices") for one in _tables(of_best_sheet(source, kind))
        ]
        best = max(other_sheets, key=lambda candidate: candidate.confidence)
    mapping = sure_mapping(source) if best.confidence < LIKELY else None
    if mapping is not None and tells_of_jobs(mapping):
        return Recognition(
            "jobs", MAPPED, SURE, worded("its headings and values are those of a table of jobs")
        )
    if best.confidence < LIKELY:
        why = known_listing(source.head)
        if why is None and (name := empty_list(source)):
            why = worded("its list {name} is empty", name=name)
        why = why or worded("its first lines are of no known kind")
        return Recognition("unknown", "", 1.0 - best.confidence, why)
    near = {one.format: one for one in candidates if _are_near(one, best)}
    if len(near) > 1:
        dialects = [dialect for dialect in DIALECTS if dialect.format in near]
        likeliest = sorted(dialects, key=lambda dialect: -near[dialect.format].confidence)
        return near[most_accepted(source, likeliest).format]
    return best


def _candidates(source: Source) -> Iterator[Recognition]:
    """All that a file may be, one after the other: to ask after each takes as long as to read a short log."""
    yield from (
        Recognition(d.kind, d.format, d.sniff(source.head), d.why) for d in (*DIALECTS, *EXPORT_FORMS)
    )
    yield from _tables(source)
    yield Recognition(
        "prices",
        contract_tables.MAPPED_FORMAT,
        sniff_wide(source),
        worded("its columns are providers or GPU models, with prices below"),
    )
    yield from (Recognition(d.kind, d.format, d.sniff(source.head), d.why) for d in DESCRIBED)
    yield from (Recognition(d.kind, d.format, d.sniff(source.head), d.why) for d in ACTIVITY_DIALECTS)


def _are_near(one: Recognition, best: Recognition) -> bool:
    """Whether a log may about as well be this: then its first rows decide."""
    are_logs = one.kind == "jobs" == best.kind and best.confidence < 1
    return are_logs and one.confidence >= max(LIKELY, best.confidence - NEAR)


def activity_dialect(found: Recognition) -> ActivityDialect | None:
    """The dialect of a file that was recognised as activity; None where it is something else."""
    if found.kind != ACTIVITY:
        return None
    return next(d for d in ACTIVITY_DIALECTS if (d.format, d.why) == (found.format, found.why))


def _tables(source: Source) -> tuple[Recognition, Recognition]:
    """As which table of contracts or prices a file can be read, ours or anybody's."""
    of_contracts, of_prices = contract_tables.sniff(source.head), price_tables.sniff(source.head)
    return (
        Recognition("contracts", contract_tables.FORMAT, of_contracts, worded("it has a contract_id column"))
        if of_contracts >= SURELY_OURS
        else Recognition(
            "contracts",
            contract_tables.MAPPED_FORMAT,
            of_contracts,
            worded("its headings are those of contracts"),
        ),
        Recognition("prices", price_tables.FORMAT, of_prices, worded("it has an offer_id column"))
        if of_prices >= SURELY_OURS
        else Recognition(
            "prices", contract_tables.MAPPED_FORMAT, of_prices, worded("its headings are those of prices")
        ),
    )


def check_is(source: Source, kind: str) -> None:
    """Errors: PlannerError where a file is given as one kind and is clearly another."""
    found = recognise_source(source)
    is_ours_to_read = found.format == contract_tables.MAPPED_FORMAT and kind in ("contracts", "prices")
    is_ours_to_read = is_ours_to_read or (found.kind, kind) == (NODES, "contracts")
    if found.kind not in (kind, "unknown") and not is_ours_to_read:
        wanted = kind_words(kind)
        what = worded("it is a file of {found}, not of {wanted}", found=kind_words(found.kind), wanted=wanted)
        remedy = GIVE_AS.get(found.kind) or worded("give a file of {kind}", kind=wanted)
        raise PlannerError(f"{source.path}:1", "missing_column", what, remedy)
