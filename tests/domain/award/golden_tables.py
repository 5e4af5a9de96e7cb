"""Awards of random rows to random quotes, and the rates at which a quote is worth signing, as golden tables."""

import random
from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any, Final

from gpuplanner.domain.award.award import Award, award_of
from gpuplanner.domain.award.qualifying import Considered, considered, hindrance
from gpuplanner.domain.award.worth_signing import worth_signing
from gpuplanner.domain.fit.needs import NOTHING_ASKED, AskedNeeds
from gpuplanner.domain.model.book.only import ModelMapping, Only
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import DAY_S, iso_day
from tests.domain.award.conftest import CONDITIONS, TODAY_S, order, quote, row
from tests.golden.tables import Table
from tests.shown import message_values, shown

FOLDER: Final = "tables_award"
SEEDS: Final = tuple(map(str, range(24)))
MAPPINGS: Final = (ModelMapping("H100", "H200", 1.5), ModelMapping("H100", "A100", 0.5))
REMARKS: Final = ("", "; A100 instead", "; delivered two weeks later", "; with support")

# --- Random rows and quotes ----------------------------------------------------------------------


def random_row(chance: random.Random, number: int) -> Any:
    """Return a row of one to three orders in nodes of 4 or 8, for 12 months or 90 days, now and then an option."""
    node_gpus = chance.choice((8, 8, 4))
    counts = [node_gpus * chance.randint(1, 3) for _ in range(chance.choice((1, 1, 2, 3)))]
    of_days = chance.random() < 0.15
    term = {"term_months": 3, "term_days": 90} if of_days else {"term_months": chance.choice((12, 12, 24))}
    orders = tuple(
        order(
            float(count),
            pool=chance.choice(list(Pool)),
            offer_id=chance.choice(("own", "q0", "q1")),
            offer_gpus=float(count),
            spread_rate=chance.choice((2.0, 3.0, 3.5, None)) if chance.random() < 0.3 else 3.0,
        )
        for count in counts
    )
    needs = chance.choice((NOTHING_ASKED, NOTHING_ASKED, AskedNeeds("roce_400", True, 80.0)))
    return row(
        f"R{number}",
        sum(counts),
        chance.choice((5, 30, 45)),
        is_option=chance.random() < 0.1,
        node_gpus=node_gpus,
        orders=orders,
        needs=needs,
        **term,
    )


def random_quote(chance: random.Random, number: int, *, is_hard: bool) -> Any:
    """Return a list or a quote, with terms of which some keep it from some rows; is_hard: many of them."""

    def maybe(share: float, *values: Any) -> Any:
        return chance.choice(values) if chance.random() < (share if is_hard else share / 3) else None

    of_days = chance.random() < 0.1
    stated: dict[str, Any] = {
        "gpu_model": chance.choice(("H100",) * 4 + ("H200", "A100")),
        "provider": chance.choice(("P", "P", "Q", "S", None)),
        "unit_gpus": chance.choice((8, 8, 4, 2, 16, None)),
        "min_gpus": maybe(0.6, 8, 24, 200),
        "max_gpus": maybe(0.9, 6, 8, 16, 20),
        "upfront_usd": maybe(0.9, 400, 900),
        "lead_time_hours": chance.choice((0.0, 24.0, 500.0, 900.0)) if is_hard else 24.0,
        "valid_until": maybe(0.2, iso_day(TODAY_S - DAY_S), iso_day(TODAY_S), iso_day(TODAY_S + 9 * DAY_S)),
        "starts": maybe(0.15, iso_day(TODAY_S + 20 * DAY_S), iso_day(TODAY_S + 40 * DAY_S)),
        "ends": maybe(0.1, iso_day(TODAY_S + 300 * DAY_S), iso_day(TODAY_S + 800 * DAY_S)),
        "sla_percent": chance.choice((99.9, 99.9, 99.0, None)) if is_hard else 99.9,
        "min_term_months": maybe(0.1, 6, 24),
        "interconnect": maybe(0.6, "ethernet", "roce_400") or "infiniband",
        "bare_metal": maybe(0.5, False) is None,
        "gpu_memory_gb": maybe(0.5, 40.0, 79.0) or 80.0,
        "currency": maybe(0.05, "EUR"),
    }
    if of_days:
        stated["term_days"] = 90
    for name in ("interconnect", "bare_metal", "gpu_memory_gb"):
        if is_hard and chance.random() < 0.2:
            stated[name] = None
    if chance.random() < (0.5 if is_hard else 0.25):
        to = chance.choice(("R1", "R1", "R2", "R1 R2", "R9") if is_hard else ("R1", "R1", "R2"))
        stated["source"] = f"Quote RFQ-20261001-7C1E {to}{chance.choice(REMARKS)}"
    rate = None if chance.random() < 0.05 else chance.randint(150, 400) / 100
    term = 3 if of_days else chance.choice((12, 12, 24, 6) if is_hard else (12, 12, 12, 24))
    return quote(
        f"q{number}", rate, term, **{key: value for key, value in stated.items() if value is not None}
    )


def random_market(case: str, *, is_hard: bool) -> tuple[list[Any], list[Any], Any]:
    """Return rows, offers and conditions. case: a seed; is_hard: few offers qualify."""
    chance = random.Random(f"award {case}")
    rows = [random_row(chance, number) for number in range(1, 1 + chance.randint(1, 4))]
    offers = [random_quote(chance, number, is_hard=is_hard) for number in range(chance.randint(2, 7))]
    conditions = replace(
        CONDITIONS,
        mappings=MAPPINGS,
        sla_percent=chance.choice((99.9, 99.0, None)),
        over_share=frozenset(chance.choice(((), (), ("Q",)))),
        shares=chance.choice(({}, {}, {Only("P"): 0.5})),
        max_share=chance.choice((None, None, 0.6)),
        max_prepaid=chance.choice((None, None, 9000.0)),
    )
    return rows, offers, conditions


# --- What comes of them --------------------------------------------------------------------------


def pair_line(pair: Considered) -> str:
    """Return who stands beside which row, and how many reasons speak against it, with their values."""
    against = "; ".join(message_values(words) or "-" for words in pair.against)
    start = (pair.start_s - TODAY_S) / DAY_S
    return (
        f"{pair.row.name} {pair.offer.offer_id} ratio {shown(pair.ratio)} day {shown(start)} "
        f"for {shown(pair.quoted_for)} unknown {len(pair.unknown)} against [{against}]"
    )


def figures(value: Any, *left_out: str) -> str:
    """Return the fields of an object, without some and without those that are unknown."""
    kept = [field.name for field in fields(value) if field.name not in left_out]
    return " ".join(
        f"{name} {shown(getattr(value, name))}" for name in kept if getattr(value, name) is not None
    )


def award_lines(award: Award) -> list[str]:
    """Return sums of an award, its lines, what stays open, its vendors and its quotes."""
    names = ("liability", "prepaid", "asked_gpus", "open_gpus")
    sums = {name: getattr(award, name) for name in names}
    sums["limited_gpus"] = sum(left.gpus for left in award.open if left.is_quoted)
    sums["shared"] = award.shared
    lines = [" ".join(f"{name} {shown(value)}" for name, value in sums.items())]
    lines.append(f"rows {' '.join(row.name for row in award.rows)}; options {len(award.options)}")
    lines.append(
        f"{sum(pair.qualifies for pair in award.considered)} of {len(award.considered)} pairs qualify"
    )
    lines += (
        f"awarded {line.row.name} {line.offer.offer_id}: {figures(line, 'row', 'offer')}"
        for line in award.awarded
    )
    lines += (f"open {left.row.name} {left.nodes} {left.gpus} {left.is_quoted}" for left in award.open)
    lines += map(shown, award.vendors)
    for found in award.quotes:
        rows = " ".join(row.name for row in found.rows) or "no row"
        words = f"against {len(found.against)} unknown {len(found.unknown)}"
        told = figures(found, "offer", "rows", "against", "unknown", "market", "tried")
        lines.append(f"quote {found.offer.offer_id} for {rows}, {words}: {told}")
    return lines


def award_text(case: str) -> str:
    """Return the award of a random market. case: a seed."""
    rows, offers, conditions = random_market(case, is_hard=False)
    found = award_of(rows, offers, conditions)
    assert found is not None
    return "\n".join(award_lines(found))


def hindrances_text(case: str) -> str:
    """Return what speaks against each quote beside each row, and the first of it. case: a seed."""
    rows, offers, conditions = random_market(f"hard {case}", is_hard=True)
    pairs = considered(rows, offers, replace(conditions, order_day_s=TODAY_S + 7 * DAY_S))
    hindered = (message_values(words) if (words := hindrance(pair, conditions)) else "none" for pair in pairs)
    return "\n".join(f"{pair_line(pair)} {words}" for pair, words in zip(pairs, hindered, strict=True))


# --- Rates that are worth signing ----------------------------------------------------------------

THRESHOLDS: Final = (
    0.0,
    0.01,
    0.03,
    0.5,
    0.79,
    0.8,
    0.81,
    1.0,
    1.1,
    1.25,
    1.3,
    1.5,
    1.7,
    3.9,
    15.0,
    63.9,
    64.0,
    1e9,
)


def worth_text(case: str) -> str:
    """Return the rate that is found beside $2 quoted where lower ones than so many times that are signed."""
    times, *guesses = map(float, case.split())
    asked: list[float] = []

    def signs(rate: float) -> bool:
        asked.append(rate)
        return rate <= 2 * times

    found = worth_signing(2.0, signs, guesses=guesses)
    return f"{shown(found.rate)} {found.why is not None} of {len(asked)}: {shown(found.tried)}"


GUESSED: Final = ("1.3 2.6", "1.3 2.599", "1.3 2.7 2.59", "0.7 1.4", "0.7 9", "5 0.1 10")


def seeds(text_of: Callable[[str], str]) -> Table:
    return Table(text_of=text_of, cases=SEEDS)


TABLES: Final = {
    "awards.txt": seeds(award_text),
    "hindrances.txt": seeds(hindrances_text),
    "worth.txt": Table(text_of=worth_text, cases=(*(f"{times:g}" for times in THRESHOLDS), *GUESSED)),
}
