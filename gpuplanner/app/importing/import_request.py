"""Request of an import: which files to read, and how; and reading them."""

from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpuplanner.app.background import IsCancelled, OnProgress
from gpuplanner.app.importing.kept_readings import KeptReadings
from gpuplanner.domain.edits.inputs import KINDS_OF_PLACES
from gpuplanner.domain.edits.labels import import_label
from gpuplanner.domain.message import Message
from gpuplanner.domain.model.book.exchange import ExchangeRate
from gpuplanner.domain.model.gpu_family import Same
from gpuplanner.lazy_dataclass import dataclass, replace

if TYPE_CHECKING:
    from gpuplanner.files.importing.intake import ReadResult
    from gpuplanner.files.importing.log_choices import LogChoice
    from gpuplanner.files.importing.windowed_jobs import JobsRead
    from gpuplanner.files.job_logs.reduce.kept_logs import KeptLogs
    from gpuplanner.files.lists.place_tables import PlacesRead
    from gpuplanner.files.tables.column_mapping import ColumnMapping
    from gpuplanner.files.tables.recipe import Recipe
    from gpuplanner.files.tables.small_table import Kept
    from gpuplanner.files.values.lookback_period import WindowRequest


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportRequest:
    """What to read, and how; see read_inputs. rows_dir: where the job rows are kept for drill-down.

    place_paths: (kind, path) of files of users, sites, measured ways and residency.
    same: what is one though it has two names: the project's decisions and those of the import.
    taxes: by path of a price list, the percentage of tax that its prices include.
    exchange: what a unit of other currencies is in US dollars, as the planner says.
    choices, table_mappings: by path, what was said of single logs, and of single files of contracts and prices.
    kept: logs of the project that its own are read beside.
    """

    job_paths: tuple[str, ...] = ()
    contract_paths: tuple[str, ...] = ()
    price_paths: tuple[str, ...] = ()
    format: str | None = None
    timezone: str | None = None
    cluster: str | None = None
    mapping: "ColumnMapping | str | None" = None
    window: "WindowRequest | None" = None
    rows_dir: Path | None = None
    choices: "tuple[tuple[str, LogChoice], ...]" = ()
    table_mappings: "tuple[tuple[str, str | Recipe], ...]" = ()
    pseudonyms: bool = False
    place_paths: tuple[tuple[str, str], ...] = ()
    planned_paths: tuple[str, ...] = ()
    same: tuple[Same, ...] = ()
    interruption_paths: tuple[str, ...] = ()
    taxes: tuple[tuple[str, Decimal], ...] = ()
    exchange: tuple[ExchangeRate, ...] = ()
    kept: "KeptLogs | None" = None

    @property
    def paths(self) -> tuple[str, ...]:
        """All the files.

        Logs first, in the order of the fields; a file may be there twice.
        """
        return (
            *self.job_paths,
            *self.contract_paths,
            *self.price_paths,
            *(path for _, path in self.place_paths),
            *self.planned_paths,
            *self.interruption_paths,
        )

    @property
    def label(self) -> Message:
        """The words for Undo."""
        return import_label(self.paths)


ReadRequest = Callable[[ImportRequest, OnProgress, IsCancelled], "ReadResult"]


def read_request(
    request: ImportRequest,
    on_progress: OnProgress,
    is_cancelled: IsCancelled,
    kept: KeptReadings | None = None,
) -> "ReadResult":
    """Read the files of a request. Errors: PlannerError where one cannot be read.

    on_progress: share done 0..1, and what is being read. Job rows are kept under rows_dir. Nothing of a
    project is touched. kept: readings of before; only files of which something else was said since are read.
    """
    from gpuplanner.files.importing.import_jobs import import_jobs
    from gpuplanner.files.importing.import_tables import import_contracts, import_prices
    from gpuplanner.files.importing.intake import assemble, resolver
    from gpuplanner.files.importing.log_choices import ReadOptions
    from gpuplanner.files.lists.interruptions import import_interruptions
    from gpuplanner.files.lists.place_tables import import_places
    from gpuplanner.files.lists.planned_work import import_planned

    kept, tables, taxes = kept or KeptReadings(), dict(request.table_mappings), dict(request.taxes)

    def of_kind(kind: str) -> "Kept":
        """Readings of single tables of a kind."""

        def of_path(path: str, read: Callable[[], Any]) -> Any:
            """Reads a table unless it was read by the same mapping."""
            mappings = tuple(
                item for item in tables.items() if item[0] == path or item[0].startswith(f"{path}/")
            )
            return kept.of((kind, path), (path,), (mappings, taxes.get(path)), read)

        return of_path

    def read_jobs() -> "JobsRead":
        """Reads all logs: duplicates are found over all of them."""
        return import_jobs(
            request.job_paths,
            ReadOptions(
                format=request.format,
                mapping=request.mapping,
                timezone=request.timezone,
                choices=dict(request.choices),
                cluster=request.cluster,
                pseudonyms=request.pseudonyms,
            ),
            window_request=request.window,
            rows_dir=request.rows_dir,
            same=resolver((), contracts.contracts, prices.offers, request.same),
            kept=request.kept,
            on_progress=on_progress,
            is_cancelled=is_cancelled,
        )

    def read_places() -> "PlacesRead":
        """Reads all files of places."""
        users, sites, measured, residency = (
            [path for kind, path in request.place_paths if kind == wanted] for wanted in KINDS_OF_PLACES
        )
        return import_places(users, sites, measured, residency, mappings=tables)

    contracts = import_contracts(request.contract_paths, tables, kept=of_kind("contracts"))
    prices = import_prices(request.price_paths, tables, kept=of_kind("prices"), taxes=taxes)
    of_names = (
        (contracts.contracts, prices.offers) if request.same else ()
    )  # whose names are settled with the logs'
    of_tables = ("contract_paths", "price_paths", "table_mappings", "place_paths", "planned_paths")
    others: dict[str, Any] = dict.fromkeys((*of_tables, "interruption_paths", "exchange", "taxes"), ())
    jobs = kept.of("jobs", request.job_paths, (replace(request, **others), of_names), read_jobs)
    place_paths = [path for _, path in request.place_paths]
    of_places = (request.place_paths, tuple((path, tables.get(path)) for path in place_paths))
    places = kept.of("places", place_paths, of_places, read_places)
    planned = import_planned(request.planned_paths, request.timezone)
    interruptions = import_interruptions(request.interruption_paths, request.timezone)
    return assemble(jobs, contracts, prices, places, planned, interruptions)
