"""Random bills of every form in which all columns are used: usage, fees, credits, and what commitments left unused.

Each heading is one of those that its field is known by. The same seed gives the same bill. Amounts are
eighths, so that their sums are exact in any order.
"""

import ast
import csv
import io
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Final

from gpuplanner.domain.model.intake import BILLED
from gpuplanner.files.job_logs.dialects import cloud_bills
from gpuplanner.files.job_logs.dialects.bill_facts import bill_facts
from gpuplanner.files.job_logs.dialects.bill_forms import BillForm
from tests.files.job_logs.random_logs import read_lines
from tests.files.sources_of_text import text_source
from tests.shown import shown

FORMS: Final[Mapping[str, BillForm]] = {
    form.format: form
    for form in (
        cloud_bills.FOCUS_FORM,
        cloud_bills.AWS_CUR_FORM,
        cloud_bills.AZURE_FORM,
        cloud_bills.OCI_FORM,
    )
}
ROWS: Final = 12
CONSISTENT: Final = 0.8
"""Share of the amounts that are a quantity times its rate."""
FIRST_S: Final = 1_767_571_200  # 5 January 2026, 00:00 UTC
PRODUCTS: Final = (
    "$55.04 per On Demand Linux p5.48xlarge Instance Hour",
    "BoxUsage:g5.12xlarge",
    "NC24ads A100 v4",
    "BM.GPU.H100.8",
    "GPU - A100 - v2",
    "p9.48xlarge",
    "p4d.24xlarge",
    "VM.GPU.A10.2",
    "EBS:VolumeUsage.gp3",
    "DataTransfer-Out-Bytes",
    "Business Support",
    "NatGateway-Hours",
    "m5.large",
)
SERVICES: Final = (
    "Amazon Elastic Compute Cloud",
    "AmazonEC2",
    "Virtual Machines",
    "Storage",
    "COMPUTE",
    "AmazonSageMaker",
)
UNITS: Final = ("Hours", "1 Hour", "10 Hours", "GPU Per Hour", "GB-Mo", "Hrs", "", "OCPU Hours")
TAGS: Final = (
    '{"Name":"pretrain 7"}',
    '{"class":"inference","app":"chat"}',
    "workload=eval;pool=training",
    '{"user:project": "x", "workload-class": "Burst"}',
    "",
)
CHARGES: Final[Mapping[str, Sequence[str]]] = {
    "focus": ("Usage", "Usage", "Usage", "Usage", "Tax", "Credit", "Purchase"),
    "aws_cur": ("Usage", "SavingsPlanCoveredUsage", "DiscountedUsage", "Tax", "RIFee", "SavingsPlanNegation"),
    "azure": ("Usage", "Usage", "Usage", "UnusedReservation", "UnusedSavingsPlan", "Refund", "Purchase"),
    "oci": ("Usage",),
}
COMMITMENTS: Final = ("Used", "", "Unused", "UnusedReservation")

_Cell = Callable[[random.Random, BillForm], str]


def _time(form: str, is_end: bool) -> _Cell:
    def cell(chance: random.Random, bill: BillForm) -> str:
        at_s = FIRST_S + 3600 * (chance.choice((0, 5, 30)) + is_end * chance.choice((1, 1, 24)))
        if bill.is_daily:
            return datetime.fromtimestamp(at_s, UTC).strftime("%m/%d/%Y")
        return (
            chance.choice(("", "soon"))
            if chance.random() < 0.04
            else datetime.fromtimestamp(at_s, UTC).strftime(form)
        )

    return cell


def _amount(*amounts: str) -> _Cell:
    return lambda chance, _: chance.choice(amounts)


def _words(*words: str) -> _Cell:
    return lambda chance, _: chance.choice(words)


CELLS: Final[Mapping[str, _Cell]] = {
    "start": _time("%Y-%m-%dT%H:%M:%SZ", is_end=False),
    "end": _time("%Y-%m-%dT%H:%M:%SZ", is_end=True),
    "interval": _words(
        "2026-01-05T00:00:00Z/2026-01-05T01:00:00Z", "2026-01-06T00:00:00Z/2026-01-06T10:00:00Z", ""
    ),
    "quantity": _amount("2", "0.5", "1", "24", "0", "", "-1", "x", "0.0625"),
    "unit": _words(*UNITS),
    "products": _words(*PRODUCTS),
    "details": _words(
        '{"InstanceType":"p5.48xlarge","GpuCount":8}', '{"VMSize":"Standard_NC24ads_A100_v4"}', "", ""
    ),
    "service": _words(*SERVICES),
    "region": _words("us-east-1", "East US", "eastus", "eu-frankfurt-1", ""),
    "account": _words("research", "web", ""),
    "resource": _words("i-1", "i-2", "i-3", ""),
    "resource_name": _words("train", "", ""),
    "tags": _words(*TAGS),
    "line_id": lambda chance, _: f"l{chance.randrange(1000)}",
    "charge": lambda chance, form: chance.choice(CHARGES[form.format]),
    "pricing": _words("Standard", "Committed", "Dynamic", "OnDemand"),
    "commitment": _words(*COMMITMENTS),
    "list_price": _amount("55", "5.625", "55", "5.625", "", "x", "1e12", "999999999999"),
    "label": _words("training", "inference", "odd", ""),
    "provider": _words("AWS", "Microsoft"),
    "other_dates": _words("2026-01-01", "2026-02-01"),
    "money": _amount("110.125", "2.5", "0", "-3", "", "n/a", "0.125"),
    "committed": _amount("10", "8"),
    "used": _amount("7.5", "8", "1"),
    "rate": _amount("55", "2.5", "0.125"),
    "words": _words("a", "b", ""),
}
"""Cells of each kind of column."""


OF_ONE_COLUMN: Final = (
    *("start", "end", "interval", "products", "details", "service", "region", "account", "resource"),
    *(
        "resource_name",
        "tags",
        "line_id",
        "charge",
        "pricing",
        "commitment",
        "list_price",
        "label",
        "provider",
    ),
)
"""Fields of a form that one column has."""


def _columns(form: BillForm, chance: random.Random) -> Iterator[tuple[str, str]]:
    """Yield headings with their kinds of cells; a heading that comes twice counts first."""
    for kind in OF_ONE_COLUMN:
        if names := getattr(form, kind):
            yield chance.choice(names) if kind != "products" else names[0], kind
            if chance.random() < 0.3:
                yield names[-1], kind
    for quantities, units in form.quantities:
        yield quantities[0], "quantity"
        yield units[0], "unit"
    for names in form.only:
        yield names[0], "charge" if {*names} & {*form.charge} else "service"
    for names in form.cost:
        yield names[0], "money"
    for names in form.without:
        yield names[0], "commitment"
    for heading in (*form.stranded_costs, *form.usual):
        yield heading, "money" if "cost" in heading.lower() or "fee" in heading.lower() else "words"
    for heading in form.other_dates:
        yield heading, "other_dates"
    for name, kind in zip(form.unused_commitment, ("committed", "used"), strict=True):
        if name:
            yield name[0], kind
    for _, rates, products in form.priced:
        yield rates[0], "rate"
        yield products[0], "money"


def random_bill(name: str, seed: int) -> str:
    """Return a bill of a form as a text."""
    form, chance = FORMS[name], random.Random(f"{name} {seed}")
    kinds: dict[str, str] = {}
    for heading, kind in _columns(form, chance):
        kinds.setdefault(heading, kind)
    currencies = ("USD",) if seed % 3 else ("USD", "EUR", "")
    headings = [*kinds, *form.currency[:1], *form.pricing_currency[:1]]
    rows: list[list[str]] = []
    for _ in range(ROWS):
        cells = {heading: CELLS[kind](chance, form) for heading, kind in kinds.items()}
        for (quantity, *_), (rate, *_), (product, *_) in form.priced:
            factors = (cells.get(quantity, ""), cells.get(rate, ""))
            if chance.random() < (CONSISTENT if len(currencies) == 1 else 1.0) and all(
                map(_is_number, factors)
            ):
                cells[product] = f"{float(factors[0]) * float(factors[1]):g}"
        money = [chance.choice(currencies) for _ in headings[len(kinds) :]]
        rows += [[*cells.values(), *money]] * chance.choice((1, 1, 1, 1, 2))
    if seed % 2:
        rows.append(
            [
                _total(rows, place, kind)
                for place, kind in enumerate((*kinds.values(), "", "")[: len(headings)])
            ]
        )
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([headings, *rows])
    return out.getvalue()


def _is_number(text: str) -> bool:
    return text.lstrip("-").replace(".", "", 1).isdigit()


def _total(rows: Sequence[Sequence[str]], place: int, kind: str) -> str:
    """Return the cell of a row of totals: right under every second heading."""
    if kind != "money":
        return "" if place else "Total"
    amounts = [float(row[place]) for row in rows if _is_number(row[place])]
    return f"{sum(amounts):.2f}" if place % 2 else "1000.00"


def bill_text(case: str) -> str:
    """Return what a random bill says of itself, and its usage of GPUs as jobs. case: its form and seed."""
    name, seed = case.split()
    text = random_bill(name, int(seed))
    form = FORMS[name]
    lines = [f"sure {form.sniff(text):g}"]
    lines += [f"{fact} {shown(value)}" for fact, value in bill_facts(form, text_source(text, "bill.csv"))]
    return "\n".join((*lines, *map(_in_order, read_lines(text))))


def _in_order(line: str) -> str:
    """Return a line of amounts by currency with the currencies in order: equal amounts come in any order."""
    name, _, value = line.partition(" ")
    if name != BILLED:
        return line
    amounts = ast.literal_eval(value)
    return f"{name} {shown({code: dict(sorted(amounts[code].items())) for code in sorted(amounts)})}"
