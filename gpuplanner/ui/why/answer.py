"""One answer to "Why this number?": its formula, rows and inputs, and the whole of it as text."""

from dataclasses import dataclass

from gpuplanner.domain.model.book.price_case import PriceCase
from gpuplanner.files.tables.harmless_cells import tab_text
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.tables.cells import Column, Row
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.translation import speak, tr

Pairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Why:
    """Why a figure is what it is. A row whose key is a figure opens the answer for it."""

    title: str
    formula: str
    note: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    remark: str = ""
    inputs: Pairs = ()
    readings_title: str = ""
    readings: Pairs = ()
    more: Pairs = ()  # words, and the figure that they open

    def __post_init__(self) -> None:
        speak(self, "title", "formula", "note", "remark", "readings_title")

    def as_text(self) -> str:
        """Everything as plain text, for a mail or a note."""
        rows: list[tuple[str, ...]] = [(self.title,), (self.formula,), (self.note,), ("",)]
        if self.columns:
            rows.append(tuple(column.title for column in self.columns))
            rows += [tuple(cell.text for cell in row.cells) for row in self.rows]
        rows += [(self.remark,), ("",), (tr("Inputs"),), *self.inputs]
        if self.readings:
            rows += [("",), (self.readings_title,), *self.readings]
        return tab_text(rows).strip() + "\n"


def inputs_of(shown: ViewState, *, of_places: bool = False) -> Pairs:
    """What was read: jobs, contracts and offers with their files, and the window; or users and sites."""
    project = shown.evaluation.project
    of_kind: dict[str, list[str]] = {}
    for file in project.intake:
        of_kind.setdefault(file.kind, []).append(file.path.replace("\\", "/").rsplit("/", 1)[-1])

    def named(kind: str) -> str:
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
