"""What the figures that are shown were read from: jobs, contracts, offers and their files; for Why and under charts."""

from gpuplanner.domain.message import Text
from gpuplanner.domain.model.book.price_case import PriceCase
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.translation import tr

Pairs = tuple[tuple[Text, str], ...]
"""Names with what stands beside them."""


def source_words(shown: ViewState) -> str:
    """Source: 1,204 jobs (jobs.csv), 4 contracts (contracts.csv) - 3 Jul - 30 Sep 2026, UTC - Plan A."""
    window = shown.evaluation.project.window
    inputs = [
        tr("{count} ({name})", count=count, name=name) if name else count
        for count, name in inputs_of(shown)[:3]  # jobs, contracts, offers
    ]
    parts = (
        tr("Source: {inputs}", inputs=", ".join(map(str, inputs))),
        tr("{start_s}, UTC", start_s=numbers.span(window.start_s, window.end_s)),
        shown.evaluation.scenario,
    )
    return numbers.MIDDOT.join(parts)


def inputs_of(shown: ViewState, *, of_places: bool = False) -> Pairs:
    """What was read: jobs, contracts and offers with their files, and the window; or users and sites.

    Pairs of words and file; a file is empty where the project has none of the kind.
    """
    project = shown.evaluation.project
    of_kind: dict[str, list[str]] = {}
    for file in project.intake:
        of_kind.setdefault(file.kind, []).append(file.path.replace("\\", "/").rsplit("/", 1)[-1])

    def named(kind: str) -> str:
        """The file of a kind by name, or how many there are; empty for none."""
        files = of_kind.get(kind, [])
        return files[0] if len(files) == 1 else tr("{files} files", files=len(files)) if files else ""

    if of_places:
        places = project.places
        return (
            (numbers.counted(len(places.cities), "city", "cities"), named("users")),
            (numbers.counted(len(places.sites), "site"), named("sites")),
            (numbers.counted(len(places.measured), "measured way"), named("measured")),
            (numbers.counted(len(places.residency), "rule of data residency", "rules of data residency"),
             named("residency")),
        )  # fmt: skip
    prices = [named("prices")]
    if not shown.is_today:
        case = project.scenario(shown.evaluation.scenario).price_case
        prices += [tr("{case} rates", case=case)] * (case is not PriceCase.MID)
    return (
        (numbers.counted(project.jobs.count, "job"), named("jobs")),
        (numbers.counted(len(project.contracts), "contract"), named("contracts")),
        (numbers.counted(len(project.offers), "offer"), ", ".join(filter(None, prices))),
        (tr("730 hours in a month"), tr("window {hours} h", hours=numbers.whole(project.window.hours))),
    )
