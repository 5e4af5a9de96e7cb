"""Reconciliation: a table of contracts against the figures that it states itself."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gpuplanner.domain.model.intake import FileIntake, StatedFigure
from gpuplanner.files.importing.import_tables import ContractsRead, import_contracts, import_prices
from gpuplanner.files.importing.reconciliation import agreement_words, figure_named

Read = Callable[..., ContractsRead]

HEADINGS = "PO #,Supplier,Description,{count},Start,End,{rate},Monthly charge"
ROWS = (
    "P1,Coreforge,HGX H100 SXM5 80GB reserved 4 nodes,32,2025-03-01,2027-02-28,$2.49,58166.4",
    "P2,Coreforge,HGX H100 +2 nodes,16,2025-09-01,2027-02-28,$2.35,27448",
    ",Subtotal Coreforge,,48,,,,85614.4",
    "P3,Halden,A100 SXM4 80GB 6 x 8-GPU nodes,48,2024-01-15,2027-01-14,$1.39,48705.6",
    "TOTAL,,,96,,,,134320",
)


@pytest.fixture
def read(tmp_path: Path) -> Read:
    def read_text(text: str, mapping: str | None = None) -> ContractsRead:
        path = tmp_path / "sheet.csv"
        path.write_text(text, encoding="utf-8")
        return import_contracts([str(path)], None if mapping is None else {str(path): mapping})

    return read_text


def sheet(*rows: str, count: str = "Qty", rate: str = "Rate ($/GPU-hr)") -> str:
    """Rows of orders below their headings."""
    return "\n".join((HEADINGS.format(count=count, rate=rate), *rows)) + "\n"


def judged(file: FileIntake) -> list[tuple[str, str, float, float, bool]]:
    """What is stated and read, cents rounded."""
    return [
        (one.quantity, one.subject, one.stated, round(one.read, 2), one.agrees) for one in file.reconciliation
    ]


def warning(file: FileIntake) -> str:
    """What is said of totals that disagree; empty where they agree."""
    return next((str(issue.message) for issue in file.issues if issue.code == "totals_disagree"), "")


PLAIN = (
    "Contract,Vendor,GPU,GPUs,Start,End,$ per GPU-hour,Monthly charge",
    "A1,X,H100,32,2025-03-01,2027-03-01,2.49,58166.4",
    "A2,X,H100,16,2025-09-01,2027-03-01,2.35,27448",
    ",Subtotal X,,48,,,,85614.4",
    "A3,Y,A100,8,2025-09-01,2027-03-01,1.00,5840",
    "TOTAL,,,56,,,,91454.4",
)


def test_totals_subtotals_and_charges_agree(read: Read) -> None:
    (file,) = read("\n".join(PLAIN)).intake
    assert judged(file) == [
        ("gpus", "file", 56, 56, True),
        ("usd_per_month", "file", 91454.4, 91454.4, True),
        ("usd_per_month", "row 2", 58166.4, 58166.4, True),
        ("usd_per_month", "row 3", 27448, 27448, True),
        ("gpus", "group", 48, 48, True),
        ("usd_per_month", "group", 85614.4, 85614.4, True),
        ("usd_per_month", "row 5", 5840, 5840, True),
    ]
    assert str(agreement_words(file.reconciliation)) == "agrees with its total, 56 GPUs, $91,454 per month"
    assert [issue.code for issue in file.issues] == [
        "not_a_row"
    ]  # the charges are no column that is not read
    assert (file.rows_accepted, file.rows_ignored) == (3, 2)


@pytest.mark.parametrize(
    ("old", "new", "subject"),
    [
        ("TOTAL,,,56", "TOTAL,,,57", "file"),
        ("TOTAL,,,56,,,,91454.4", "TOTAL,,,56,,,,92454.4", "file"),
        ("Subtotal X,,48", "Subtotal X,,47", "group"),
        ("1.00,5840", "1.00,6840", "row 5"),
    ],
)
def test_whatever_is_off_is_named(read: Read, old: str, new: str, subject: str) -> None:
    (file,) = read("\n".join(PLAIN).replace(old, new)).intake
    assert [one.subject for one in file.reconciliation if not one.agrees] == [subject]
    assert "stated" in warning(file) and not agreement_words(file.reconciliation)
    assert not file.alternatives  # no other reading explains a slip


@pytest.mark.parametrize("label", ["X Total", "Grand total", "Summe", "Total général", ""])
def test_a_sum_is_known_by_its_name_or_by_having_numbers_alone(read: Read, label: str) -> None:
    rows = (*PLAIN[:3], f"{label},,,48,,,,85614.4")
    (file,) = read("\n".join(rows)).intake
    assert judged(file)[:2] == [
        ("gpus", "file", 48, 48, True),
        ("usd_per_month", "file", 85614.4, 85614.4, True),
    ]
    assert (file.rows_accepted, file.rows_rejected, file.rows_ignored) == (2, 0, 1)


def test_an_average_is_no_sum(read: Read) -> None:
    assert (
        not read("\n".join((PLAIN[0], PLAIN[1].rpartition(",")[0] + ",", "Average,,,24,,,,")) + "\n")
        .intake[0]
        .reconciliation
    )


def test_a_provider_may_be_called_total(read: Read) -> None:
    (file,) = read(
        "\n".join((PLAIN[0], PLAIN[1].replace("A1,X", "Total Cloud,X"), "TOTAL,,,32,,,,58166.4"))
    ).intake
    assert file.rows_accepted == 1 and all(one.agrees for one in file.reconciliation)


def test_a_cell_says_itself_what_it_is_for(read: Read) -> None:
    heads = PLAIN[0].replace("Monthly charge", "TCV")
    (file,) = read("\n".join((heads, PLAIN[1].replace("58166.4", '"$697,997 p.a."')))).intake
    assert judged(file) == [("usd_per_year", "row 2", 697997, 697996.8, True)]


@pytest.mark.parametrize(("of_h100", "agrees"), [(48, True), (47, False)])
def test_a_sum_with_a_name_is_of_the_rows_that_have_its_words(read: Read, of_h100: int, agrees: bool) -> None:
    """Sums by model at the end of a table."""
    rows = (PLAIN[0], PLAIN[1], PLAIN[2], PLAIN[4], f"H100 total,,,{of_h100},,,,", "Total A100,,,8,,,,")
    (file,) = read("\n".join(rows) + "\n").intake
    assert [row[-1] for row in judged(file) if row[0] == "gpus"] == [agrees, True]
    assert bool(warning(file)) is not agrees


def test_a_total_may_count_what_was_left_out(read: Read) -> None:
    storage = "A4,Y,Storage 100 TB,100,2025-09-01,2027-03-01,,1000"
    heads = PLAIN[0].replace("GPU,GPUs", "Item,Qty")
    (file,) = read("\n".join((heads, *PLAIN[1:5], storage, "TOTAL,,,156,,,,92454.4"))).intake
    assert file.rows_ignored == 3 and ("gpus", "file", 156, 156, True) in judged(file)
    assert ("usd_per_month", "file", 92454.4, 92454.4, True) in judged(file)


# ---------------------------------------------------------------- readings that would agree


@pytest.mark.parametrize(
    ("heads", "row", "part", "gpus", "rate"),
    [
        ("GPUs,Price,MRC", "32,1817.7,58166", "Price:gpu_month", 32, 2.49),
        ("GPUs,Rate per GPU-hour,Annual cost", "32,19.92,697997", "per node-hour", 32, 2.49),
        ("Qty,$ per GPU-hour,Monatskosten", "4,2.49,58166", "nodes=Qty", 32, 2.49),
    ],
)
def test_the_reading_that_agrees_is_offered_and_works(
    read: Read, heads: str, row: str, part: str, gpus: float, rate: float
) -> None:
    text = f"Order,Vendor,GPU model,Start,End,{heads}\n1,X,H100,2025-01-01,2026-01-01,{row}\n"
    (file,) = read(text).intake
    best = file.alternatives[0]
    assert part in best.mapping and part in warning(file) and all(one.agrees for one in best.reconciliation)
    again = read(text, best.mapping)
    (contract,) = again.contracts
    assert (contract.gpus, contract.rate) == (gpus, pytest.approx(rate, abs=0.001))
    assert again.intake[0].reconciliation == best.reconciliation and not warning(again.intake[0])


def test_a_count_can_be_said_to_be_of_gpus(read: Read) -> None:
    text = sheet(*ROWS, count="Qty")
    read_again = read(text, "+gpus=Qty:gpu")
    assert sum(one.gpus for one in read_again.contracts) == 96 and not warning(read_again.intake[0])
    assert "P1" in {one.contract_id for one in read_again.contracts}


# ---------------------------------------------------------------- titles, other languages, other hours


def test_titles_and_remarks_are_compared(read: Read) -> None:
    title = "GPU register: 56 GPUs; 3 contracts\nTotal monthly charge: $91.5k\n"
    (file,) = read(title + "\n".join(PLAIN[:3] + PLAIN[4:5])).intake
    assert judged(file)[:3] == [
        ("gpus", "file", 56, 56, True),
        ("rows", "file", 3, 3, True),
        ("usd_per_month", "file", 91500, 91454.4, True),
    ]
    (other,) = read(title.replace("56", "64") + "\n".join(PLAIN[:3] + PLAIN[4:5])).intake
    assert "64 GPUs stated, 56 GPUs read" in warning(other)


@pytest.mark.parametrize(
    "text",
    [
        "Nodes of 8 GPUs; minimum order 16 GPUs; storage $2,000 per month",
        "Setup fee $12,000; rates from $2.10 per GPU-hour; up to 512 GPUs",
        "Budget $300,000 per month; 24 months; invoice 2026-118",
    ],
)
def test_what_is_no_sum_of_the_rows_is_not_compared(read: Read, text: str) -> None:
    (file,) = read(f'"{text}"\n' + "\n".join(PLAIN) + f'\n"{text}"\n').intake
    assert not warning(file)


@pytest.mark.parametrize(
    ("heading", "what"),
    [
        ("MRC", "usd_per_month"),
        ("Monthly", "usd_per_month"),
        ("Coût mensuel (EUR)", "usd_per_month"),
        ("Jahresbetrag", "usd_per_year"),
        ("ACV", "usd_per_year"),
        ("Total contract value", "usd_total"),
        ("Committed GPU-hours", "gpu_hours"),
        ("Year 2 rate", ""),
        ("Monthly budget", ""),
        ("Notice (months)", ""),
        ("Monthly cost per GPU", ""),
        ("GPU model", ""),
    ],
)
def test_headings_of_sums(heading: str, what: str) -> None:
    assert figure_named(heading) == what


@pytest.mark.parametrize(("hours", "agrees"), [(720, True), (744, True), (672, True), (500, False)])
def test_money_is_for_one_length_of_a_month(read: Read, hours: int, agrees: bool) -> None:
    heading = "Contract,Vendor,GPU,GPUs,Start,End,$ per GPU-hour,Monthly charge\n"
    rows = [f"A{at},X,H100,{at},2025-01-01,2026-01-01,2,{2 * at * hours}" for at in (1, 2)]
    (file,) = read(heading + "\n".join(rows)).intake
    assert all(one.agrees for one in file.reconciliation) == agrees
    assert not agrees or {one.hours for one in file.reconciliation} == {hours}


def test_the_hours_of_a_month_are_named(read: Read) -> None:
    row = PLAIN[1].replace("58166.4", "57369.6")
    (file,) = read("\n".join((PLAIN[0], row, "TOTAL,,,32,,,,57369.6"))).intake
    assert "32 GPUs, $57,370 per month of 720 hours" in str(agreement_words(file.reconciliation))


def test_an_amount_in_another_currency_than_the_rate_is_not_compared(read: Read) -> None:
    text = "\n".join((PLAIN[0].replace("charge", "charge (EUR)"), PLAIN[1]))
    assert not read(text).intake[0].reconciliation


def test_amounts_of_another_currency_are_compared_in_it(read: Read) -> None:
    text = "Vertrag;Anbieter;GPU Typ;Anzahl;Beginn;Ende;EUR/GPU/h;Monatskosten (EUR)\n"
    (file,) = read(
        text + "A;X;H100;64;01.01.2026;01.01.2027;2,50;116.800,00\nSumme;;;64;;;;116.800,00\n"
    ).intake
    assert not warning(file)
    money = [one for one in file.reconciliation if one.quantity == "usd_per_month"]
    assert {one.currency for one in money} == {"EUR"}


@pytest.mark.parametrize(
    ("heading", "stated"),
    [
        ("Recurring charge", 58166),
        ("Billing amount", 697997),
        ("Net monthly", 58166),
        ("Invoiced per month", 58166),
        ("Per month", 58166),
        ("Total contract", 1395994),
        ("Cost/yr", 697997),
        ("FY26 cost", 697997),
        ("Rechnungsbetrag", 58166),
        ("Annualized spend", 697997),
        ("Run-rate", 58166),
        ("Amount due", 58166),
        ("Monatliche Rate", 58166),
    ],
)
def test_sums_in_other_words_are_compared(read: Read, heading: str, stated: int) -> None:
    heads = PLAIN[0].replace("Monthly charge", heading)
    for cell, agrees in ((stated, True), (99999, False)):
        row = PLAIN[1].replace("58166.4", str(cell))
        (file,) = read(f"{heads}\n{row}\n").intake
        assert [one.agrees for one in file.reconciliation] == [agrees] and bool(warning(file)) is not agrees


@pytest.mark.parametrize("text", ["Total GPUs: 40", "Total: 40 GPUs", "Gesamt GPUs: 40"])
def test_a_count_in_one_cell_is_compared(read: Read, text: str) -> None:
    for sheet_text in (f"{text}\n{PLAIN[0]}\n{PLAIN[1]}\n", f"{PLAIN[0]}\n{PLAIN[1]}\n{text},,,,,,,\n"):
        assert "40 GPUs stated, 32 GPUs read" in warning(read(sheet_text).intake[0])
        assert not warning(read(sheet_text.replace("40", "32")).intake[0])


@pytest.mark.parametrize("title", ["--- {} ({} GPUs) ---", "{}: {} GPUs", "{} - {} GPUs"])
def test_a_title_of_a_group_is_of_the_rows_below(read: Read, title: str) -> None:
    for of_x, of_y in ((48, 8), (48, 9)):
        heads = [f"{title.format(*group)},,,,,,," for group in (("X", of_x), ("Y", of_y))]
        (file,) = read("\n".join((PLAIN[0], heads[0], *PLAIN[1:3], heads[1], PLAIN[4])) + "\n").intake
        groups = [row for row in judged(file) if row[1] == "group"]
        assert groups == [("gpus", "group", 48, 48, True), ("gpus", "group", of_y, 8, of_y == 8)]


@pytest.mark.parametrize(
    "label",
    [
        "Prior year total",
        "Total last year",
        "Budget total",
        "Total forecast",
        "Summe Vorjahr",
        "Total active",
        "Total FY25",
        "Total année précédente",
    ],
)
def test_a_sum_of_something_else_is_not_taken_for_the_files(read: Read, label: str) -> None:
    (file,) = read("\n".join((*PLAIN, f"{label},,,24,,,,40000"))).intake
    assert not warning(file) and len([row for row in judged(file) if row[1] == "file"]) == 2


@pytest.mark.parametrize(("above", "last"), [("", "Total FY26,,,57,,,,"), ("Contracts 2026: 57 GPUs\n", "")])
def test_a_year_in_the_only_sum_makes_it_none_of_another(read: Read, above: str, last: str) -> None:
    rows = (*PLAIN[:3], PLAIN[4])
    assert "57 GPUs stated" in warning(read(above + "\n".join((*rows, last)) + "\n").intake[0])


# ---------------------------------------------------------------- laws

COLUMNS = {
    "en": ("Contract", "Vendor", "GPU", "GPUs", "Start", "End", "$ per GPU-hour", "Monthly charge", "Total"),
    "de": (
        "Vertrag",
        "Anbieter",
        "GPU Typ",
        "Anzahl GPUs",
        "Beginn",
        "Ende",
        "$/GPU/h",
        "Monatskosten",
        "Summe",
    ),
    "fr": (
        "Contrat",
        "Fournisseur",
        "GPU",
        "Nombre de GPU",
        "Début",
        "Fin",
        "$/GPU/h",
        "Coût mensuel",
        "Total",
    ),
}
ORDERS = st.lists(st.tuples(st.integers(1, 64), st.integers(10, 999)), min_size=1, max_size=4)
"""GPUs, and cents of a GPU-hour."""
SMALL = st.lists(st.tuples(st.just(1), st.integers(5, 13)), min_size=1, max_size=2)
"""So few that a dollar per month is more than half a percent."""


def table(
    orders: Sequence[tuple[int, int]], language: str, order: Sequence[int], gpus: int = 0, usd: int = 0
) -> str:
    """A sheet with a total row, which is off by so many GPUs and dollars."""
    *names, total = COLUMNS[language]
    rows = [
        (
            f"K{at}",
            f"V{at}",
            "L4",
            str(count),
            "2026-01-01",
            "2027-01-01",
            f"{cents / 100:.2f}",
            f"{count * cents * 7.3:.2f}",
        )
        for at, (count, cents) in enumerate(orders)
    ]
    month = sum(count * cents * 7.3 for count, cents in orders) + usd
    last = (total, "", "", str(sum(count for count, _ in orders) + gpus), "", "", "", f"{month:.2f}")
    at_first = [0, *(at for at in order if at)]  # a label stands at the left
    return "\n".join(",".join(row[at] for at in at_first) for row in (names, *rows, last)) + "\n"


def read_figures(tmp_path: Path, text: str) -> tuple[StatedFigure, ...]:
    """What a sheet states against what is read of it."""
    path = tmp_path / "sheet.csv"
    path.write_text(text, encoding="utf-8")
    return import_contracts([str(path)]).intake[0].reconciliation


FEW = settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


@FEW
@given(orders=ORDERS, language=st.sampled_from([*COLUMNS]), order=st.permutations(range(8)))
def test_consistent_totals_agree_in_any_order_and_language(
    tmp_path: Path, orders: list[tuple[int, int]], language: str, order: list[int]
) -> None:
    figures = read_figures(tmp_path, table(orders, language, order))
    assert len(figures) == len(orders) + 2 and all(one.agrees for one in figures)


@FEW
@given(orders=SMALL, off=st.sampled_from([(1, 0), (-1, 0), (0, 1)]))
def test_one_gpu_or_one_dollar_is_told(
    tmp_path: Path, orders: list[tuple[int, int]], off: tuple[int, int]
) -> None:
    figures = read_figures(tmp_path, table(orders, "en", range(8), *off))
    assert [one.quantity for one in figures if not one.agrees] == ["gpus" if off[0] else "usd_per_month"]


@pytest.mark.parametrize(("monthly", "agrees"), [("77088", True), ("77100", True), ("80000", False)])
def test_a_quote_is_compared_with_its_own_amounts(tmp_path: Path, monthly: str, *, agrees: bool) -> None:
    path = tmp_path / "quote.csv"
    path.write_text(
        "Provider,Description,Nodes,GPUs per node,Term (months),Price per GPU-hour (USD),Monthly (USD)\n"
        f"NorthPeak,HGX H100 80GB node,6,8,12,2.20,{monthly}\n"
        "NorthPeak,H100 on demand,6,8,On demand,2.95,103368\n"
    )
    (file,) = import_prices([str(path)]).intake
    assert [(one.quantity, one.agrees) for one in file.reconciliation] == [
        ("usd_per_month", agrees),
        ("usd_per_month", True),
    ]
    codes = {issue.code for issue in file.issues}
    assert ("totals_disagree" in codes, "unknown_column" in codes) == (not agrees, False)


LISTS = {
    "Provider,GPU Model,GPUs,Hourly,Monthly": ("CoreWeave,H100,1,2.49,1817.70", "CoreWeave,L40S,1,1.10,803"),
    "Provider,GPU,GPUs per node,Price per hour,Price per month": (
        "Lambda,H100,8,23.92,17461.60",
        "Lambda,A100,8,14.32,10454",
    ),
    "Provider,Instance,Hourly USD,Monthly cost (USD)": (
        "AWS,p5.48xlarge,98.32,71773.60",
        "AWS,g6e.xlarge,1.861,1359",
    ),
    "Anbieter,GPU,GPUs,Preis pro Stunde,Preis pro Monat": ("X,H100,1,2.50,1800", "X,A100,1,1.50,1080"),
}


@pytest.mark.parametrize("head", LISTS)
def test_the_months_of_a_price_list_are_compared_with_its_hours(tmp_path: Path, head: str) -> None:
    path = tmp_path / "list.csv"
    first, second = LISTS[head]
    path.write_text("\n".join((head, first, second)) + "\n")
    (file,) = import_prices([str(path)]).intake
    assert [(one.subject, one.agrees) for one in file.reconciliation] == [("row 2", True), ("row 3", True)]
    path.write_text("\n".join((head, first, f"{second}9", f"Y{second}")) + "\n")
    (file,) = import_prices([str(path)]).intake
    assert [one.subject for one in file.reconciliation if not one.agrees] == ["row 3"]


def test_another_price_by_the_month_is_compared_with_nothing(tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    path.write_text("Provider,GPU,Hourly,Monthly\nX,H100,2.50,1400\nX,A100,1.50,900\n")
    (file,) = import_prices([str(path)]).intake
    assert not file.reconciliation and "totals_disagree" not in {issue.code for issue in file.issues}


def test_what_is_quoted_by_use_is_compared_with_nothing(tmp_path: Path) -> None:
    path = tmp_path / "quote.csv"
    head = "Line,Description,Nodes,GPUs per node,Term (months),Price per GPU-hour (USD),Monthly (USD)"
    rows = ("10,HGX H100 80GB node,6,8,12,$2.20,77088", "20,H100 on demand,6,8,On demand,$2.95,103368")
    path.write_text("\n".join(("NorthPeak Inc.", "Quotation Q-1,Date: 2026-11-20", head, *rows)) + "\n")
    (file,) = import_prices([str(path)]).intake
    assert [(figure.subject, figure.agrees) for figure in file.reconciliation] == [("row 4", True)]


QUOTE = """NorthPeak Compute Inc
Quote Q-2026-88,Date: 2026-11-02,Valid until 2026-12-31
Item,Qty,Unit price,Term,Monthly total
H100 SXM,8,16.80,36 months,98112
H200 SXM,4,20.80,12 months,60736
,,,,158848
"""


def test_a_quote_that_disagrees_with_its_total_asks_which_reading_agrees(tmp_path: Path) -> None:
    path = tmp_path / "quote.csv"
    path.write_text(QUOTE)
    (file,) = import_prices([str(path)]).intake
    assert "\u201cQty\u201d counts nodes" in str(file.alternatives[0].words)
    assert "158,848 per month stated" in warning(file)
    again = import_prices([str(path)], {str(path): file.alternatives[0].mapping})
    assert all(one.agrees for one in again.intake[0].reconciliation)
    assert [float(offer.rate_usd_per_gpu_hour or 0) for offer in again.offers] == [2.1, 2.6]
