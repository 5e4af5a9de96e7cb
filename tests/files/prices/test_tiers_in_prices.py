"""Price lists as scrapers write them: the tier in a column or a heading, readings by day, statistics, explanations."""

from decimal import Decimal
from pathlib import Path

import pytest

from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.remark import undecided, waits
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.files.importing.check import check_file
from gpuplanner.files.importing.import_tables import PricesRead, import_prices
from gpuplanner.files.tables.column_mapping import DIFFERS

Figures = set[tuple[str, int, float]]
"""The name of an offer, its term in months, its rate."""


def _read(folder: Path, text: str, words: str | None = None) -> PricesRead:
    path = folder / "list.csv"
    path.write_text(text)
    return import_prices([str(path)], {str(path): DIFFERS + words} if words else None)


@pytest.mark.parametrize(
    ("text", "figures"),
    [
        (
            "provider,gpu,tier,price_per_hour\nR,H100,community,1.99\nR,H100,secure,2.89\nR,H100,spot,1.25\n",
            {("R H100, community", 0, 1.99), ("R H100, secure", 0, 2.89), ("R H100, spot", 0, 1.25)},
        ),
        (
            "provider,gpu_model,price_tier,usd_per_gpu_hour\nA,H100,on_demand,6.88\nA,H100,36mo,2.97\nA,H100,1yr,4.8\n",
            {("A H100", 0, 6.88), ("A H100, 36 months", 36, 2.97), ("A H100, 12 months", 12, 4.8)},
        ),
        (
            "provider,gpu,commitment,usd_per_gpu_hour\nA,H100,none,6.88\nA,H100,3yr,2.97\n",
            {("A H100", 0, 6.88), ("A H100, 36 months", 36, 2.97)},
        ),
        (
            "provider,gpu,market,host,price\nV,H100,spot,secure,2\nV,H100,spot,community,1\nV,H100,on-demand,secure,4\n",
            {
                ("V H100, secure, spot", 0, 2.0),
                ("V H100, community, spot", 0, 1.0),
                ("V H100, secure", 0, 4.0),
            },
        ),
        (
            "gpu,aws_ec2_on_demand,aws_ec2_36mo,azure_spot,acme_1yr\nH100,6.88,2.97,2.1,3.3\n",
            {
                ("AWS H100, on demand", 0, 6.88),
                ("AWS H100, 36 months", 36, 2.97),
                ("Azure H100, spot", 0, 2.1),
                ("acme H100, 12 months", 12, 3.3),
            },
        ),
        (
            "provider,gpu,price\nname of the seller,name of the GPU,dollars an hour\nA,H100,2.5\n",
            {("A H100", 0, 2.5)},
        ),
        (
            "provider,gpu,commitment_years,rate\nA,H100,0,3.2\nA,H100,3,1.9\n",
            {("A H100", 0, 3.2), ("A H100, 36 months", 36, 1.9)},
        ),
        (
            "Anbieter;GPU;$/GPU-h;Laufzeit\nA;H100;3,25;12 Monate\nA;L40S;1,45;keine\n",
            {("A H100, 12 months", 12, 3.25), ("A L40S", 0, 1.45)},
        ),
        (
            "provider,gpu,duration_days,rate\nA,H100,365,2.4\nA,H100,7,3\n",
            {("A H100, 365 days", 12, 2.4), ("A H100, 7 days", 1, 3.0)},
        ),
        (
            "provider,gpu,usage_type,rate\nA,H100,OnDemand,3\nA,H100,Commit1Yr,2\n",
            {("A H100", 0, 3.0), ("A H100, 12 months", 12, 2.0)},
        ),
        (
            "instance,gpu,gpu count,On-Demand,1yr RI No Upfront\np5.48xlarge,H100 8-GPU node,8,48,32\n",
            {("p5.48xlarge 8 x H100, on demand", 0, 6.0), ("p5.48xlarge 8 x H100, 12 months", 12, 4.0)},
        ),
        (
            "provider,gpu,list price ($/GPU-hr),net price ($/GPU-hr),commitment\nA,H100,6,5,\nA,H200,8,4,3 years\n",
            {("A H100", 0, 5.0), ("A H200, on demand", 0, 8.0), ("A H200, 36 months", 36, 4.0)},
        ),
        (
            "Daily prices,,\ndate,RTX4090_median,H100_median\n2026-11-01,0.3,2.4\n2026-11-02,0.35,2.5\n",
            {("RTX 4090, on demand", 0, 0.35), ("H100, on demand", 0, 2.5)},
        ),
        (
            "armSkuName,type,reservationTerm,unitPrice,unitOfMeasure\n"
            "Standard_ND96isr_H100_v5,Reservation,1 Year,420480,1 Hour\n",
            {("Azure Standard_ND96isr_H100_v5 8 x H100, 12 months", 12, 6.0)},
        ),
    ],
    ids=[
        "community",
        "price_tier",
        "commitment",
        "two columns",
        "headings",
        "an explanation",
        "years of a number",
        "none, in German",
        "days",
        "run together",
        "no upfront",
        "list and net",
        "a daily list",
        "Azure as a table",
    ],
)
def test_what_a_list_says_of_the_way_to_pay(tmp_path: Path, text: str, figures: Figures) -> None:
    assert {(o.offer_id, o.term_months, o.rate) for o in _read(tmp_path, text).offers} == figures


ALIKE = "provider,gpu,price,contract\nA,H100,6.88,pay as you go\nA,H100,2.97,three years\nB,H100,2.5,x\n"


def test_rows_that_an_unread_column_tells_apart_are_refused_with_the_map(tmp_path: Path) -> None:
    (fault,) = _read(tmp_path, ALIKE).refused
    assert fault.code == "missing_column"
    assert "--map pricing_category=contract" in str(fault)
    assert "--map variant=contract" in str(fault)
    names = {offer.offer_id: offer.rate for offer in _read(tmp_path, ALIKE, "variant=contract").offers}
    assert names == {"A H100, pay as you go": 6.88, "A H100, three years": 2.97, "B H100, x": 2.5}


def test_one_column_is_the_way_to_pay_and_a_part_of_the_offer(tmp_path: Path) -> None:
    rows = ["H100,A|us|spot,2,x,,", "H100,A|us|12m,3,x,,", "H100,A|us,4,x,,"]
    text = "gpu_model,series,usd_per_gpu_hour,source,notes,region\n" + "\n".join(rows) + "\n"
    (fault,) = _read(tmp_path, text).refused
    assert "--map pricing_category=series,variant=series" in str(fault)
    offers = _read(tmp_path, text, "pricing_category=series,variant=series").offers
    assert {(o.offer_id, str(o.pricing_category), o.term_months, o.rate) for o in offers} == {
        ("H100, A|us|spot, spot", "DYNAMIC", 0, 2.0),
        ("H100, A|us|12m, 12 months", "COMMITTED", 12, 3.0),
        ("H100, A|us", "STANDARD", 0, 4.0),
    }


def test_numbers_tell_no_rows_apart(tmp_path: Path) -> None:
    read = _read(tmp_path, "provider,gpu,price,vcpus\nA,H100,2.5,8\nA,H100,2.9,16\n")
    assert not read.refused
    assert sorted(offer.rate or 0 for offer in read.offers) == [2.5, 2.9]


@pytest.mark.parametrize("heading", ["timestamp", "observed_at", "fetched_at_utc", "collected_at"])
def test_the_newest_reading_counts_with_its_day(tmp_path: Path, heading: str) -> None:
    rows = [
        "2026-05-01T06:00:00Z,A,H100,2.1",
        "2026-05-02T06:00:00Z,A,H100,2.2",
        "2026-05-02T18:00:00Z,A,H100,2.3",
    ]
    read = _read(tmp_path, f"{heading},provider,gpu,price\n" + "\n".join(rows) + "\n")
    assert [(o.offer_id, o.rate, o.as_of) for o in read.offers] == [("A H100", 2.3, "2026-05-02")]
    assert [(o.rate, o.as_of) for o in read.earlier_offers] == [(2.1, "2026-05-01")]


@pytest.mark.parametrize(
    ("header", "cells", "figures"),
    [
        ("min,p25,median,p75,max,avg", "1.5,1.8,2,2.4,4,2.1", (2.0, 1.5, 4.0)),
        ("p25,p75,avg", "1.8,2.4,2.1", (2.1, 1.8, 2.4)),
        ("price,min_price,max_price", "2.2,1,3", (2.2, 1.0, 3.0)),
    ],
)
def test_statistics_are_a_rate_and_its_range(
    tmp_path: Path, header: str, cells: str, figures: tuple[float, float, float]
) -> None:
    (offer,) = _read(tmp_path, f"gpu_model,provider,{header}\nH100,Vast,{cells}\n").offers
    assert (offer.rate, offer.low, offer.high) == figures
    assert offer.gpu_model == "H100"  # P25 is none


@pytest.mark.parametrize(
    ("stated", "rates", "is_said"),
    [(("0.9", "0.9", "0.9"), {0.9}, False), (("0.9", "1.7", "3.2"), {None}, True)],
    ids=["of one GPU", "grows with the row's GPUs"],
)
def test_a_stated_price_of_one_gpu_counts_where_the_machine_has_none(
    tmp_path: Path, stated: tuple[str, ...], rates: set[float | None], is_said: bool
) -> None:
    rows = [f"A,RTX 3080Ti,{gpus},,{price}" for gpus, price in zip((1, 2, 4), stated, strict=True)]
    text = "provider,gpu,gpus,On-demand,Per-GPU\nB,H100,8,16,2\nB,H100,1,2,2\n" + "\n".join(rows) + "\n"
    read = _read(tmp_path, text)
    assert {offer.rate for offer in read.offers if offer.provider == "A"} == rates
    assert ("undecided" in {issue.code for issue in read.intake[0].issues}) is is_said


def test_terms_of_days_and_weeks_are_commitments_of_days(tmp_path: Path) -> None:
    rows = ["A,H100,on demand,3.6", "A,H100,1 week,2.6", "A,H100,14 days,2.7", "A,H100,12 months,2.1"]
    read = _read(tmp_path, "provider,gpu,term,price\n" + "\n".join(rows) + "\n")
    assert not read.refused
    assert {(str(o.pricing_category), o.term_months, o.term_days, o.rate) for o in read.offers} == {
        ("STANDARD", 0, None, 3.6),
        ("COMMITTED", 1, 7, 2.6),
        ("COMMITTED", 1, 14, 2.7),
        ("COMMITTED", 12, None, 2.1),
    }


def test_a_newest_reading_without_a_price_asks_for_one_and_the_older_is_kept(tmp_path: Path) -> None:
    rows = "A,H100,2026-11-01,3.0\nA,H100,2026-11-02,\n"
    (offer,) = _read(tmp_path, "provider,gpu_model,as_of,on_demand_price\n" + rows).offers
    assert (offer.rate, offer.as_of) == (None, "2026-11-02")


@pytest.mark.parametrize("step", [1, -1])
def test_a_reading_without_a_price_lets_no_older_one_count(tmp_path: Path, step: int) -> None:
    rows = ["A,H100,2025-09-01 00:00:00,3.0", "A,H100,2025-09-02 00:00:00,", "A,H100,2026-01-27 00:00:00,2.0"]
    text = "\n".join(["provider,gpu_model,timestamp,price_usd", *rows[::step], ""])
    (offer,) = _read(tmp_path, text).offers
    assert (offer.rate, offer.as_of) == (2.0, "2026-01-27")


def test_the_price_of_before_is_not_that_of_now(tmp_path: Path) -> None:
    text = "date,provider,gpu_type,previous_price_usd,new_price_usd\n2026-06-19,A,L40S,0.86,0.99\n"
    assert [offer.rate for offer in _read(tmp_path, text).offers] == [0.99]


def test_rows_told_apart_by_a_day_that_is_not_read_are_refused_with_the_map(tmp_path: Path) -> None:
    text = "week_of,provider,gpu,usd_per_gpu_hour\n2026-11-02,V,H100,1.9\n2026-11-09,V,H100,1.85\n"
    refused = _read(tmp_path, text)
    assert not refused.offers
    assert "--map as_of=week_of" in str(refused.intake[0].issues[0].message)
    (offer,) = _read(tmp_path, text, "as_of=week_of").offers
    assert offer.rate_usd_per_gpu_hour == Decimal("1.85")


def test_a_discount_is_no_rate(tmp_path: Path) -> None:
    """By its heading, and by its cell where a price has the sign."""
    by_heading = _read(tmp_path, "provider,gpu,On demand,Reserved 1 year discount\nC,H100,4.25,20%\n")
    assert [offer.rate_usd_per_gpu_hour for offer in by_heading.offers] == [Decimal("4.25")]
    by_cell = _read(tmp_path, "provider,gpu,On demand,Reserved 1 year\nC,H100,4.25,20%\nD,H100,4.25,2.9\n")
    assert {offer.rate_usd_per_gpu_hour for offer in by_cell.offers} == {Decimal("4.25"), Decimal("2.9")}
    assert "Reserved 1 year is 20%" in str([issue.message for issue in by_cell.intake[0].issues])


def test_a_remark_below_a_list_is_no_offer(tmp_path: Path) -> None:
    read = _read(tmp_path, "GPU,Term,Price per GPU/hr\nH100,12 months,2.3\nPrices exclude VAT,,\n")
    assert len(read.offers) == 1
    assert read.intake[0].rows_ignored == 1


LEADS = "Provider,GPU,Price per GPU-hour,Term (months),{}\nA,H100,2.2,12,{}\nB,H100,2.1,12,{}\n"


@pytest.mark.parametrize(
    ("heading", "cells", "hours", "words", "is_asked"),
    [
        ("Lead time (weeks)", ("4", "10 days"), [672, 240], None, False),  # what a cell says wins
        ("Lead time (days)", ("4", "3-4 weeks"), [96, 672], None, False),  # of a range the longer
        ("Lieferzeit in Wochen", ("4", "0"), [672, 0], None, False),
        ("Lead time", ("4", "30"), [96, 720], None, True),  # nobody waits for 30 weeks: days, or hours
        ("Lead time", ("336", "48"), [336, 48], None, False),  # whole days in hours
        ("Lead time", ("336", "48"), [336, 48], "lead_time_hours=Lead time", False),
        ("Lead time", ("1.5", "4.5 Wochen"), [252, 756], None, True),
        ("Lead time", ("4", "in stock"), [672, 0], None, True),
        ("Lead time", ("4", "48 h"), [96, 48], "lead_time_hours=Lead time:days", False),
        ("lead_time_hours", ("4", "2 weeks"), [4, 336], None, False),
        ("Lead time (h)", ("4", "72"), [4, 72], None, False),
        ("Lead time", ("now", "immediately"), [0, 0], None, False),
        ("Lead time", ("4-6 wks", "ASAP"), [1008, 0], None, False),
    ],
)
def test_a_lead_counts_what_its_cell_or_its_heading_says(
    tmp_path: Path,
    heading: str,
    cells: tuple[str, str],
    hours: list[float],
    words: str | None,
    is_asked: bool,
) -> None:
    read = _read(tmp_path, LEADS.format(heading, *cells), words)
    assert [one.lead_time_hours for one in read.offers] == hours
    codes = {issue.code for issue in read.intake[0].issues}
    assert ("undecided" in codes, "unknown_column" in codes) == (is_asked, False)


def test_a_lead_that_is_no_length_is_named_by_its_row(tmp_path: Path) -> None:
    read = _read(tmp_path, LEADS.format("Lead time", "60 days to quarter end", "Q1 2027"))
    said = next(str(issue.message) for issue in read.intake[0].issues if issue.code == "bad_number")
    assert "row 2: " in said and "60 days to quarter end" in said
    assert "row 3: " in said and "Q1 2027" in said


@pytest.mark.parametrize(
    "cell", ["2.29-2.59", "$2.29 – $2.59", "from 2.29", "2.29+", "up to 2.59", "2.29 to 2.59"]
)
def test_a_range_is_no_rate_and_says_what_is_wanted(tmp_path: Path, cell: str) -> None:
    read = _read(tmp_path, f"Provider,GPU,Price per GPU-hour\nA,H100,{cell}\nB,H100,2.40\n")
    assert [offer.rate for offer in read.offers] == [None, 2.4]
    said = {issue.code: str(issue.message) for issue in read.intake[0].issues}
    assert "row 2: " in said["bad_number"] and cell in said["bad_number"]
    assert "rate_low and rate_high" in said["quote_needed"]


def test_ranges_in_a_row_of_terms_are_named_and_leave_its_offers_without_a_rate(tmp_path: Path) -> None:
    cells = "A,H100,from 2.10,1.90\nB,H100,2.40+,2.00 - 2.20\nC,H100,,\n"
    read = _read(tmp_path, f"Provider,GPU,1-year commit,3-year commit\n{cells}")
    assert [(one.provider, one.term_months, one.rate) for one in read.offers] == [
        ("A", 36, 1.9),
        ("B", 12, None),
        ("B", 36, None),
    ]
    said = {issue.code: str(issue.message) for issue in read.intake[0].issues}
    assert all(part in said["bad_number"] for part in ("row 3: ", "2.40+", "2.00 - 2.20"))
    assert "“3-year commit”" in said["quote_needed"]
    assert [row.row for row in read.intake[0].rejected] == [4]  # it has no price at all


@pytest.mark.parametrize("term", ["Monthly", "month-to-month", "rolling"])
@pytest.mark.parametrize(
    ("heading", "pricing", "months"),
    [
        ("Term", "", 1),
        ("Commitment", "Reserved", 1),
        ("Term", "On-demand", 0),
        ("Term", "Spot", 0),
        ("Billing period", "", 0),
        ("Payment terms", "", 0),
    ],
)
def test_a_term_from_month_to_month_is_one_that_is_noted(
    tmp_path: Path, heading: str, pricing: str, months: int, term: str
) -> None:
    cells = f"A,H100,{pricing},{term},2.40\nB,H100,,1 year,2.10\n"
    read = _read(tmp_path, f"Provider,GPU,Pricing,{heading},Price per GPU-hour\n{cells}")
    assert read.offers[0].term_months == months
    said = [str(issue.message) for issue in read.intake[0].issues if issue.code == "undecided"]
    assert ["term_months" in one and term in one for one in said] == [True] * months


def test_a_commitment_that_is_monthly_throughout_is_one(tmp_path: Path) -> None:
    read = _read(
        tmp_path, "Provider,GPU,Commitment,Price per GPU-hour\nA,H100,Monthly,2.40\nB,H100,Monthly,2.10\n"
    )
    assert [one.term_months for one in read.offers] == [1, 1]


def test_a_term_that_says_how_is_paid_is_a_way_to_pay(tmp_path: Path) -> None:
    rows = "A,H100,OnDemand,6.88\nA,H100,Reserved 1yr,3.93\n"
    read = _read(tmp_path, f"provider,gpu_model,term,price per GPU-hour\n{rows}")
    assert {(str(one.pricing_category), one.term_months, one.rate) for one in read.offers} == {
        ("STANDARD", 0, 6.88),
        ("COMMITTED", 12, 3.93),
    }


@pytest.mark.parametrize(
    "text",
    [
        'Provider,GPU,"Price per 1,000 GPU-hours (USD)"\nA,H100,"2,500"\n',
        'Provider,GPU,Price\nA,H100,"$2,500 per 1,000 GPU-hours"\n',
        'Provider,GPU,Unit,Price\nA,H100,"per 1,000 GPU-hours","2,500"\n',
    ],
)
def test_a_price_of_a_thousand_hours_is_divided_by_them(tmp_path: Path, text: str) -> None:
    (offer,) = _read(tmp_path, text).offers
    assert offer.rate == 2.5


def test_ends_of_ranges_without_a_rate_say_which_column_may_be_it(tmp_path: Path) -> None:
    text = "provider,gpu_model,low,high,as_of\nA,H100,2.29,2.59,2026-11-01\n"
    refused = _read(tmp_path, text)
    assert "--map prices.rate_usd_per_gpu_hour=high" in str(refused.intake[0].issues[0].message)
    (offer,) = _read(tmp_path, text, "rate_usd_per_gpu_hour=high").offers
    assert (offer.rate, offer.rate_low) == (2.59, Decimal("2.29"))


def test_the_day_from_which_a_price_holds_makes_no_contract(tmp_path: Path) -> None:
    text = """provider,gpu_model,gpus_per_instance,term,payment_option,hourly_price_usd,effective_date
AWS,H100,8,on-demand,,55.04,2026-10-01
AWS,H100,8,3yr,all upfront,23.78,2026-10-01
"""
    offers = _read(tmp_path, text).offers
    assert {(str(one.pricing_category), one.term_months, one.rate, one.as_of) for one in offers} == {
        ("STANDARD", 0, 6.88, "2026-10-01"),
        ("COMMITTED", 36, 2.9725, "2026-10-01"),
    }


def test_a_row_is_read_alike_alone_and_among_those_that_it_is_like(tmp_path: Path) -> None:
    header = "timestamp,provider,gpu_model,region,usd_per_gpu_hour,spot_usd_per_gpu_hour,notes\n"
    said = ("seen twice", "plus VAT", "RTX 4090; not this", "zzgl. MwSt; früher", "", "notes", "quiet day")
    rows = [
        f"2026-11-{20 - at // 2:02}T{20 - at % 2:02}:00:00Z,A,H100,us,{2 + at / 8},{'' if at % 3 else 1.25},{note}\n"
        for at, note in enumerate(said * 2)
    ]

    def offers_of(text: str) -> list[Offer]:
        read = _read(tmp_path, header + text)
        return [*read.offers, *read.earlier_offers]

    alone = [one for row in rows for one in offers_of(row)]
    first = {(one.offer_id, one.as_of): one for one in reversed(alone)}
    assert {(one.offer_id, one.as_of): one for one in offers_of("".join(rows))} == first
    assert len(first) > len(rows) / 2


@pytest.mark.parametrize(
    ("heading", "cell", "rate"),
    [
        ("Rate excl. support ($/GPU-h)", "2.1", 2.1),
        ("Price without storage (USD/GPU-hour)", "2.1", 2.1),
        ("Rate set for 2026 ($/GPU-h)", "2.1", 2.1),
        ("Price per month (8 GPUs)", "12264", 2.1),
        ("$/month 8 GPUs", "12264", 2.1),
    ],
)
def test_a_price_is_one_of_gpus_whatever_it_leaves_out(
    tmp_path: Path, heading: str, cell: str, rate: float
) -> None:
    (offer,) = _read(tmp_path, f"Provider,GPU,GPUs,{heading}\nV,H100,8,{cell}\n").offers
    assert offer.rate == rate
    assert not _read(tmp_path, "Provider,GPU,Storage price excl. VAT ($/month)\nV,H100,90\n").offers


@pytest.mark.parametrize(
    ("price", "category"),
    [("2.50 (us-east-1)", "STANDARD"), ("2.50 (no spot)", "STANDARD"), ("2.50/h (spot)", "DYNAMIC")],
)
def test_what_stands_behind_a_price_is_a_way_to_pay_only_where_it_says_one(
    tmp_path: Path, price: str, category: str
) -> None:
    """A region's number was a commitment of as many months, and what is no spot was spot."""
    read = _read(tmp_path, f"Provider,GPU,Price per hour\nV,H100,{price}\nW,H100,2.60\n").offers
    assert [(one.pricing_category.name, one.term_months) for one in read] == [(category, 0), ("STANDARD", 0)]


def test_a_least_commitment_of_gpus_is_how_many_are_sold_at_least(tmp_path: Path) -> None:
    rows = "V,H100,2.2,64 GPUs\nW,H100,2.1,2 nodes\nX,H100,2.0,12 months\n"
    read = _read(tmp_path, f"Provider,GPU,$/GPU/hr,Minimum commitment\n{rows}").offers
    assert [one.min_gpus for one in read] == [64, 16, None]


def test_a_provider_is_called_by_its_name_and_not_by_its_number(tmp_path: Path) -> None:
    read = _read(
        tmp_path, "provider_id,provider_name,GPU,$/GPU/hr\n7,Vela,H100,2.2\n8,Orrin,H100,2.1\n"
    ).offers
    assert {one.provider for one in read} == {"Vela", "Orrin"}


@pytest.mark.parametrize(("gpu", "memory"), [("A100", None), ("H100", 80)])  # two of 40 GB are 80, too
def test_memory_that_may_be_of_one_or_of_all_is_unknown(
    tmp_path: Path, gpu: str, memory: float | None
) -> None:
    (offer,) = _read(tmp_path, f"Provider,GPU,GPUs,GPU memory (GB),Price per hour\nV,{gpu},2,80,4\n").offers
    assert offer.gpu_memory_gb == memory


@pytest.mark.parametrize(
    ("headings", "cells", "way"),
    [
        ("GPU,Minimum commitment", "H100,1 year", ("COMMITTED", 12)),
        ("GPU,Minimum commitment", "H100,none", ("STANDARD", 0)),
        ("Product", "H100 SXM - 36 months", ("COMMITTED", 36)),
        ("SKU,Description", "GPU-H100-1Y,H100 80GB SXM 1 year commit", ("COMMITTED", 12)),
        ("Product", "A100 80GB spot", ("DYNAMIC", 0)),
        ("GPU,Type", "A100 80GB preemptible,spot", ("DYNAMIC", 0)),
        ("Product", "H100 with 3 years of warranty", ("STANDARD", 0)),
        ("GPU,Min. commitment,Term", "H100,1 year,36 months", ("COMMITTED", 36)),
        ("GPU,Minimum term,Instance", "H100,1 month,H100 reserved 3 years", ("COMMITTED", 36)),
        ("GPU,Minimum term,Instance", "H100,1 month,On-demand H100 SXM", ("STANDARD", 0)),
        ("GPU,Notes", "H100,H100 price held 12 months", ("STANDARD", 0)),
        ("GPU,Notes", "H100,Spot H100 also on request", ("STANDARD", 0)),
        ("Product", "H100 SXM available in 2 months", ("STANDARD", 0)),
    ],
)
def test_a_way_to_pay_beside_a_gpu_or_as_the_least_term_is_none_on_demand(
    tmp_path: Path, headings: str, cells: str, way: tuple[str, int]
) -> None:
    """Without a column of terms the price of three years was one on demand."""
    path = tmp_path / "list.csv"
    path.write_text(f"Provider,{headings},$/GPU/hr\nV,{cells},2.40\nW,{cells},2.50\n")
    read = import_prices([str(path)])
    assert {(str(one.pricing_category), one.term_months) for one in read.offers} == {way}
    is_taken = way[0] != "STANDARD" and "Term" not in headings and "Type" not in headings
    assert ("computed" in {issue.code for issue in read.intake[0].issues}) == is_taken
    assert {one.gpu_model.split()[0] for one in read.offers} <= {"H100", "A100"}
    assert way[0] != "DYNAMIC" or {one.gpu_model for one in read.offers} == {"A100 80GB"}


@pytest.mark.parametrize(
    "text",
    [
        "provider,gpu,Reserved price ($/GPU-h)\nA,H100,2.1\n",
        "provider,gpu,Committed ($/GPU-h)\nA,H100,2.1\n",
        "gpu,gcp_reserved,azure_committed,lambda_price,nebius_price\nH100,2.5,2.4,2.99,2.99\n",
        '[{"displayName": "H100", "provider": "A", "hourly": {"onDemand": 3.2, "reserved12": 2.1}}]',
    ],
)
def test_a_price_of_a_commitment_whose_term_nobody_tells_is_none_on_demand(tmp_path: Path, text: str) -> None:
    """It is refused, or left out beside others, with what is missing."""
    path = tmp_path / ("list.json" if text.startswith("[") else "list.csv")
    path.write_text(text)
    (file,), offers = check_file(str(path)), import_prices([str(path)]).offers
    assert {one.rate for one in offers} <= {2.99, 1.29, 3.2}
    assert {one.pricing_category for one in offers} <= {PricingCategory.STANDARD}
    said = " ".join(str(issue.message) for issue in file.issues)
    assert "term" in said or "reserved" in said


@pytest.mark.parametrize("heading", ["Price without commitment", "Uncommitted price", "Price, no commitment"])
def test_a_price_without_a_commitment_is_on_demand(tmp_path: Path, heading: str) -> None:
    (offer,) = _read(tmp_path, f'provider,gpu,"{heading}"\nA,H100,3.1\n').offers
    assert (offer.pricing_category, offer.rate) == (PricingCategory.STANDARD, 3.1)


@pytest.mark.parametrize(
    ("cell", "category", "term"),
    [
        ("$1.20 hourly, spot", PricingCategory.DYNAMIC, 0),
        ("$1.20/h (preemptible)", PricingCategory.DYNAMIC, 0),
        ("$1.20 (12 months)", PricingCategory.COMMITTED, 12),
        ("$1.20 hourly", PricingCategory.STANDARD, 0),
        ("$1.20/h (8 GPUs min)", PricingCategory.STANDARD, 0),
    ],
)
def test_the_cell_of_a_price_may_say_how_it_is_paid(
    tmp_path: Path, cell: str, category: PricingCategory, term: int
) -> None:
    for offer in _read(tmp_path, f'vendor,gpu,price\nA,H100,"{cell}"\nB,H200,$3.00\n').offers[:1]:
        assert (offer.pricing_category, offer.term_months) == (category, term)


def test_what_a_list_asks_on_demand_is_of_rows_on_demand_alone(tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    path.write_text(
        "provider,gpu,tier,price\nA,H100,on_demand,3\nA,H100,spot,1\nA,H100,36mo,2\nB,L4 spot,,0.3\n"
    )
    facts = dict(check_file(str(path))[0].facts)
    assert facts["on_demand_usd_per_gpu_hour"] == {"H100": {"rows": 1, "lowest": 3.0, "highest": 3.0}}


def test_a_remark_is_read_beside_the_source_that_a_list_names(tmp_path: Path) -> None:
    header = "offer_id,provider,gpu_model,pricing,term_months,rate_usd_per_gpu_hour,source,remark\n"
    plain = "B-6,B,H100,reserved,6,2.38,quote 2026-11-20,\n"
    read = _read(
        tmp_path, f"{header}{plain}B-12,B,H100,reserved,12,2.08,quote; seen,subject to availability\n"
    )
    sources = {one.term_months: (one.source, undecided(one) is None) for one in read.offers}
    assert sources[6] == ("quote 2026-11-20", True)
    noted, waits_for = sources[12]
    assert noted.endswith(" quote, seen; subject to availability") and not waits_for
    assert [one.term_months for one in read.offers if waits(one) is None] == [
        6
    ]  # for a plan, as of an answer
    (issue,) = [one for one in read.intake[0].issues if one.code == "undecided"]
    assert all(part in str(issue) for part in ("B-12", "12 months", "“subject to availability”"))
