"""What an import asks before files are taken in: what columns and logs leave open, and what is answered."""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from pathlib import Path, PurePath
from typing import Any, Final

from PySide6.QtCore import QObject, Signal

from gpuplanner.app.importing import import_request, loaded_logs
from gpuplanner.app.settings import Settings
from gpuplanner.charts.kit.translation import sentence, tr
from gpuplanner.domain.edits.contracts import change_contract
from gpuplanner.domain.edits.find import with_values
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.book.contract import Contract, Term
from gpuplanner.domain.model.book.exchange import ExchangeRate
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.tax import tax_included
from gpuplanner.domain.model.gpu_family import Same, SameKind, with_same
from gpuplanner.domain.model.intake import Issue
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import iso_day
from gpuplanner.files.contracts.contract_words import Row, row_id, with_changes
from gpuplanner.files.importing.import_tables import COUNTED_TWICE, are_contracted
from gpuplanner.files.importing.stated_exchange import FACT as STATED
from gpuplanner.files.system.resources import gpu_families
from gpuplanner.files.tables.column_mapping import GPU_HOUR, NOT_NEEDED, constant_of, is_rate
from gpuplanner.files.tables.odd_rates import ODD_RATE
from gpuplanner.files.tables.unread_columns import headings_asked, question_of
from gpuplanner.lazy_dataclass import replace
from gpuplanner.ui.importing import columns_page, files, import_state, open_questions
from gpuplanner.ui.importing.background_reading import ImportReading
from gpuplanner.ui.importing.contracts_page import SentenceLine, sentence_lines, stated_of, with_stated
from gpuplanner.ui.importing.import_state import ChosenFile
from gpuplanner.ui.importing.issue_words import FIELD_WORDS
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.window_words import in_window_words

_NOTHING_ASKED: Final = open_questions.Asked("", (), "")
NAIVE: Final = "naive_time_assumed_utc"
NAMES_ASKED: Final = 4
"""Names of GPUs, and of clusters, that are asked about here; of more the window asks once they are taken in."""


class ImportQuestions(QObject):
    """What is asked of the files that are chosen, and what the planner answered."""

    changed = Signal()  # something was answered

    def __init__(
        self,
        project: Project,
        chosen: files.ImportFiles,
        reading: ImportReading,
        settings: Settings | None,
        now_s: int,
        parent: QObject,
        rows_dir: Path | None = None,
    ) -> None:
        """now_s: a contract that ends until then has ended. rows_dir: where the job rows of loaded logs are kept."""
        super().__init__(parent)
        self._now_s = now_s
        self._project, self._chosen, self._reading = project, chosen, reading
        self._rows_dir = rows_dir
        # by path, what was said of loaded logs that name no cluster; and all logs that name none
        self._loaded_clusters: dict[str, str] = {}
        self._unnamed: dict[str, None] = {}
        self.zone = ""  # of times without one, in words; empty: no log asked for it
        self._is_zone_said = False
        self._same = with_same(() if settings is None else settings.same, project.same)
        self._settled = {same.ours for same in self._same}  # names that need no question
        # of contracts and offers by their key: what their file says of a term, and the planner
        self.stated = {} if settings is None else settings.stated_terms
        self._filed: dict[str, Offer] = {}  # offers as they were read, by id
        self._models: tuple[str, ...] = ()  # names of GPUs that are asked about
        self._partitions: tuple[Same, ...] = ()  # those of the logs that contracts name as clusters
        self._proposed: set[str] = set()  # files of contracts for which this or that was proposed
        # clusters of logs that no contract serves, with those of contracts
        self._clusters: dict[str, tuple[str, ...]] = {}
        # by path and field: what a column leaves open, once it was asked
        self._asked: dict[tuple[str, str], open_questions.Asked] = {}
        self._exchange: dict[str, str] = {}  # by currency: the rate and its day, as answered or proposed
        self._asked_of: tuple[Any, int] = (None, 0)  # what was read, and the number of previews then
        self._sellers: dict[str, None] = {}  # paths of price lists that name no provider
        self._taxes: dict[str, tuple[str, str]] = {}  # by path: the tax that remarks state, and the answer
        self._said: set[tuple[str, str]] = set()  # what the planner answered, be it with nothing

    def with_answers(
        self, request: import_request.ImportRequest, *, is_adding: bool
    ) -> import_request.ImportRequest:
        """A request with what was said of names, and with loaded logs that are read again."""
        # where the partitions of logs that name no cluster are, too
        places = {choice.cluster or "" for path, choice in request.choices if path in self._unnamed} or {""}
        parts = [
            replace(same, theirs=on + same.theirs)
            for same in self._partitions
            for on in (sorted(places) if same.theirs.startswith("/") else ("",))
            if same in self._same
        ]
        same = with_same({*self._same} - {*self._partitions}, parts)
        request = replace(request, same=same, exchange=self.exchange, taxes=self.taxes)
        if request.job_paths and not is_adding:
            return request
        clusters = {path: name for path, name in self._loaded_clusters.items() if name}
        return loaded_logs.with_loaded_logs(request, self._project, clusters, self._rows_dir)

    def set_zone(self, zone: str) -> None:
        """Sets the zone of a log; with one log alone it is the answer of the first page."""
        zone, chosen = import_state.zone_of(zone), self._chosen
        if not import_state.is_zone(zone) or zone == (chosen.zone_of(chosen.file) or "UTC"):
            return
        if sum(file.kind == "jobs" for file in chosen.all) == 1:
            self.answer("", open_questions.ZONE, zone)
        else:
            chosen.set_own_zone(zone)
            self.changed.emit()

    def left_open(self) -> dict[tuple[str, str], open_questions.Asked]:
        """What columns leave open what they count, and names of GPUs that no table knows, with what holds."""
        self._ask_of_price_lists()
        names = self.cluster_names()
        for file in self._chosen.all:
            preview = self._chosen.previews.of(file.path)
            for reading in preview.fields if preview is not None and file.kind != "jobs" else ():
                key = (file.path, reading.field)
                if reading.field in open_questions.ASKED_OF and (reading.is_asked or key in self._asked):
                    answers = [(columns_page.unit_words(unit), unit) for unit in reading.units]
                    words = open_questions.ASKED_OF[reading.field](reading.column or "", file.name)
                    self._asked[key] = open_questions.Asked(words, answers, reading.unit)
                elif reading.field == open_questions.SERVED and file.kind == "contracts" and names:
                    served = constant_of(reading.column or "=")
                    if served is None:  # a column says it
                        self._asked.pop(key, None)
                    else:
                        self._asked[key] = open_questions.served_question(
                            file.name,
                            names,
                            served,
                            reading.why,
                            is_said=(file.path, reading.field) in self._said,
                        )
            self._ask_about_columns(file)
            intake = self._reading.intake.get(file.path)
            codes = {issue.code for issue in intake.issues} if intake is not None else set()
            if COUNTED_TWICE in codes or (file.path, COUNTED_TWICE) in self._asked:
                self._asked[file.path, COUNTED_TWICE] = open_questions.twice_question(file.name, file.kind)
            if file.kind == "activity" and ("undecided" in codes or (file.path, "name") in self._asked):
                of_node = open_questions.node_questions(file.name, file.choice.node)
                self._asked |= {(file.path, field): asked for field, asked in of_node.items()}
        named = {file.path: file.choice.cluster for file in self._chosen.all if file.kind == "jobs"} | {
            path: self._loaded_clusters.get(path) for path in self._unnamed if path not in self._chosen.paths
        }
        of_logs = {
            (path, open_questions.SERVED): open_questions.served_question(
                PurePath(path).name,
                names,
                named[path] or "",
                is_said=(path, open_questions.SERVED) in self._said,
            )
            for path in self._unnamed
            if path in named
        }
        read = self._reading.read
        models = {contract.gpu_model or "" for contract in read.contracts} if read is not None else set()
        names = sorted(models - self._settled)
        unknown = (name for name in names if name and gpu_families().read(name) is None)
        self._models = tuple(dict.fromkeys((*self._models, *unknown)))[:NAMES_ASKED]
        if read is not None:
            ours = {contract.cluster for contract in (*read.contracts, *self._project.contracts)} - {""}
            theirs = {workload.cluster for workload in read.workloads} - {""}
            of_queues = import_state.partitions_named(read.jobs.queues, ours - theirs)
            self._partitions = self._partitions or of_queues
            apart = tuple(sorted(ours - theirs - {partition.ours for partition in self._partitions}))
            self._clusters |= dict.fromkeys(sorted(theirs - ours)[:NAMES_ASKED] if apart else (), apart)
        of_names = {
            (SameKind.MODEL, name): open_questions.model_question(name, self._same) for name in self._models
        }
        of_clusters: dict[tuple[str, str], open_questions.Asked] = {
            (SameKind.CLUSTER, name): open_questions.cluster_question(name, ours, self._same)
            for name, ours in self._clusters.items()
        }
        if self._partitions:
            of_parts = open_questions.partition_question(self._partitions, self._same)
            of_clusters["", open_questions.PARTITIONS] = of_parts
        of_zone = {
            ("", open_questions.ZONE): open_questions.zone_question(
                import_state.zones_by_words(), self.zone, self.meaning_of_zone
            )
        }
        of_money = {
            (path, open_questions.TAX): open_questions.tax_question(PurePath(path).name, stated, value)
            for path, (stated, value) in self._taxes.items()
        }
        for code, answer in self._exchange.items():
            rate, _, day = answer.partition("@")
            asked = open_questions.exchange_question(code, rate, day, self._rate_source(code))
            of_money[open_questions.EXCHANGE, code] = asked
        of_money |= self._seller_questions()
        return (of_zone if self.zone else {}) | self._asked | of_money | of_names | of_clusters | of_logs

    def _ask_about_columns(self, file: ChosenFile) -> None:
        """Asks what each column is that a law asks about; one that was asked about stays, with its answer."""
        asked = self.columns_asked(file.path)
        for heading in asked[:NAMES_ASKED]:
            self._asked.setdefault((file.path, f"{open_questions.OF_COLUMN}{heading}"), _NOTHING_ASKED)
        preview, intake = self._chosen.previews.of(file.path), self._reading.intake.get(file.path)
        mapping = (file.choice.mapping or preview.mapping) if preview is not None else file.choice.mapping
        columns = mapping.columns.items() if mapping is not None else ()
        left = mapping.not_needed if mapping is not None else ()
        names = (
            columns_page.in_order(tuple(reading.field for reading in preview.fields))
            if preview is not None
            else ()
        )
        fields = [(sentence(FIELD_WORDS.get(name, name)), name) for name in names]
        question = question_of(intake.issues) if intake is not None else None
        why = sentence(in_window_words(question.problem)) if question is not None else ""
        for path, field in [key for key in self._asked if key[0] == file.path]:
            if not field.startswith(open_questions.OF_COLUMN):
                continue
            heading = field.removeprefix(open_questions.OF_COLUMN)
            read_as = next((name for name, column in columns if column == heading), "")
            value = NOT_NEEDED if heading in left else read_as
            is_first = heading == next(iter(asked), "")
            self._asked[path, field] = open_questions.column_question(
                file.name, heading, fields, value, why if is_first else "", is_said=heading not in asked
            )

    def _ask_of_price_lists(self) -> None:
        """Asks what price lists leave open, once their preview is there: it says which offers are of which file."""
        read, seen = self._reading.read, len(self._chosen.previews.known)
        if read is not None and (read is not self._asked_of[0] or seen != self._asked_of[1]):
            self._asked_of = (read, seen)
            self._ask_for_taxes(read)
            self._ask_for_sellers(read)

    def _ask_for_sellers(self, read: Any) -> None:
        """Asks of each mapped price list without a provider who sells at its prices."""
        unnamed = {offer.offer_id for offer in read.offers if not offer.provider}
        for path, preview in self._chosen.previews.known.items():
            is_asked = preview.kind == "prices" and preview.is_mapped and bool(preview.fields)
            if is_asked and path in self._chosen.paths and any(name in unnamed for name, _ in preview.lines):
                self._sellers[path] = None

    def _seller_questions(self) -> dict[tuple[str, str], open_questions.Asked]:
        """Who sells at the prices of lists that name no provider."""
        read = self._reading.read
        providers = (
            sorted({offer.provider for offer in read.offers if offer.provider}) if read is not None else []
        )
        asked = {}
        for path in self._sellers:
            file, key = self._chosen.of(path), (path, open_questions.SELLER)
            mapping = file.choice.mapping
            column = mapping.columns.get(open_questions.SELLER, "") if mapping is not None else ""
            if column and constant_of(column) is None:  # a column says it by now
                continue
            answer = constant_of(column or "=") or ""
            asked[key] = open_questions.seller_question(
                file.name, providers, answer, is_said=key in self._said
            )
        return asked

    def _ask_for_taxes(self, read: Any) -> None:
        """Asks of each price list whose remarks say that its prices include tax."""
        stated = {offer.offer_id: tax for offer in read.offers if (tax := tax_included(offer)) is not None}
        for path, preview in self._chosen.previews.known.items():
            ids = [name for name, _ in preview.lines if name in stated]
            if ids and path in self._chosen.paths:
                self._taxes.setdefault(path, (next(filter(None, map(stated.get, ids)), ""), ""))

    @property
    def taxes(self) -> tuple[tuple[str, Decimal], ...]:
        """By path of a price list, the percentage of tax that its prices were said to include."""
        answers = ((path, value) for path, (_, value) in self._taxes.items())
        return tuple(
            (path, Decimal(value)) for path, value in answers if value not in ("", open_questions.KEPT)
        )

    @property
    def exchange(self) -> tuple[ExchangeRate, ...]:
        """The rates that are answered or proposed."""
        rates = (open_questions.exchange_rate(code, answer) for code, answer in self._exchange.items())
        return tuple(rate for rate in rates if rate is not None)

    def _ask_for_rates(self, read: Any) -> None:
        """Asks for the rate of each currency without one; what a sheet states is proposed."""
        known = {rate.code for rate in self._project.exchange}
        money: list[Row] = [*read.contracts, *read.offers]
        lacking = {row.currency for row in money if row.exchange is None and row.quoted_rate} - known
        for code in sorted(lacking - self._exchange.keys()):
            rate, day = next((rate for _, rate in self._stated_rates(code)), (None, ""))
            text = "" if rate is None else numbers.significant(rate)
            self._exchange[code] = f"{text}@{day or iso_day(self._now_s)[:10]}"

    def _stated_rates(self, code: str) -> list[tuple[str, tuple[float, str]]]:
        """The rates of a currency that sheets state: name of the file, rate and day."""
        facts = ((file.path, dict(file.facts)) for file in self._reading.intake.values())
        stated: list[tuple[str, Any]] = [(path, of_file.get(STATED)) for path, of_file in facts]
        return [(PurePath(path).name, tuple(rates[code])) for path, rates in stated if code in (rates or {})]

    def _rate_source(self, code: str) -> str:
        """Which sheet states a rate; empty where none does."""
        names = ", ".join(name for name, _ in self._stated_rates(code))
        return (
            tr("Stated in {names}. Amounts in {code} are converted.", names=names, code=code) if names else ""
        )

    @property
    def meaning_of_zone(self) -> str:
        """What the zone makes of a time of a log: the one that is looked at, else the first that has such times."""
        for file in (self._chosen.file, *self._chosen.all):
            preview = self._chosen.previews.of(file.path)
            if file.kind == "jobs" and preview is not None and preview.naive_sample is not None:
                name = f"{file.name}: " if len(self._chosen.all) > 1 else ""
                zone = self._chosen.zone_of(file)
                return name + columns_page.naive_sentence(preview.naive_sample, zone)
        return ""

    def columns_asked(self, path: str) -> tuple[str, ...]:
        """The headings of the columns of a file that a law asks about."""
        intake = self._reading.intake.get(path)
        return () if intake is None else headings_asked(intake)

    def cluster_names(self) -> list[str]:
        """Clusters that are named by files, by what is loaded, or by the planner."""
        read = self._reading.read
        rows: list[Any] = [*self._project.contracts, *self._project.workloads]
        rows += [] if read is None else [*read.contracts, *read.workloads]
        named = {file.choice.cluster or "" for file in self._chosen.all}
        return sorted((named | {row.cluster for row in rows}) - {""})

    def say(self, path: str, field: str, value: str) -> None:
        """The planner answers a question, see `answer`; also with what was proposed, or with nothing."""
        self._said.add((path, field))
        self.answer(path, field, value)

    @property
    def said_zone(self) -> str:
        """The zone that the planner said of times without one; empty where UTC is only proposed."""
        return import_state.zone_of(self.zone) if self._is_zone_said else ""

    @property
    def has_answers(self) -> bool:
        """Whether the planner answered any."""
        return bool(self._said)

    def answer(self, path: str, field: str, value: str) -> None:
        """Says what a column counts, or which GPU or cluster a name is, whose kind stands in place of a path."""
        asked = self.left_open().get((path, field))
        if asked is not None and asked.value == value:  # a field was left as it was
            return
        if path == open_questions.EXCHANGE or field in (open_questions.SELLER, open_questions.TAX):
            self._answer_of_prices(path, field, value)
        elif field == open_questions.ZONE:
            self.zone, self._is_zone_said = value, True
            if self._chosen.file.kind == "jobs":
                self._chosen.want_preview()
            self._reading.begin_soon()
        elif field == open_questions.SERVED and path not in self._chosen.paths:
            self._loaded_clusters[path] = value
            self._reading.begin_soon()
        elif field == open_questions.SERVED and (path, field) not in self._asked:
            self._chosen.say_cluster(path, value)
        elif asked is not None and asked.is_typed and field != open_questions.SERVED:
            self._chosen.say_node(path, field, value)
        elif path in list(SameKind):
            self._same = with_same(self._same, (Same(SameKind(path), field, value),))
            self._reading.begin_soon()
        elif field == open_questions.PARTITIONS:
            others = (same for same in self._same if same not in self._partitions)
            self._same = with_same(others, self._partitions if value else ())
            self._reading.begin_soon()
        elif field.startswith(open_questions.OF_COLUMN):
            self._chosen.say_field(path, field.removeprefix(open_questions.OF_COLUMN), value)
        elif field == COUNTED_TWICE:
            self._chosen.say_kind(path, value)
        elif field == open_questions.SERVED:
            self._chosen.say_value(path, field, value)
        else:
            self._chosen.say_unit(path, field, value)
        self.changed.emit()

    def _answer_of_prices(self, path: str, field: str, value: str) -> None:
        """Says what a currency is worth, who sells at the prices of a list, or which tax they include."""
        if path == open_questions.EXCHANGE:
            self._exchange[field] = value
            if self._reading.answer is not None:  # nothing is read otherwise
                request, read = self._reading.answer
                self._reading.answer = replace(request, exchange=self.exchange), read
        elif field == open_questions.SELLER:
            self._chosen.say_value(path, field, value)
        else:
            stated, _ = self._taxes[path]
            self._taxes[path] = (stated, value)
            self._reading.begin_soon()

    def ask_about(self, request: import_request.ImportRequest, read: Any) -> None:
        """What a log leaves open, asked only where a log does; a likely cluster is proposed, and read with."""
        self._ask_for_rates(read)
        self._reading.answer = replace(request, exchange=self.exchange), read
        theirs = sorted({workload.cluster for workload in read.workloads} - {""})
        asked = self.left_open()
        if ("", open_questions.PARTITIONS) in asked and open_questions.PARTITIONS not in self._proposed:
            self._proposed.add(open_questions.PARTITIONS)
            self.answer("", *2 * [open_questions.PARTITIONS])
            return
        served = {path for path, field in self._asked if field == open_questions.SERVED}
        twice = {path for path, field in asked if field == COUNTED_TWICE} - self._proposed
        for path in twice if read.window is not None else ():  # left out once, where contracts have them all
            self._proposed.add(path)
            if are_contracted(path, read.contracts, read.window.end_s - 1):
                self._chosen.say_kind(path, "")
        # the only one is proposed, once a file, and read with
        if len(theirs) == 1 and all(workload.cluster for workload in read.workloads):
            for path in served - self._proposed:
                if not self._asked[path, open_questions.SERVED].value:
                    self._chosen.say_value(path, open_questions.SERVED, theirs[0])
            self._proposed |= served
        if self._propose_clusters(request, read):
            return  # a zone that nobody was asked for is not one that was given
        loaded = {file.path for file in self._project.intake} - self._chosen.paths
        codes = {issue.code for file in read.intake if file.path not in loaded for issue in file.issues}
        if NAIVE in codes and not self.zone:
            self.zone = "UTC"

    def _propose_clusters(self, request: import_request.ImportRequest, read: Any) -> bool:
        """Asks on which cluster the jobs of each log ran that names none, and proposes a likely one, once a log.

        Returns whether one was proposed: then it is read with.
        """
        names = self._contract_clusters(read)
        has_new = bool(request.contract_paths and names)
        of_loaded = loaded_logs.unnamed_logs(self._project, self._rows_dir) if has_new else ()
        own = [path for path in read.unnamed if path in self._chosen.paths]
        paths = [path for path in (*own, *of_loaded) if path not in self._unnamed]
        self._unnamed |= dict.fromkeys(paths)
        before = {file.format: loaded_logs.stated_cluster(file) for file in self._project.intake}
        logs = (*self._project.intake, *read.intake)
        formats = {file.path: file.format for file in logs if file.kind == "jobs"}
        is_alone = len({*formats.values()}) == 1  # logs of one scheduler
        for path in paths if not self._partitions else ():
            likely = open_questions.likely_cluster(path, names, is_alone=is_alone)
            self.answer(path, open_questions.SERVED, likely or before.get(formats.get(path, ""), ""))
        return self._reading.answer is None

    def _contract_clusters(self, read: Any) -> list[str]:
        """Clusters that contracts name, of the files and of what is loaded."""
        contracts = (*read.contracts, *self._project.contracts)
        return sorted({contract.cluster for contract in contracts} - {""})

    def of_file(self, file: ChosenFile, issue: Issue) -> tuple[str, str, list[tuple[str, Text, Text]]]:
        """What a file is asked that disagrees with its totals, or has rates far from the market.

        Returns the title, the words, and value, words and tip of each answer.
        """
        if issue.code == ODD_RATE:
            title, words = (
                tr("{name}: what is the price for?", name=file.name),
                open_questions.rows_words(issue.message),
            )
            answers = open_questions.rate_answers(self._unit_of_rates(file))
        else:
            title, words = tr("{name} disagrees with its own totals", name=file.name), issue.message
            others = self._reading.intake[file.path].alternatives
            kept = (
                open_questions.RIGHT,
                tr("Keep the figures as read"),
                tr("The file's own totals are wrong"),
            )
            answers = [*((other.mapping, other.words, tr("Read like this")) for other in others), kept]
        return title, sentence(in_window_words(words)), answers

    def _unit_of_rates(self, file: ChosenFile) -> str:
        """In which unit the rates of a file were read; empty where no column has any."""
        if (preview := self._chosen.previews.of(file.path)) is None:
            self._chosen.want_preview_of(file.path)
        mapping = file.choice.mapping or (preview.mapping if preview is not None else None)
        rates = [field for field in mapping.columns if is_rate(field)] if mapping is not None else []
        units = mapping.units if mapping is not None else {}
        return (units.get(rates[0], "").partition(":")[0] or GPU_HOUR) if rates else ""

    def answer_file(self, file: ChosenFile, issue: Issue, value: str) -> None:
        """Says what the odd rates of a file are per, or how one is read that disagrees with its totals."""
        if value and issue.code == ODD_RATE:
            self._chosen.say_rates(file.path, value)
        else:
            self._chosen.settle(file.path, issue.code, value)
        self.changed.emit()

    # Contracts and offers as the planner knows them

    @property
    def sentences(self) -> list[SentenceLine]:
        """Each contract that was read, and each offer of a few, as a sentence with what its file says of it."""
        intake, figures = self._reading.intake, dict[str, list[bool]]()
        for path, seen in self._chosen.previews.known.items():
            stated = intake[path].reconciliation if path in intake else ()
            for name, line in seen.lines if stated else ():
                of_row = (figure for figure in stated if figure.subject.partition(" ")[2] == str(line))
                figures[name] = [figure.agrees for figure in of_row]
        read = self._reading.read
        return [] if read is None else sentence_lines(read, figures, self._filed, self._now_s)

    def _keyed(self, rows: Iterable[Row]) -> list[tuple[str, Row]]:
        """Contracts and offers by what their changed terms are remembered by: the headings of the file, and the id."""
        seen = ((file, self._chosen.previews.of(file.path)) for file in self._chosen.all)
        headers = {name: file.header for file, shown in seen if shown is not None for name, _ in shown.lines}
        return [(headers.get(row_id(row), "") + row_id(row), row) for row in rows]

    def with_stated(self, read: Any) -> Any:
        """What was read, with the terms of contracts and offers that were said before. read: ReadResult."""
        self._filed = {offer.offer_id: offer for offer in read.offers}
        rows = [
            with_stated(row, self.stated.get(key, {}))
            for key, row in self._keyed((*read.contracts, *read.offers))
        ]
        held = len(read.contracts)
        return replace(read, contracts=tuple(rows[:held]), offers=tuple(rows[held:]))

    def change(self, row: Row, terms: Mapping[str, Term]) -> None:
        """Changes terms of a contract or an offer that was read, which holds as long as its file says the same.

        Errors: PlannerError for a term that cannot be.
        """
        assert self._reading.answer is not None
        request, read = self._reading.answer
        if isinstance(row, Contract):
            project = with_values(self._project, contracts=read.contracts)
            changed: tuple[Row, ...] = change_contract(project, row.contract_id, terms).contracts
            read = replace(read, contracts=changed)
        else:
            changed = (other := with_changes(row, terms),)
            read = replace(read, offers=tuple(other if offer == row else offer for offer in read.offers))
        self.stated |= {
            key: stated_of(row, self._filed.get(row_id(row), row)) for key, row in self._keyed(changed)
        }
        self._reading.answer = request, read
        self.changed.emit()
