"""Random tables of contracts and prices: headings that each field is known by, and cells as people write them.

The same seed always makes the same table. Every field can occur, under any of its headings, and every kind of cell
has usual texts and odd ones.
"""

import csv
import io
import random
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Final

from gpuplanner.files.tables.fields import FIELDS, Field, Holds

NEEDED: Final[Mapping[str, tuple[str, ...]]] = {
    "contracts": ("gpu_model", "gpus", "start", "end"),
    "prices": ("gpu_model", "pricing_category"),
}
"""Fields that most tables have; without these a table is refused."""
RATE: Final = "rate_usd_per_gpu_hour"
RATE_HEADINGS: Final = (
    "$/GPU-hr",
    "$/GPU/month",
    "$ per GPU-hour",
    "Preis (EUR/GPU/h)",
    "Price per node hour",
    "Price/GPU/year",
    "Monthly price (USD)",
    "Price per GPU-hour (ct)",
    "Hourly rate",
    "Price",
    "list price $/GPU-hr",
    "Rate for 8 GPUs per hour",
    "On-demand $/h",
    "Spot price per GPU hour",
    "1yr reserved $/GPU-hr",
    "3 year commit (USD/GPU/h)",
    "price_median",
    "Price min",
    "discounted price per GPU hour",
    "Price before discount per GPU hour",
    "Extended price",
    "Price per 1,000 GPU-hours",
    "Tarif horaire €",
)
TEXTS: Final[Mapping[str, tuple[str, ...]]] = {
    "provider": ("AWS", "CoreWeave", "Lambda Labs", "google cloud", "Fern"),
    "cluster": ("alpha", "beta", "", "gamma-2"),
    "region": ("us-east-1", "Frankfurt", "eu-west", "CN-North", "Ashburn, VA"),
    "country": ("US", "DE", "China", "Deutschland"),
    "pool": ("training", "inference", "burst", "any", "Research"),
    "owner": ("ann", "ml-platform", ""),
    "purchase_order": ("PO 4711", "4500012345"),
    "ramp": ("", "2026-01-01=8;2026-07-01=64", "2026-02-01=16", "50% for 3 months"),
    "discount_percent": ("10", "15%", "0.2", "5% from 100 GPUs"),
    "instance": ("p5.48xlarge", "a3-highgpu-8g", "ND96isr H100 v5", "g5.xlarge", "m5.large", "BM.GPU.H100.8"),
    "source": ("https://example.com/prices", "call", ""),
    "model": ("Llama 3 70B", ""),
    "variant": ("convertible", "secure", ""),
    "one_time_fee": ("100", "$1,000 per GPU", ""),
}
USUAL: Final[Mapping[Holds, tuple[str, ...]]] = {
    Holds.TEXT: ("a", "b c", ""),
    Holds.MODEL: (
        "H100",
        "NVIDIA H100 80GB HBM3",
        "A100-80GB",
        "8x H100",
        "H200 SXM",
        "L40S",
        "MI300X",
        "p5.48xlarge",
        "H100 SXM5 (8 per node)",
        "A10",
    ),
    Holds.NODES: ("2", "4", "16"),
    Holds.PART: ("0.15", "15%", "0,2"),
    Holds.UNIT: ("GPU-hour", "node-hour", "month", "per GPU per month", "Std.", "year"),
    Holds.CURRENCY: ("USD", "EUR", "$", "€", "CNY", "GBP"),
    Holds.CATEGORY: (
        "on demand",
        "reserved",
        "spot",
        "Committed",
        "standard",
        "dynamic",
        "reserved_36mo",
        "1 yr RI no upfront",
    ),
    Holds.TERM: ("12", "36", "1 year", "3yr", "24 months", "12 Monate", "P1Y", "month-to-month", ""),
    Holds.RENEWAL: ("12", "yes", "no", "auto", "6 months", "1 year", "evergreen", "none"),
    Holds.DAYS: ("30", "90", "3", "60 days", "3 months", "ninety (90) days", "T+30", "6 weeks", "none"),
    Holds.LEAD: ("24", "48", "2 weeks", "6-8 weeks", "in stock", "3 days", "1 month", "72h"),
    Holds.FLAG: ("yes", "no", "true", "VM", "bare metal", "x", ""),
    Holds.INTERCONNECT: ("InfiniBand NDR", "RoCE v2", "Ethernet", "NVLink", "EFA 3200", "400G IB"),
    Holds.REMARK: (
        "",
        "",
        "monthly in advance",
        "draft",
        "auto-renews 12 mo. unless cancelled 60 days before expiry",
        "cancelled",
        "per node of 8",
        "option",
        "incl. support",
    ),
}
"""Cells that a column of each kind usually has; numbers, money and dates are made."""
ODD: Final[Mapping[Holds, tuple[str, ...]]] = {
    Holds.MODEL: ("GPU", "TPU v5e-8", "CPU only", "H100 or H200", "RTX 9999", "4 x 8-GPU nodes H100", ""),
    Holds.COUNT: ("8 x H100", "2 nodes", "64 GPUs", "4x8", "0", "-8", "a few", "", "1k", "1/2"),
    Holds.NODES: ("0", "", "two", "4 nodes"),
    Holds.MONEY: ("TBD", "", "free", "$3", "2,50 €", "n/a", "-1", "1,980 per month", "$2.10 - $2.50", "12k"),
    Holds.TERM: ("0", "1.5 years", "on demand", "forever", "18 mo", "hourly", "400"),
    Holds.RENEWAL: ("?", "annually", "by mutual agreement", "until cancelled", "0", "2 x 12 months"),
    Holds.DAYS: ("tbd", "n/a", "3 months to quarter end", "2027-01-15", "-5", "one month", "1.5 months", ""),
    Holds.LEAD: ("tbd", "", "end of quarter", "soon", "on request", "-"),
    Holds.DATE: ("", "TBD", "open", "Q3 2026", "2026-13-01", "31.12.2026", "12/31/2026", "n/a", "9999-12-31"),
    Holds.CATEGORY: ("", "maybe", "savings plan 3 year", "flex", "AWS|p5.48xlarge|us-east-1|spot"),
    Holds.PLAIN_NUMBER: ("", "n/a", "abc", "-1", "1.234,5", "10 %", "3,200", "5 TB"),
    Holds.RANGE: ("", "n/a", "abc", "-1", "1.234,5", "10 %", "3,200", "5 TB"),
    Holds.UNIT: ("", "token", "GPU"),
    Holds.CURRENCY: ("", "dollars"),
}
"""Cells that are wrong, mean something else, or nothing."""
SUFFIXES: Final[Mapping[Holds, tuple[str, ...]]] = {
    Holds.TERM: ("", " (months)", " (years)", " in months"),
    Holds.DAYS: ("", " (days)", " (months)", " in weeks"),
    Holds.LEAD: ("", " (weeks)", " (days)", " in hours"),
    Holds.PLAIN_MONEY: ("", " ($)", " (EUR)", " $/GPU/month", " per GPU-hour", "/GPU/year", " USD"),
    Holds.MONEY: ("", " ($/TB)", " ($/GB)", " (EUR)"),
    Holds.PLAIN_NUMBER: ("", " (%)", " in %"),
    Holds.RANGE: ("", " (%)", " in %"),
    Holds.COUNT: ("", " (nodes)", ""),
}
"""What a heading says beside the name of its field."""
ODD_SHARE: Final = 0.06
DELIMITERS: Final = (",", ",", ",", ";", "\t", "|")


def random_table(kind: str, seed: int) -> str:
    """Return a table of `contracts` or `prices` as a text."""
    return _TableMaker(kind, seed).text()


class _TableMaker:
    def __init__(self, kind: str, seed: int) -> None:
        self._kind = kind
        self._chance = random.Random(f"{kind} {seed}")
        self._is_own = self._chance.random() < 0.2
        self._has_commas = self._chance.random() < 0.25
        self._date_style = self._chance.choice(
            ("iso", "iso", "dmy", "mdy", "us", "month", "german", "moment")
        )
        self._delimiter = ";" if self._has_commas else self._chance.choice(DELIMITERS)

    def text(self) -> str:
        """Return all lines: maybe a title, the headings, rows, maybe a total or a remark."""
        chance = self._chance
        columns = self._columns()
        lines: list[Sequence[str]] = []
        if not self._is_own and chance.random() < 0.2:
            lines += [["Overview of GPU " + self._kind, *[""] * (len(columns) - 1)], [""] * len(columns)]
        lines.append([heading for _, heading in columns])
        rows = [[self._cell(field, row) for field, _ in columns] for row in range(chance.randint(3, 6))]
        if chance.random() < 0.15:
            rows.append(list(rows[0]))
        if chance.random() < 0.15:
            rows.insert(1, [""] * len(columns))
        lines += rows
        if chance.random() < 0.2:
            lines.append(self._total(columns, rows))
        if chance.random() < 0.1:
            lines.append(["* prices without VAT", *[""] * (len(columns) - 1)])
        out = io.StringIO()
        csv.writer(out, delimiter=self._delimiter, lineterminator="\n").writerows(lines)
        return out.getvalue()

    # --- Headings

    def _columns(self) -> list[tuple[Field, str]]:
        """Return fields with their headings, no heading twice."""
        chance = self._chance
        known = {field.name: field for field in FIELDS[self._kind]}
        if self._is_own:
            first = [field.name for field in known.values() if field.is_needed] + [RATE, "gpus"]
        else:
            first = [name for name in (*NEEDED[self._kind], RATE) if chance.random() < 0.93]
        first = [name for name in dict.fromkeys(first) if name in known]
        rest = [name for name in known if name not in first and (not self._is_own or known[name].is_ours)]
        names = [*first, *chance.sample(rest, chance.randint(2, 7))]
        if not self._is_own:
            chance.shuffle(names)
        columns = {}
        for name in names:
            heading = name if self._is_own else self._heading(known[name])
            columns.setdefault(heading.lower(), (known[name], heading))
        if not self._is_own and chance.random() < 0.3:
            heading = chance.choice(RATE_HEADINGS)
            columns.setdefault(heading.lower(), (known[RATE], heading))
        return list(columns.values())

    def _heading(self, field: Field) -> str:
        chance = self._chance
        if field.holds in (Holds.RATE, Holds.WAY):
            return chance.choice(RATE_HEADINGS)
        words = [word for word in field.words.split("|") if word]
        if not words or chance.random() < 0.15:
            return field.name
        heading = chance.choice(words) + chance.choice(SUFFIXES.get(field.holds, ("",)))
        return chance.choice((heading, heading.title(), heading.upper(), heading.replace(" ", "_")))

    # --- Cells

    def _cell(self, field: Field, row: int) -> str:
        chance = self._chance
        odd = ODD.get(_ODD_AS.get(field.holds, field.holds), ())
        if odd and chance.random() < ODD_SHARE:
            return chance.choice(odd)
        if field.name in TEXTS:
            return chance.choice(TEXTS[field.name])
        match field.holds:
            case Holds.ID:
                return f"{self._kind[0].upper()}-{row + 1}" if chance.random() < 0.95 else ""
            case Holds.COUNT | Holds.NUMBER:
                return self._number(chance.choice((8, 16, 64, 80, 256, 1024)), 0)
            case Holds.RATE | Holds.WAY:
                return self._number(chance.choice((2.1, 2.49, 3.0, 12.5, 18.4, 1450.0, 21900.0, 0.35)), 2)
            case Holds.MONEY | Holds.PLAIN_MONEY:
                return self._number(chance.choice((0.02, 0.09, 5.0, 100.0, 1500.0, 250_000.0)), 2)
            case Holds.PLAIN_NUMBER if field.name.endswith("percent"):
                return self._number(chance.choice((5, 10, 50, 99.9, 0.8)), 1)
            case Holds.PLAIN_NUMBER | Holds.RANGE:
                return self._number(chance.choice((1, 2, 4, 8, 16, 36)), 0)
            case Holds.DATE | Holds.PLAIN_DATE:
                return self._date(field.name, row)
            case _:
                return chance.choice(USUAL[field.holds])

    def _number(self, number: float, digits: int) -> str:
        text = f"{number:,.{digits}f}" if self._chance.random() < 0.5 else f"{number:.{digits}f}"
        if self._has_commas:
            text = text.translate(str.maketrans(",.", ".,"))
        return f"{self._chance.choice('$€')}{text}" if digits == 2 and self._chance.random() < 0.1 else text

    def _date(self, field: str, row: int) -> str:
        """Return a day in the style of the table; an end is a year or more behind a start."""
        chance = self._chance
        years = chance.randint(1, 3) if field in ("end", "ends", "exchange_until") else 0
        day = date(2026 + years, chance.randint(1, 12), chance.choice((1, 1, 15, 28))) + timedelta(row)
        if years and chance.random() < 0.4:
            day -= timedelta(day.day)  # the last day of a month
        match self._date_style:
            case "dmy":
                return f"{day:%d.%m.%Y}"
            case "mdy":
                return f"{day:%m/%d/%Y}"
            case "us":
                return f"{day:%b} {day.day}, {day:%Y}"
            case "month":
                return f"{day:%b %Y}"
            case "german":
                return f"{day.day}. Januar {day:%Y}"
            case "moment":
                return f"{day:%Y-%m-%d}T{chance.choice(('00:00:00', '23:59:59', '08:30:00'))}Z"
        return f"{day:%Y-%m-%d}"

    def _total(self, columns: Sequence[tuple[Field, str]], rows: Sequence[Sequence[str]]) -> list[str]:
        """Return a row that begins with Total and adds up whole counts."""
        cells = ["Total"]
        for place, (field, _) in enumerate(columns[1:], 1):
            numbers = [row[place] for row in rows if row[place].isdigit()]
            cells.append(str(sum(map(int, numbers))) if field.holds is Holds.COUNT else "")
        return cells


_ODD_AS: Final = {
    Holds.RATE: Holds.MONEY,
    Holds.WAY: Holds.MONEY,
    Holds.PLAIN_MONEY: Holds.MONEY,
    Holds.PLAIN_DATE: Holds.DATE,
    Holds.NUMBER: Holds.COUNT,
}
"""Kinds of cells whose odd texts are those of another kind."""
