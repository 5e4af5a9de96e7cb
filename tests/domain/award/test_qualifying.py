"""Each reason by itself: what is just enough qualifies, what is just too little says why."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.award.award import award_of, benchmarks_of
from gpuplanner.domain.award.qualifying import Conditions, considered, hindrance, quotes_among, worth_of
from gpuplanner.domain.figures.titles import NOT_STATED
from gpuplanner.domain.fit.needs import AskedNeeds
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import ModelMapping, Only
from gpuplanner.domain.model.book.quote_source import answered_row, quote_source
from gpuplanner.domain.model.book.remark import taken_as_quoted, undecided
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.domain.model.window import DAY_S, iso_day
from tests.domain.award.conftest import CONDITIONS, TODAY_S, order, quote, row


def against(offer: Offer, conditions: Conditions = CONDITIONS, **of_row: object) -> list[str]:
    (one,) = considered([row(**of_row)], [offer], conditions)
    assert one.qualifies == (not one.against)
    return list(map(str, one.against))


def test_what_meets_all_of_it_qualifies() -> None:
    assert against(quote("a", 2.5)) == []


@pytest.mark.parametrize(
    ("enough", "short", "words"),
    [
        ({"rate": 0.01}, {"rate": None}, "no rate: a quote is needed"),
        ({"currency": "EUR"}, {"currency": "EUR", "exchange": None}, "no exchange rate for EUR"),
        ({"term": 12}, {"term": 11}, "term 11 months, asked for 12 months"),
        ({"min_term_months": 12}, {"min_term_months": 24}, "minimum term 24 months, asked for 12 months"),
        ({}, {"term_days": 365}, "term 365 days, asked for 12 months"),
        ({"lead_time_hours": 720.0}, {"lead_time_hours": 744.0}, "starts 1 Nov 2026, asked for 31 Oct 2026"),
        ({"starts": "2026-10-31"}, {"starts": "2026-11-01"}, "starts 1 Nov 2026, asked for 31 Oct 2026"),
        ({"ends": "2027-10-31"}, {"ends": "2027-10-29"}, "available until 29 Oct 2027, less than its term"),
        ({"valid_until": "2026-10-01"}, {"valid_until": "2026-09-30"}, "expired on 30 Sep 2026"),
        ({"sla_percent": 99.9}, {"sla_percent": 99.89}, "SLA of 99.89%, asked for 99.9%"),
        ({"unit_gpus": 16}, {"unit_gpus": 17}, "sold in units of 17 GPUs, asked for 16"),
        ({"max_gpus": 8}, {"max_gpus": 7}, "at most 7 GPUs, a node has 8"),
    ],
)  # fmt: skip
def test_limits(enough: dict[str, object], short: dict[str, object], words: str) -> None:
    assert against(quote("a", **{"rate": 2.0, **enough})) == []  # type: ignore[arg-type]
    assert against(quote("a", **{"rate": 2.0, **short})) == [words]  # type: ignore[arg-type]


NEEDS = AskedNeeds("roce_400", True, 80.0)


@pytest.mark.parametrize(
    ("short", "words"),
    [
        ({"interconnect": "ethernet"}, "interconnect ethernet, asked for roce_400"),
        ({"bare_metal": False}, "is not bare metal"),
        ({"gpu_memory_gb": 40.0}, "40 GB, asked for 80 GB"),
    ],
)
def test_hardware_that_is_less_than_needed(short: dict[str, object], words: str) -> None:
    has = {"interconnect": "infiniband", "bare_metal": True, "gpu_memory_gb": 80.0}
    assert against(quote("a", 2.0, **has), needs=NEEDS) == []
    assert against(quote("a", 2.0, **{**has, **short}), needs=NEEDS) == [words]


def test_what_is_not_stated_qualifies_and_is_marked() -> None:
    silent = quote("a", 2.0, sla_percent=None, interconnect=None, bare_metal=None, gpu_memory_gb=None)
    (one,) = considered([row(needs=NEEDS)], [silent], CONDITIONS)
    assert one.qualifies
    assert [str(name).removesuffix(f" {NOT_STATED}") for name in one.unknown] == [
        "SLA", "interconnect", "bare metal", "memory",
    ]  # fmt: skip
    (one,) = considered([row()], [silent], replace(CONDITIONS, sla_percent=None))
    assert one.unknown == ()  # nobody asked


def test_another_model_serves_where_it_is_mapped() -> None:
    offer = replace(quote("a", 4.0), gpu_model="H200")
    assert considered([row()], [offer], CONDITIONS) == ()
    mapped = replace(CONDITIONS, mappings=(ModelMapping("H100", "H200", 1.6),))
    (one,) = considered([row()], [offer], mapped)
    assert (one.qualifies, one.ratio) == (True, 1.6)
    both = row(orders=(order(), order(gpu_model="A100")))  # of demand that H200 may not serve
    assert considered([both], [offer], mapped) == ()


def test_a_vendor_without_a_name_gets_nothing() -> None:
    for provider in (None, ""):
        (pair,) = considered([row()], [quote("a", 0.1, provider=provider)], CONDITIONS)
        assert len(pair.against) == 1
        (listed,) = considered([row()], [pair.offer], replace(CONDITIONS, needs_vendor=False))
        assert listed.qualifies, "a list price may be of nobody"


def test_list_prices_are_no_quotes_and_the_cheapest_of_them_is_a_benchmark() -> None:
    """16 GPUs for a year of 8,760 h at $2: $280,320; twice that where it is wanted twice."""
    listed = [quote("list", 2.0), quote("dear", 2.5), quote("short", 1.0, 3), quote("none", None)]
    quotes = [quote("own", 2.2, valid_until="2030-01-01"), quote("said", 2.1, source="Quote GE-9")]
    assert quotes_among([*listed, *quotes]) == tuple(quotes)
    (one,) = benchmarks_of([row()], listed, CONDITIONS)
    assert (one.offer.offer_id, one.rate, one.liability) == ("list", 2.0, 280_320.0)
    (twice,) = benchmarks_of([row(terms=2)], listed, CONDITIONS)
    assert twice.liability == 2 * one.liability
    assert benchmarks_of([row(gpu_model="B200")], listed, CONDITIONS) == ()


def test_usage_prices_are_no_quotes() -> None:
    on_demand = replace(quote("a", 4.0), pricing_category=PricingCategory.STANDARD, term_months=0)
    assert considered([row()], [on_demand], CONDITIONS) == ()


def test_who_alone_may_serve_and_who_has_enough() -> None:
    (reason,) = against(quote("a", 2.0), only=Only("Vendor b"))
    assert "only Vendor b" in reason
    closed = replace(CONDITIONS, over_share=frozenset({"Vendor a"}))
    (reason,) = against(quote("a", 2.0), closed)
    assert "Vendor a" in reason and "share" in reason
    assert against(quote("b", 2.0), closed) == []


def test_a_start_that_the_plan_itself_cannot_meet_any_more_is_not_asked_of_others() -> None:
    own, slower = quote("own", 3.0, lead_time_hours=48.0), quote("slow", 2.0, lead_time_hours=72.0)
    found = considered([row(days=0)], [own, slower], CONDITIONS)
    assert {one.offer.offer_id: one.qualifies for one in found} == {"own": True, "slow": False}


def test_a_quote_for_one_row_is_none_for_another() -> None:
    rows = [row(), row("R2", days=60), row("R3", days=90)]
    for source, places in (
        ("Quote RFQ-1 R2", {"R2"}),
        ("Quote RFQ-1 R9; later rows", {"R2"}),  # rows are numbered anew: the first that it is there for
        ("a price list", {"R2", "R3"}),
    ):
        offer = quote("a", 2.0, source=source, starts=iso_day(rows[1].start_s))
        found = considered(rows, [offer], CONDITIONS)
        assert {one.row.name for one in found if one.qualifies} == places
    of_option = considered(
        [*rows, row("R4", is_option=True)], [quote("a", 2.0, source="Quote X R4")], CONDITIONS
    )
    assert {str(one.against[0]) for one in of_option} == {"is quoted for R4"}


def test_a_rate_of_zero_asks_for_a_quote() -> None:
    free = replace(quote("a", 2.0), rate_usd_per_gpu_hour=Decimal(0))
    (reason,) = against(free)
    assert "no rate" in reason


def test_a_mapped_gpu_is_worth_what_it_is_for_the_demand_that_it_serves_worst() -> None:
    """An H200 does the work of 1.6 H100, or of 2.4 A100, of which an H100 does 2: 1.2 H100."""
    mappings = [
        ModelMapping("H100", "H200", 1.6), ModelMapping("A100", "H100", 2.0), ModelMapping("A100", "H200", 2.4),
    ]  # fmt: skip
    offer, both = replace(quote("a", 4.0), gpu_model="H200"), (order(8.0), order(8.0, gpu_model="A100"))
    assert worth_of(row(), offer, mappings) == 1.6
    assert worth_of(row(orders=both), offer, mappings) == pytest.approx(1.2)
    assert worth_of(row(orders=both), offer, mappings[:2]) is None
    assert worth_of(row(orders=both), quote("b", 4.0), mappings) == 1.0


# --- What a vendor remarks -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("remark", "words"),
    [
        ("RTX 4090 nodes instead of H100", "its remark names RTX 4090, but the RFQ asks for H100"),
        ("A100s for the first month", "its remark names A100s, but the RFQ asks for H100"),
        ("subject to availability", "its remark contains “subject to”"),
        ("Plus 19% VAT", "its remark contains “Plus 19% VAT”"),
        ("minimum 64 GPUs", "its remark contains “minimum”"),
        ("$2.10 from month 4 on", "its remark contains “from month 4 on”"),
        ("H100s in place of two nodes", "its remark contains “in place of”"),
    ],
)
def test_a_remark_that_changes_the_offer_keeps_it_from_the_award(remark: str, words: str) -> None:
    offer = quote("a", 2.0, source=f"Quote RFQ-20261001-7C1E R1 for 2026-10-31; {remark}")
    (one,) = considered([row()], [offer], CONDITIONS)
    assert not one.qualifies and str(undecided(one.offer)).startswith(f"{words}: ")
    assert undecided(one.offer) == one.against[-1]
    taken = taken_as_quoted(offer)
    (one,) = considered([row()], [taken], CONDITIONS)
    assert undecided(one.offer) is None and words not in str(one.against)
    said = answered_row(taken)
    assert said is not None and said.remark == remark
    assert taken_as_quoted(taken) is taken


@pytest.mark.parametrize(
    "remark",
    [
        "8xRTX4090 boxes instead",
        "8xH200 nodes",
        "HGX-H200 systems",
        "start from 1.2.2027 on",
        "delivery from Feb. 1 on",
        "VAT extra",
        "1.95 is for 24 months, 2.35 for 12",
        "Rate increases to 2.20 after month 6",
        "Rate in EUR",
        "Hourly rate assumes annual prepayment",
        "Only 8 GPUs in February, remaining 8 from April",
        "GPUs are H100 NVL, not SXM",
        "First three months free",
        "Firm until Friday noon",
        "see attached PDF",
        "unless sold out before",
        "if accepted this week; questions to Ann",
        "pending board approval",
        "optional",
        "if required deposit is paid",
        "if ordered by Friday, if needed",
        "whilst stocks last",
        "while capacity is available",
        "provided that we get 64 GPUs",
        "price moves from the second year on",
        "paid in advance",
        "All or nothing, bundled together",
        "Prices exclude power and cooling",
        "storage is extra",
        "plus one-off setup fee of $500",
        "5% discount for payment at order",
        "price on request after June",
        "final rate to be confirmed",
        "available from 1 March 2027",
        "not before mid-February",
        "Lieferung ab März",
        "up to 8 GPUs",
        "Mindestabnahme 32 GPUs",
        "refurbished nodes",
        "Ethernet, no InfiniBand",
        "SLA 99.5%",
        "first come, first served",
        "zuzüglich Mehrwertsteuer",
        "au lieu de H100",
        "exclusively for new customers",
        "rate exclusive of power",
        "no setup fee, but a deposit",
        "a comparable card at our discretion",
        "no NVLink",
        "PCIe cards",
        "40 GB version",
        "we can do 56 of them",
        "can cover half of it",
        "shared nodes",
        "matériel d'occasion",
        "price is per 8-GPU server",
        "Preise in Tausend",
        "local levies come on top",
        "Preis zuzüglich Strom",
        "prix hors électricité",
        "egress not covered",
        "payable by the customer at cost",
        "introductory rate",
        "rate goes up 3% yearly",
        "2.40 after the first quarter",
        "rate holds with 3y term",
        "rolling monthly",
        "once our new site goes live",
        "assuming signature before Christmas",
        "stock permitting",
        "Zwischenverkauf vorbehalten",
        "dans la limite des stocks disponibles",
        "ready in about six weeks",
        "Lieferzeit sechs Wochen",
        "disponible en mars",
        "our own terms prevail",
        "siehe Anhang",
        "as discussed by phone",
        "Volume floor: 64 cards",
        "Ramp: one box in February, the other when we get it",
        "in two tranches",
        "power not incl.",
        "energy clause",
        "Preis pro Knoten",
        "je nach Verfügbarkeit",
        "selon disponibilité",
        "billing starts at signature",
        "evergreen",
        "details to follow",
        "needs internal sign-off",
        "ballpark",
    ],
)
def test_terms_units_and_money_in_a_remark_change_the_offer(remark: str) -> None:
    assert undecided(quote("a", 2.0, source=f"Quote RFQ-20261001-7C1E R1; {remark}")) is not None


@pytest.mark.parametrize(
    "remark",
    [
        "two sites",
        "HGX H100-SXM5 80GB, Dublin",
        "no minimum",
        "excl. VAT, as asked",
        "H100s in stock",
        "Call if there are questions",
        "If you have any questions, please ask",
        "if anything is unclear we are here",
        "Spare nodes in the same hall if needed",
        "If required, we can send references.",
        "Whilst we are new to you, Ann knows us",
        "Support provided by NVIDIA engineers",
        "served from our hall on the coast",
        "for your information only",
        "Thank you in advance; we look forward to working together",
        "feel free to call, answered within 30 min.",
        "12 years of experience; data sheet attached",
        "no set-up fees, excluding taxes as asked",
        "Price includes power and cooling",
        "Support available 24/7",
        "H100s from market leaders, available now",
        "exclusive use of dedicated, non-interruptible nodes",
        "no hidden fees or surcharges, deposit-free",
        "never refurbished; in reply to your request from 27 Nov 2026",
        "after-sales support in your language, see you soon",
        "all requirements met, parts and labour included",
        "Lieferzeit wie angefragt",
        "Quote Q-2026-14 of 2026-07-01, H100 SXM5-80, tel 030-1234",
        "tier III hall, service credits as asked, rate fixed over the term",
    ],
)
def test_a_remark_that_changes_nothing_is_only_shown(remark: str) -> None:
    said = f"Quote RFQ-20261001-7C1E R1; {remark}"
    assert undecided(quote("a", 2.0, source=said, gpu_memory_gb=80.0)) is None
    assert undecided(quote("a", 2.0, source=remark)) is None  # no quote: nobody remarks


@given(st.text(min_size=1, max_size=700))
def test_no_remark_is_lost_in_silence(remark: str) -> None:
    """What is longer than an offer keeps is undecided, whatever its words."""
    plain = " ".join(remark.split())
    offer = quote("a", 2.0, source=quote_source("RFQ-20261001-7C1E", "R1", plain))
    said = answered_row(offer)
    assert said is not None and (said.remark == plain or undecided(offer) is not None)
    assert len(taken_as_quoted(offer).source or "") <= 300 and undecided(taken_as_quoted(offer)) is None


# --- What hinders by itself, and the SLA and start of a quote's own request


def test_a_rate_and_whole_nodes_are_no_hindrance() -> None:
    """An SLA of 99.5% where 99.9% were asked for is one, whatever else there is."""
    (short,) = considered([row()], [quote("a", None, unit_gpus=17)], CONDITIONS)
    assert len(short.against) == 2 and hindrance(short, CONDITIONS) is None
    (less,) = considered([row()], [quote("a", 2.0, sla_percent=99.5)], CONDITIONS)
    said = hindrance(less, CONDITIONS)
    assert said is not None and [str(said.values[name]) for name in ("sla", "asked")] == ["99.5", "99.9"]


def test_gpus_that_are_sold_one_by_one_are_units_of_one() -> None:
    units = [quote("a", 2.0, unit_gpus=unit) for unit in (None, 4)]
    assert [one.unit_gpus for one in considered([row()], units, CONDITIONS)] == [1, 4]


@pytest.mark.parametrize(
    ("asked", "has", "qualifies"), [(99.95, 99.9, False), (99.5, 99.5, True), (0.0, 90.0, True)]
)
def test_the_sla_of_a_quote_is_that_of_its_own_request(asked: float, has: float, qualifies: bool) -> None:
    """The plan asks for 99.9%, which counts for what was quoted in no request."""
    source = quote_source("RFQ-20261001-7C1E", "R1", sla_percent=asked)
    (one,) = considered([row()], [quote("a", 2.0, source=source, sla_percent=has)], CONDITIONS)
    assert one.qualifies is qualifies


@pytest.mark.parametrize(("reference", "late_days"), [("RFQ-20261001-7C1E", 0), ("RFQ-20260901-AAAA", -15)])
def test_what_was_asked_for_on_a_day_is_in_time_on_it(reference: str, late_days: int) -> None:
    """The row starts in 30 days, and the request that it equals asked for 45."""
    asked_s = TODAY_S + 45 * DAY_S
    source = quote_source(reference, "R1", asked_for=iso_day(asked_s))
    offer = quote("a", 2.0, source=source, starts=iso_day(asked_s))
    (one,) = considered([row(asked_as=(("RFQ-20261001-7C1E", "R1"),))], [offer], CONDITIONS)
    assert one.start_s == asked_s + late_days * DAY_S


def qualifies(offer: Offer, **of_row: Any) -> bool:
    mapped = replace(
        CONDITIONS, mappings=(ModelMapping("H100", "H200", 2.0), ModelMapping("H100", "A100", 0.5))
    )
    found = award_of([row(**of_row)], [offer], mapped)
    assert found is not None
    return bool(found.quotes[0].rows)


def test_units_and_the_most_of_an_offer_count_by_what_its_gpus_are_worth() -> None:
    """Of 16 GPUs asked for in nodes of 8: an H200 is worth two, an A100 half of one."""
    for model, unit, is_enough in (
        ("H200", 8, True),
        ("H200", 9, False),
        ("A100", 32, True),
        ("A100", 33, False),
        ("H100", 16, True),
        ("H100", 17, False),
    ):
        assert qualifies(quote("a", 2.0, gpu_model=model, unit_gpus=unit)) is is_enough
    for model, most, is_enough in (
        ("H200", 4, True),
        ("H200", 3, False),
        ("A100", 16, True),
        ("A100", 15, False),
        ("H100", 8, True),
        ("H100", 7, False),
    ):
        assert qualifies(quote("a", 2.0, gpu_model=model, unit_gpus=1, max_gpus=most)) is is_enough


@pytest.mark.parametrize(
    ("asked", "enough", "short"),
    [
        (AskedNeeds("infiniband"), {"interconnect": "infiniband"}, {"interconnect": "roce_400"}),
        (AskedNeeds("roce_400"), {"interconnect": "roce_400"}, {"interconnect": "roce"}),
        (AskedNeeds("ethernet"), {"interconnect": "ethernet"}, None),
        (AskedNeeds("infiniband"), {"interconnect": "nvlink"}, {"interconnect": "ethernet"}),
        (AskedNeeds(bare_metal=True), {"bare_metal": True}, {"bare_metal": False}),
        (AskedNeeds(memory_gb=80.0), {"gpu_memory_gb": 80.0}, {"gpu_memory_gb": 79.9}),
    ],
)
def test_hardware_as_it_is_asked_for_is_enough(
    asked: AskedNeeds, enough: dict[str, Any], short: dict[str, Any] | None
) -> None:
    assert qualifies(quote("a", 2.0, **enough), needs=asked)
    assert qualifies(quote("a", 2.0), needs=asked)  # what is not stated is no reason
    assert short is None or not qualifies(quote("a", 2.0, **short), needs=asked)
