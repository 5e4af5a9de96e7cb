"""Orders and decisions of one export: the same number is the same thing in every paper."""

import csv
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from icalendar import Calendar
from openpyxl import load_workbook

from gpuplanner.cli.documents.awards import award_document
from gpuplanner.cli.documents.plan import plan_document
from gpuplanner.domain.award.deciding import decide
from gpuplanner.domain.brief.briefs import plan_brief
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.model.book.price_history import UNKNOWN_MARKET
from gpuplanner.domain.model.window import DAY_S
from gpuplanner.files.calendar import write_calendar
from gpuplanner.files.export.focus import write_focus
from gpuplanner.files.request.request import Terms
from gpuplanner.files.request.request_file import write_requests
from gpuplanner.files.workbook.write import write_workbook
from gpuplanner.lazy_dataclass import dataclass, replace
from tests.files.workbook.evaluations import evaluated, two_clusters_with_layers

Cells = Mapping[str, Any]
Bought = tuple[str, float]
"""A GPU model, and how many GPUs of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Papers:
    """One export: its evaluation, its folder and the day that its papers bear, epoch seconds."""

    evaluation: Evaluation
    folder: Path
    at_s: int

    @property
    def document(self) -> Any:
        return plan_document(self.evaluation)

    @property
    def focus(self) -> list[dict[str, str]]:
        with (self.folder / "focus.csv").open(encoding="utf-8", newline="") as lines:
            return [row for row in csv.DictReader(lines) if row["x_OfferId"]]

    @property
    def events(self) -> list[str]:
        text = (self.folder / "calendar.ics").read_text(encoding="utf-8")
        return [str(event["SUMMARY"]) for event in Calendar.from_ical(text).events]

    @property
    def request(self) -> list[Cells]:
        (path,) = self.folder.glob("rfq/Vela *.xlsx")
        return list(table(path, "2 Your quote", "Request"))

    @property
    def contracts(self) -> list[Cells]:
        return list(table(self.folder / "plan.xlsx", "Contract inputs", "Contract", ".+"))

    def sheet(self, name: str, heading: str) -> list[Cells]:
        return list(table(self.folder / "plan.xlsx", name, heading))

    @property
    def blocks(self) -> dict[str, list[list[str]]]:
        """Tables of the brief's first pages by title, each with its headings."""
        return {
            str(block.title): [
                [str(column.heading) for column in block.columns],
                *([str(cell) for cell in row] for row in block.rows),
            ]
            for page in plan_brief(self.evaluation, self.at_s, "1").pages[:3]
            for row in page.rows
            for block in row
            if hasattr(block, "columns")
        }


def table(path: Path, sheet: str, heading: str, like: str = r"[ORD]\d+") -> Iterator[Cells]:
    """Rows of a table of a workbook by heading, until its first column ends.

    heading: of that column; like: its cells.
    """
    book = load_workbook(path, data_only=True)
    rows = iter(book[sheet].iter_rows(values_only=True))
    headings = next(row for row in rows if row[0] == heading)
    for row in rows:
        if row[0] is None or not re.fullmatch(like, str(row[0])):
            return
        yield dict(zip(headings, row, strict=True))


def export(evaluation: Evaluation, folder: Path, days_late: int = 0) -> Papers:
    """Write every paper of a plan on a day, counted from the plan's first."""
    at_s = evaluation.project.plan_window.end_s + days_late * DAY_S
    write_workbook(evaluation, folder / "plan.xlsx", at_s)
    write_focus(evaluation, folder / "focus.csv", at_s)
    write_calendar(evaluation, folder / "calendar.ics", at_s)
    write_requests(evaluation, folder / "rfq", at_s, Terms(buyer="Acme"))
    return Papers(evaluation=evaluation, folder=folder, at_s=at_s)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Papers:
    case = two_clusters_with_layers()
    scenario = replace(case.scenario, pools=dict(case.pools))
    offers = tuple(replace(offer, provider="Vela") for offer in case.project.offers)
    project = replace(case.project, scenarios=(scenario,), offers=offers, title="Small case")
    return export(evaluated(project, case.classifications), tmp_path_factory.mktemp("papers"))


def as_bought(words: str) -> Bought:
    """8 H100 as model and GPUs."""
    gpus, model = words.split(" ", 1)
    return model, float(gpus)


def check_orders(papers: Papers) -> None:
    orders = papers.document["orders"]
    assert orders, "a plan without orders compares nothing"
    terms = {order["number"]: order["term_months"] for order in orders}
    bought = {order["number"]: (order["offer_gpu_model"], order["offer_gpus"]) for order in orders}
    providers = {order["number"]: order["provider"] for order in orders}
    offers = {order["number"]: order["offer_id"] for order in orders}
    starts = {(order["number"], order["start"][:10]) for order in orders}
    for order in orders:
        number = order["number"]
        of_order = bought[number], terms[number], offers[number]
        assert of_order == (
            (order["offer_gpu_model"], order["offer_gpus"]),
            order["term_months"],
            order["offer_id"],
        ), "renewals of one order are alike"

    listed = papers.sheet("Calc orders", "Order")
    assert {row["Order"] for row in listed} == set(bought)
    for row in listed:
        number = row["Order"]
        assert (row["GPUs"], row["Term, months"], row["Offer"]) == (
            pytest.approx(bought[number][1]),
            terms[number],
            offers[number],
        )
        assert (number, f"{row['Start']:%Y-%m-%d}") in starts

    assert papers.focus
    for row in papers.focus:
        number = row["x_OrderNumber"]
        assert (row["x_GpuModel"], float(row["x_Gpus"])) == (
            bought[number][0],
            pytest.approx(bought[number][1]),
        )
        assert (row["x_OfferId"], int(row["x_TermMonths"])) == (offers[number], terms[number])
        assert (row["x_ServiceProviderName"] or None) == providers[number]
        assert (number, row["ContractCommitmentPeriodStart"][:10]) in starts

    events = [
        match
        for event in papers.events
        if (match := re.match(r"(O\d+).*?rder (.+?) \(.+?\), offer (.+?):", event))
    ]
    assert events
    for event in events:
        number = event[1]
        assert as_bought(event[2]) == (bought[number][0], pytest.approx(bought[number][1]))
        assert event[3] == offers[number]

    found = 0
    headings, *rows = papers.blocks["Orders"]
    for cells in rows:
        row = dict(zip(headings, cells, strict=True))
        if number := row["Order"]:
            found += 1
            assert (row["GPU model"], float(row["GPUs"])) == (
                bought[number][0],
                pytest.approx(bought[number][1]),
            )
            assert row["Provider"] == providers[number]
    assert found == len(bought), "the brief lists all orders"


def check_request(papers: Papers) -> None:
    """A row asks for whole nodes of an order, on the first day that its quote can come: not before the plan's own."""
    orders = papers.document["orders"]
    bought, first = dict[str, Bought](), dict[str, str]()
    for order in orders:
        bought[order["number"]] = order["offer_gpu_model"], order["offer_gpus"]
        first.setdefault(order["number"], min(o["start"] for o in orders if o["number"] == order["number"]))
    asked, listed = papers.request, {row["Request"]: row for row in papers.sheet("Quotes", "Request")}
    assert [row["Request"] for row in asked] == list(listed)
    assert {*listed} == {*bought}, "ids are those of the orders"
    for row in asked:
        number, of_sheet = row["Request"], listed[row["Request"]]
        assert (row["GPUs"], row["Start"]) == (of_sheet["GPUs asked for"], of_sheet["Start (UTC)"])
        assert row["GPU"].split(" ")[0] == of_sheet["GPU model"] == bought[number][0]
        assert f"{row['Start']:%Y-%m-%d}" >= first[number][:10]
        assert row["GPUs"] >= bought[number][1] - 1e-6
        assert of_sheet["GPUs of the plan"] == pytest.approx(bought[number][1])


def decided_in(papers: Papers) -> list[dict[str, str]]:
    """Rows of the tables of decisions in the brief."""
    tables = [block for title, block in papers.blocks.items() if title.startswith("Decide ")]
    return [dict(zip(headings, cells, strict=True)) for headings, *rows in tables for cells in rows]


def check_decisions(papers: Papers) -> None:
    decisions = {row["number"]: row for row in papers.document["next_decisions"] if row["state"] == "open"}
    assert decisions
    page = load_workbook(papers.folder / "plan.xlsx", data_only=True)["Decisions"]
    rows = [row for row in page.iter_rows(values_only=True) if re.fullmatch(r"D\d+", str(row[0]))]
    in_plan = {number: row for number, row in decisions.items() if row["in_plan"]}
    assert in_plan.keys() <= {row[0] for row in rows} <= decisions.keys()
    for number, _, _, _, orders, saves, *_ in rows:
        assert orders == (", ".join(decisions[number]["orders"]) or "—")
        assert saves == pytest.approx(decisions[number]["usd_12_months"])

    shown = {row["No."]: row for row in decided_in(papers)}
    assert set(shown) == {number for number, row in decisions.items() if row["kind"] != "saving"}
    assert {number: row["Orders"] for number, row in shown.items()} == {
        number: ", ".join(decisions[number]["orders"]) for number in shown
    }
    contracts = [event for event in papers.events if event.startswith("D")]
    by_id = {row["id"].removeprefix("contract:"): number for number, row in decisions.items()}
    for event in contracts:
        number = re.split(r"[:,]", event)[0]
        assert any(by_id[name] == number for name in by_id if name in event)

    headings, *judged = papers.blocks["Existing contracts"]
    name_at, words_at = headings.index("Contract"), headings.index("Decision")
    words = {row[name_at]: row[words_at] for row in judged}
    for row in papers.contracts:
        name = row["Contract"]
        if name in by_id and name in words:
            assert row["Advice"] == words[name]
            assert words[name].startswith(by_id[name])


def check_first_page(papers: Papers) -> None:
    """Page 1 of the brief and the workbook's sheet Decisions say the same."""
    sheet = load_workbook(papers.folder / "plan.xlsx", data_only=True)["Decisions"]
    texts = {str(cell) for row in sheet.iter_rows(values_only=True) for cell in row if cell is not None}
    first = plan_brief(papers.evaluation, papers.at_s, "1").pages[0]
    assert str(first.title) in texts
    assert {title for title in papers.blocks if title.startswith("Decide ")} <= texts
    warnings = {str(text) for block in first.rows[0] for text in getattr(block, "sentences", ())}
    assert warnings <= texts
    book = {
        str(row[0]): row for row in sheet.iter_rows(values_only=True) if re.fullmatch(r"D\d+", str(row[0]))
    }
    brief = {row["No."]: row for row in decided_in(papers)}
    assert set(book) == set(brief)
    for number, row in brief.items():
        title, *said = [str(cell or "").replace("\u2014", "") for cell in book[number][2:5]]
        assert title.startswith(row["What to do"].partition(",")[0]), "the book has days where there is room"
        assert said == [row["Provider"], row["Orders"]]
        usd = [round(cell) if isinstance(cell, int | float) else cell for cell in book[number][6:8]]
        assert [f"{amount:,}" for amount in usd] == [row["Commits now, $"], row["Commits later, $"]]


def check_award(papers: Papers) -> None:
    award = decide(papers.evaluation, papers.at_s, lambda _: UNKNOWN_MARKET)
    assert award is not None
    rows = award_document(award)["rows"]
    assert rows
    models = {order["number"]: order["offer_gpu_model"] for order in papers.document["orders"]}
    for row in rows:
        assert models[row["row"]] == row["gpu_model"]


CHECKS = (check_orders, check_request, check_decisions, check_first_page, check_award)


@pytest.mark.parametrize("check", CHECKS)
def test_one_list_in_every_paper(check: Callable[[Papers], None], small: Papers) -> None:
    check(small)


@pytest.fixture(scope="module")
def demo(golden_world: Evaluation, tmp_path_factory: pytest.TempPathFactory) -> Papers:
    return export(golden_world, tmp_path_factory.mktemp("papers"), days_late=1)


@pytest.mark.long
@pytest.mark.parametrize("check", CHECKS)
def test_one_list_in_every_paper_of_the_demo(check: Callable[[Papers], None], demo: Papers) -> None:
    check(demo)


@pytest.mark.long
def test_the_first_page_lists_the_sum_that_it_asks_for(demo: Papers) -> None:
    commits = [int(row["Commits now, $"].replace(",", "") or 0) for row in decided_in(demo)]
    first = plan_brief(demo.evaluation, demo.at_s, "1").pages[0]
    asked = {figure.key: figure.amount for figure in first.figures}
    assert sum(commits) == round(asked["liability_now"] if "liability_now" in asked else asked["to_approve"])
    assert sum(usd > 0 for usd in commits) > 1
    ends = [event for event in demo.events if re.match(r"D\d+, overdue: end", event)]
    assert ends and f" by {day_words(demo.at_s)}" in str(first.title)


def day_words(at_s: int) -> str:
    at = datetime.fromtimestamp(at_s, UTC)
    return f"{at.day} {at:%b %Y}"
