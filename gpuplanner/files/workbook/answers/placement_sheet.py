"""Placement: the sites that serve the users, and what other sets of sites cost."""

from gpuplanner.domain.figures.writing import LONGEST_MS
from gpuplanner.domain.reports import serving
from gpuplanner.domain.serving.placement import egress_from_sites, placement_of
from gpuplanner.domain.serving.transit import DETOUR, FIXED_MS, KM_PER_MS_IN_FIBRE, tokens_per_month
from gpuplanner.files.workbook.answers.values_note import VALUES
from gpuplanner.files.workbook.inputs.sheet_inputs import Inputs
from gpuplanner.files.workbook.kit.book import Book
from gpuplanner.files.workbook.kit.figure_cells import looks_of, write_report
from gpuplanner.files.workbook.kit.looks import AMBER
from gpuplanner.files.workbook.kit.sheets import STUDIES


def write_placement(book: Book, inputs: Inputs) -> None:
    """Write the sites that serve the users, and other sets of sites."""
    project = inputs.project
    sheet = book.sheets[STUDIES]
    placement = placement_of(project.places)
    row = book.title(
        STUDIES,
        f"Sites that serve the users, and the network latency to the top 80% of users. {VALUES}Change users, sites and "
        "prices in the panel Placement of the app and export again.",
        f"One way = measured, else km / {KM_PER_MS_IN_FIBRE:g} x {DETOUR:g} + {FIXED_MS:g} ms, over the great circle. "
        f"More than {LONGEST_MS} ms one way is flagged; exactly {LONGEST_MS}.0 is not.",
        *placement.notes,
        title="Placement",
    )
    sets = write_report(
        book,
        STUDIES,
        row,
        serving.SITE_SETS,
        serving.sets_and_cheapest(placement),
        16,
        looks_of("site_set"),
        heading="Sets of sites, over the top 80% of users",
    )
    tokens = tokens_per_month(project.traffic.values())
    egress = egress_from_sites(inputs.assumptions, project.places, tokens)
    facts = (
        ("Share of users in the top cities", placement.today.covered_share, "ratio"),
        ("Egress, $ per month", egress.usd, "rate"),
    )
    for place, (what, value, style) in enumerate(facts, start=sets.end_row + 1):
        book.write(STUDIES, place, 0, what, "strong")
        book.write(STUDIES, place, 1, value, style)
    book.write(STUDIES, sets.end_row + 2, 2, egress.sentence, "muted.indent")
    sites = project.places.sites
    listed = write_report(
        book,
        STUDIES,
        sets.end_row + 4,
        serving.SITES,
        sites,
        16,
        looks_of("site"),
        heading=serving.SITES.title,
    )
    cities = write_report(
        book,
        STUDIES,
        listed.end_row + 1,
        serving.CITIES,
        placement.today.current.service.legs,
        16,
        looks_of("city"),
        heading="Cities, as they are served today",
        is_long=True,
    )
    cities.widen()
    look = book.workbook.add_format({"font_color": AMBER, "bold": True})
    rule = {"type": "cell", "criteria": "==", "value": '"yes"', "format": look}
    sheet.conditional_format(*sets.area("is_over_80", "is_over_80"), rule)
