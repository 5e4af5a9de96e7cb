"""What an import says in words of what was read: what it comes to, what is in the way, what to look out for."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from gpuplanner.app.importing import ImportRequest
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.contracts_apart import contracts_apart
from gpuplanner.domain.model.log.intake import FileIntake
from gpuplanner.domain.model.log.interruptions import observed
from gpuplanner.domain.model.places import NO_PLACES
from gpuplanner.domain.model.project import Project
from gpuplanner.ui.importing.import_state import MAPPABLE, ChosenFile, intake_of_preview
from gpuplanner.ui.importing.report import is_refused
from gpuplanner.ui.state.plan_notice import NONE_RAN, apart_sentence
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.translation import by_count, sentence, spoken, tr
from gpuplanner.ui.words.window_words import in_window_words


def refusal_of(request: ImportRequest, read: Any) -> str:
    """Why nothing of what was read can be taken in; empty where something can."""
    if request.job_paths and not read.accepted_jobs:
        return tr("No row was accepted as a job.")
    if read.intake and all(is_refused(file) for file in read.intake):
        return tr("None of the files could be taken.")
    return ""


def sentence_of_import(
    request: ImportRequest,
    read: Any,
    files: Sequence[ChosenFile],
    contracts: Iterable[Contract],
    joined: Project | None = None,
) -> tuple[str, str]:
    """What was read comes to, what of it is not taken, and the palette role of the sentence.

    contracts: those loaded; joined: the project that the files are added to, None where they take the place of others.
    """
    if refusal := refusal_of(request, read):
        return f"{refusal} {import_remedy(read)}", "red"
    refused = [Path(file.path).name for file in read.intake if is_refused(file)]
    left_out = (
        tr(" Not taken: {refused}; why is said at the right.", refused=", ".join(refused)) if refused else ""
    )
    closed = [file.name for file in files if file.is_closed]
    if closed:
        left_out += tr(" Cannot be opened: {closed}.", closed=", ".join(closed))
    unknown = [
        file.name for file in files if not (file.kind or file.is_known or file.is_described or file.is_closed)
    ]
    if unknown:
        left_out += tr(" Left out, for nobody knows what it is: {unknown}.", unknown=", ".join(unknown))
    alike = alike_clusters(
        {workload.cluster for workload in read.workloads}
        | {contract.cluster for contract in (*read.contracts, *contracts)}
    )
    is_short = read.window is not None and read.jobs.count < read.accepted_jobs
    role = "amber" if left_out or alike or is_short else "muted"
    return import_summary(request, read, joined) + left_out + alike, role


def report_of(
    file: ChosenFile, read: FileIntake | None, preview: Any, *, is_reading: bool
) -> tuple[FileIntake | None, str]:
    """What is known of the rows of a file, and which rows that is of. preview: LogPreview or None."""
    how = tr(" with this mapping") if file.choice.mapping is not None else ""
    if read is not None:
        return read, tr("Refused: no row was looked at") if is_refused(read) else tr(
            "All rows read{how}", how=how
        )
    if preview is None or file.kind not in MAPPABLE or preview.missing:
        return None, tr("Left out") if file.found is not None and not file.kind else tr("Not read yet")
    if not preview.is_sample:
        return intake_of_preview(preview), tr("All rows read{how}", how=how)
    more = tr("; the whole file is being read") if is_reading else ""
    return intake_of_preview(preview), tr(
        "The first {rows}{how}{more}", rows=numbers.counted(preview.counts[0], "row"), how=how, more=more
    )


def import_remedy(read: Any) -> str:
    """What to do where nothing could be read."""
    if not read.refused:
        return tr("See why each row was not taken, at the right.")
    return sentence(in_window_words(read.refused[0].message)) + "."


def without_refused(request: ImportRequest, read: Any) -> tuple[ImportRequest, Any]:
    """What is taken in: a file that gave nothing is no source of the project."""
    refused = {file.path for file in read.intake if is_refused(file)}
    if not refused:
        return request, read

    def kept(paths: Iterable[str]) -> tuple[str, ...]:
        """The paths of files that were not refused."""
        return tuple(path for path in paths if path not in refused)

    places = tuple((kind, path) for kind, path in request.place_paths if path not in refused)
    intake = tuple(file for file in read.intake if file.path not in refused)
    without = replace(
        request,
        job_paths=kept(request.job_paths),
        contract_paths=kept(request.contract_paths),
        price_paths=kept(request.price_paths),
        planned_paths=kept(request.planned_paths),
        place_paths=places,
    )
    return without, replace(read, intake=intake)


def alike_clusters(names: set[str]) -> str:
    """Names of clusters that differ in capitals or blanks only: said, for contracts serve the cluster they name."""
    by_letters: dict[str, list[str]] = {}
    for name in sorted(names - {""}):
        by_letters.setdefault(name.strip().casefold(), []).append(name)
    return "".join(
        tr(
            " {alike} are taken as {alike_2} clusters; write one name where they are one.",
            alike=" and ".join(alike),
            alike_2=len(alike),
        )
        for alike in by_letters.values()
        if len(alike) > 1
    )


def apart_words(request: ImportRequest, read: Any, loaded: Project, joined: Project | None) -> str:
    """What is said where no contract runs while the log does, and what to do; empty where one does."""
    has_jobs, has_contracts = bool(request.job_paths), bool(request.contract_paths)
    window = read.window if has_jobs else loaded.window
    if window is None or not (has_jobs or loaded.workloads) or not (has_jobs or has_contracts):
        return ""
    contracts = (*(read.contracts if has_contracts else loaded.contracts),)
    apart = contracts_apart((*contracts, *(() if joined is None else joined.contracts)), window)
    if apart is None:
        return ""
    remedy = (
        tr("Import a log and contracts of the same time.")
        if apart.day_to_plan_from_s(window, window.end_s) is None
        else tr("Choose Plan from in the menu Scenario afterwards, or import files of the same time.")
    )
    return f"{spoken(NONE_RAN)}. {apart_sentence(window, apart)} {remedy}"


def contracts_counted(read: Any, joined: Project | None) -> tuple[int, int]:
    """Contracts of the files, and of these with those that they are added to."""
    return len(read.contracts), _together(
        read.contracts, () if joined is None else joined.contracts, "contract_id"
    )


def offers_counted(read: Any, joined: Project | None) -> tuple[int, int]:
    """Offers of the files, and of these with those that they are added to."""
    return len(read.offers), _together(read.offers, () if joined is None else joined.offers, "offer_id")


PLACES_WORDS: Final[Mapping[str, tuple[str, tuple[Text, Text]]]] = {
    "users": ("cities", (worded("city with users"), worded("cities with users"))),
    "sites": ("sites", ("site", "sites")),
    "measured": ("measured", (worded("measured way"), worded("measured ways"))),
    "residency": (
        "residency",
        (worded("country with data residency"), worded("countries with data residency")),
    ),
}
"""Kind of file -> field of Places, what one and what many are called."""


def places_counted(
    request: ImportRequest, read: Any, joined: Project | None
) -> list[tuple[tuple[Text, Text], int]]:
    """How many there will be of each kind of places that the files bring, with the words for one and for many."""
    if not request.place_paths:
        return []
    kinds = dict.fromkeys(kind for kind, _ in request.place_paths)
    after = read.places.over(NO_PLACES if joined is None else joined.places, adding=joined is not None)
    return [(PLACES_WORDS[kind][1], len(getattr(after, PLACES_WORDS[kind][0]))) for kind in kinds]


def _together(new: Iterable[Any], loaded: Iterable[Any], name: str) -> int:
    """How many different ones there are, new and loaded, by name."""
    return len({getattr(one, name) for one in (*new, *loaded)})


def with_loaded(counts: tuple[int, int], noun: str = "") -> str:
    """2 contracts, 7 with those loaded."""
    new, together = counts
    said = numbers.counted(new, noun) if noun else numbers.whole(new)
    return (
        said
        if new == together
        else tr("{said}, {together} with those loaded", said=said, together=numbers.whole(together))
    )


def import_summary(request: ImportRequest, read: Any, joined: Project | None = None) -> str:
    """3,210 jobs in 33 workloads - 3 Jul - 30 Sep 2026 - 5 contracts; how many of all, where the window is shorter."""
    parts = []
    if request.job_paths:
        jobs = numbers.counted(read.accepted_jobs, "job")
        if read.window is not None and read.jobs.count < read.accepted_jobs:
            jobs = tr(
                "{count} of {jobs}, those in the window,", count=numbers.whole(read.jobs.count), jobs=jobs
            )
        parts.append(
            tr("{jobs} in {workloads}", jobs=jobs, workloads=numbers.counted(len(read.workloads), "workload"))
        )
        if read.window is not None:
            parts.append(numbers.span(read.window.start_s, read.window.end_s))
    if request.contract_paths:
        parts.append(with_loaded(contracts_counted(read, joined), "contract"))
    if request.price_paths:
        parts.append(with_loaded(offers_counted(read, joined), "offer"))
    parts += [
        numbers.counted(count, *map(str, words)) for words, count in places_counted(request, read, joined)
    ]
    if request.planned_paths:
        count = len(read.planned)
        whole = numbers.whole(count)
        parts.append(by_count(count, "{count} planned workload", "{count} planned workloads", count=whole))
    seen = observed(read.intake)
    if seen is not None:
        parts.append(tr("{count} of spot nodes", count=numbers.counted(seen.interruptions, "interruption")))
    return numbers.MIDDOT.join(parts) + "."
