"""What an award says of itself beside its tables, and the lines of a row that several serve."""

import re
from dataclasses import replace

from gpuplanner.domain.award.award import award_of
from gpuplanner.domain.model.intake import UNREAD, SentRow
from gpuplanner.domain.reports.award import LEFT_OUT, QUOTES, ROWS, VENDORS, headline, notes
from gpuplanner.domain.reports.report import Medium
from tests.domain.award.conftest import CONDITIONS, quote, row


def figures(text: object) -> list[str]:
    return re.findall(r"\$?\b[OR]?\d[\d,.]*\b%?", str(text))


def test_what_stays_open_and_what_limits_hold_is_said() -> None:
    rows = [row(), row("R2", 8, term_months=24), row("R3", is_option=True)]
    award = award_of(rows, [quote("a", 2.0, upfront_usd=100)], replace(CONDITIONS, max_share=1.0))
    assert award is not None
    assert figures(headline(award)) == ["1", "2", "$281,920"]
    assert list(map(figures, notes(award))) == [["R2"], ["$1,600"], ["100%", "$281,920"], ["1"]]
    alone = award_of([row()], [quote("a", 2.0)], replace(CONDITIONS, max_share=0.4))
    assert alone is not None
    assert figures(next(notes(alone))) == ["R1"] and "limit" in str(next(notes(alone)))


def test_a_row_has_a_line_of_each_who_serves_it_and_one_of_what_stays_open() -> None:
    offers = [quote("a", 2.0, max_gpus=8), quote("b", 2.5, max_gpus=8), quote("c", None)]
    award = award_of([row(gpus=24)], offers, CONDITIONS)
    assert award is not None
    lines = ROWS.rows(award)
    assert [str(ROWS.column("provider").of(line)) for line in lines[:2]] == ["Vendor a", "Vendor b"]
    assert "limit" in str(ROWS.column("provider").of(lines[2]))
    assert [str(ROWS.column("gpus").of(line)) for line in lines] == ["8", "8", "8 open"]
    assert [one.offer.offer_id for one in QUOTES.rows(award)] == ["a", "b"]
    dear = award_of([row()], [quote("a", 2.0), quote("b", 2.5)], CONDITIONS)
    assert dear is not None
    notes_of = [str(QUOTES.column("marked").of(one)) for one in QUOTES.rows(dear)]
    assert [bool(note) for note in notes_of] == [False, True]
    (left,) = LEFT_OUT.rows(award)
    assert "no rate" in str(LEFT_OUT.column("why").of(left))


def test_a_vendor_that_no_quote_names_has_a_line_too() -> None:
    nameless = replace(quote("b", 2.5), provider=None)
    conditions = replace(CONDITIONS, needs_vendor=False)
    award = award_of([row(gpus=24)], [quote("a", 2.0, max_gpus=8), nameless], conditions)
    assert award is not None
    lines = VENDORS.rows(award)
    name = next(one for one in VENDORS.columns if one.key == "provider" and one.form == "name")
    assert [(VENDORS.key(line), str(name.of(line))) for line in lines] == [
        ("Vendor a", "Vendor a"),
        ("", "Provider missing"),
    ]


def test_an_answer_that_could_not_be_read_is_said_beside_what_is_undecided() -> None:
    award = award_of([row()], [quote("a", 2.0)], CONDITIONS)
    assert award is not None
    unread = SentRow(
        reference="RFQ-20261001-AAAA",
        name="R1",
        gpu_model="H100",
        term_months=12,
        term_days=0,
        start=None,
        is_option=False,
        region="",
        interconnect=None,
        vendor="Vela",
        quoted_on=None,
        answer=UNREAD,
        line=17,
    )
    said = str(next(notes(replace(award, unread=(unread,)))))
    assert "Vela" in said and "R1" in said
    assert said not in map(str, notes(award))


def test_the_window_has_of_a_quote_what_the_command_line_has() -> None:
    """But for who quotes and for what, which stand there in one column."""
    names = [{one.name for one in QUOTES.columns_in(of)} for of in (Medium.WINDOW, Medium.TERMINAL)]
    who = {"provider", "offer_id", "what"}
    assert names[0] - who == names[1] - who >= {"gpus", "margin_share"}


def test_a_row_that_is_numbered_anew_says_as_which_it_was_quoted() -> None:
    """A quote of R1 that serves what is now R3; one that has its number, and the offer of a list, say nothing."""
    source = "Quote RFQ-20261001-7C1E {} for 2026-12-01"
    for name, offer, said in (
        ("R3", quote("a", 2.0, source=source.format("R1")), "R3, quoted as R1"),
        ("R1", quote("a", 2.0, source=source.format("R1")), "R1"),
        ("R3", quote("a", 2.0), "R3"),
    ):
        asked = row(name, asked_as=(("RFQ-20261001-7C1E", "R1"),))
        award = award_of([asked], [offer], CONDITIONS)
        assert award is not None
        (line,) = ROWS.rows(award)
        assert str(ROWS.column("row").of(line)) == said
        asked_for = next(one for one in ROWS.columns_in(Medium.WINDOW) if one.name == "asked")
        assert str(asked_for.of(line)) == f"{said}: 16 H100, 12 months"


def test_what_is_rounded_up_to_nodes_says_what_it_costs() -> None:
    """10 GPUs are ordered where a node has 8: 6 of 16 more, of $281,920 less what is prepaid."""
    asked = row()
    ordered = replace(asked.orders[0], gpus=10.0, offer_gpus=None)
    award = award_of([replace(asked, orders=(ordered,))], [quote("a", 2.0)], CONDITIONS)
    assert award is not None
    more = award.liability * 6 / 16
    assert figures(next(iter(notes(award))))[-2:] == ["8", f"${more:,.0f}"]
