"""The command place: places read, and how they are served, as JSON and as text."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from gpuplanner.cli.arguments import PROJECT_SUFFIX, UsageError
from gpuplanner.cli.documents.audit import check_entries
from gpuplanner.cli.documents.head import Document
from gpuplanner.cli.documents.intake import intake_document
from gpuplanner.cli.option_values import parse_settings
from gpuplanner.cli.project_words import in_money_of, no_project, with_money
from gpuplanner.cli.reading import maps_of_places
from gpuplanner.cli.tables import percent, report_text
from gpuplanner.cli.terminal import Commands, Tables
from gpuplanner.domain.audit.log_checks import place_checks
from gpuplanner.domain.figures.writing import ENGLISH
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.book.exchange import DOLLARS, Currency
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.domain.model.places import Places, residency_only
from gpuplanner.domain.reports.report import each, entry, fields, named, of_part
from gpuplanner.domain.reports.serving import CITIES, SITE_SETS, sets_and_cheapest
from gpuplanner.domain.serving.measuring import HOW_TO, measuring_of
from gpuplanner.domain.serving.placement import (
    Placement,
    SiteSet,
    egress_from_sites,
    forbidden_countries,
    placement_of,
)
from gpuplanner.domain.serving.transit import Egress, Leg, Service, tokens_per_month
from gpuplanner.files.system.terminal_output import one_line
from gpuplanner.lazy_dataclass import dataclass

# --- Placement as JSON: how every city is served today, the best sites for each number of them, and egress


def _users(leg: Leg) -> int | float:
    """A whole number where they are one."""
    users = leg.city.users
    return int(users) if users == users.to_integral_value() else float(users)


def _by_city(leg: Leg) -> tuple[str, str, float, float]:
    """Order of legs in a document: by name, not by users."""
    return leg.city.city, leg.city.country, leg.city.latitude, leg.city.longitude


def _unserved_countries(one: SiteSet) -> list[str]:
    """Countries of cities that none of the sites may serve, those of the top 80% first."""
    return list(forbidden_countries((*one.service.unserved, *one.service.unserved_others)))


LEG: Final = fields(
    *of_part("city", "city", "country"),
    named("users", _users),
    "site_id",
    "one_way_ms",
    "km",
    "is_measured",
    named("in_top_80_percent", "is_top"),
)
"""One city and its way."""
CURRENT: Final = fields(
    named("sites", lambda today: list(today.current.sites)),
    *of_part("current", "mean_one_way_ms", "round_trip_ms"),
    "covered_share",
    named("cities", lambda today: sorted(city.city for city in today.table.top_cities)),
    named("over_80_ms", "current.service.is_over_80"),
    named("way_80_percent_ms", "current.service.way_80_ms"),
    named("way_80_percent_over_80_ms", "current.service.is_way_80_over"),
    named("served_mean_one_way_ms", "current.service.served_mean_ms"),
    named("usd_per_month", "current.usd_per_month"),
    named("unserved_countries", lambda today: _unserved_countries(today.current)),
    each("legs", LEG, lambda today: sorted(today.current.service.legs, key=_by_city)),
)
"""Today: the headline figures, and how every city is served."""
PROPOSAL: Final = fields(
    named("sites", lambda one: list(one.sites)),
    "mean_one_way_ms",
    "round_trip_ms",
    "gap",
    "usd_per_month",
    named("served_mean_one_way_ms", "service.served_mean_ms"),
    named("over_80_ms", "service.is_over_80"),
    named("way_80_percent_ms", "service.way_80_ms"),
    named("way_80_percent_over_80_ms", "service.is_way_80_over"),
    named("adds", lambda one: list(one.adds)),
    named("drops", lambda one: list(one.drops)),
    named("unserved_countries", _unserved_countries),
)
"""A set of sites with its figures, and how it differs from today's."""
EGRESS: Final = fields(
    named("text_gb_per_month", "text_gb"),
    named("media_gb_per_month", "media_gb"),
    "usd_per_gb",
    named("text_usd_per_month", "text_usd"),
    named("media_usd_per_month", "media_usd"),
    "sentence",
)


MEASURE: Final = fields(
    each("cities", fields(*of_part("city", "city", "country"), "line")),
    each("sites", fields(*of_part("site", "site_id", "host"), "line")),
)
"""What to run in a shell to measure the latency: in each city its line, then those of the sites."""


def place_document(
    intake: Sequence[FileIntake], places: Places, assumptions: Assumptions, tokens_read: float | None
) -> Document:
    """intake, current, proposed, cheapest_within_80_ms, egress, checks, notes and how to measure; current null without
    places, measure null without a host.

    tokens_read: a month, of files of traffic. Ways in ms, null where unknown. Source: docs/formulas/placement.md.
    """
    placement = placement_of(places)
    egress = egress_from_sites(assumptions, places, tokens_read)
    cheapest = placement.cheapest_within
    return {
        "intake": intake_document(intake),
        "current": entry(CURRENT, placement.today) if places.can_be_placed else None,
        "proposed": [entry(PROPOSAL, one) for one in placement.proposed],
        "cheapest_within_80_ms": None if cheapest is None else entry(PROPOSAL, cheapest),
        "left_out": list(placement.left_out),
        "egress_usd_per_month": egress.usd,
        "egress": entry(EGRESS, egress),
        "only": residency_only(places),
        "checks": check_entries(place_checks(places)),
        "notes": list(placement.notes),
        "measure": None if (measuring := measuring_of(places)) is None else entry(MEASURE, measuring),
    }


# --- The answer of `place`: users and sites read, and what they come to as text ------------------

NO_PLACES_WHY: Final = (
    "there are no users or no sites; give --users FILE and --sites FILE with at least one row"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacesLoaded:
    """What a call is about: places, the assumptions in force, tokens that files of traffic say, validation of rows.

    tokens_read: a month; None where no traffic was read. refused: files that could not be read.
    """

    places: Places
    assumptions: Assumptions
    tokens_read: float | None
    intake: tuple[FileIntake, ...]
    refused: tuple[PlannerError, ...]
    currency: Currency = DOLLARS


def load_places(words: argparse.Namespace) -> PlacesLoaded:
    """Read the files of a call, in place of those of a project where one is given. Errors: UsageError; PlannerError.

    A kind of file that the call gives takes the place of the project's of that kind.
    """
    from gpuplanner.files.lists.place_tables import import_places

    intake: tuple[FileIntake, ...] = ()
    project, tokens = no_project(), None
    if words.project:
        if not words.project.lower().endswith(PROJECT_SUFFIX):
            raise UsageError(
                f"{words.project!r} is not a {PROJECT_SUFFIX} file; name files with --users, --sites"
            )
        from gpuplanner.files.project.project_file import open_project

        project = open_project(Path(words.project))
        tokens = tokens_per_month(project.traffic.values())
        replaced = {kind for kind in ("users", "sites", "measured", "residency") if getattr(words, kind)}
        kinds = {"users", "sites", "measured", "residency"} - replaced
        intake = tuple(file for file in project.intake if file.kind in kinds)
    elif not (words.users and words.sites):
        raise UsageError(f"place needs --users FILE and --sites FILE, or a {PROJECT_SUFFIX} file")
    read = import_places(
        words.users,
        words.sites,
        words.measured,
        words.residency,
        mappings=maps_of_places(words),
        refuses_unread=True,
    )
    project, currency = with_money(project, words, in_dollars=words.json)
    assumptions = project.assumptions.with_values(in_money_of(project, parse_settings(words.set)))
    places = read.in_money_of(project).over(project.places)
    return PlacesLoaded(
        places=places,
        assumptions=assumptions,
        tokens_read=tokens,
        intake=(*intake, *read.intake),
        refused=read.refused,
        currency=currency,
    )


def place_text(loaded: PlacesLoaded) -> str:
    """The headline and egress."""
    egress = egress_line(egress_from_sites(loaded.assumptions, loaded.places, loaded.tokens_read))
    return f"{headline(placement_of(loaded.places))}\n{one_line(egress)}"


def place_tables(loaded: PlacesLoaded) -> Tables:
    """The cities, the proposals and what there is to say."""
    placement = placement_of(loaded.places)
    today = placement.today
    only = residency_only(loaded.places)
    top = [leg for leg in today.current.service.legs if leg.is_top]
    cities = f"\nTop cities ({percent(today.covered_share)} of users)\n"
    notes = [one_line(f"  {note}") for note in placement.notes]
    if measuring_of(loaded.places) is not None:
        notes.append("  To measure the latency, run the lines of --show measure in the users' cities")
    notes += (
        [f"  Data residency: --only KEY=country:{only} keeps an endpoint of these users there"]
        if only
        else []
    )
    return (
        ("cities", lambda: cities + report_text(CITIES, top) if top else ""),
        ("sites", lambda: f"\n{SITE_SETS.title}\n{report_text(SITE_SETS, sets_and_cheapest(placement))}"),
        ("notes", lambda: "\n".join(notes)),
        ("measure", lambda: measure_text(loaded.places)),
    )


def measure_text(places: Places) -> str:
    """The users' cities, and the line of each site to run there; empty if no site has a host."""
    measuring = measuring_of(places)
    return Commands("" if measuring is None else f"\n{measuring.text(str(HOW_TO))}")


def headline(placement: Placement) -> str:
    """Top 80% of users: 86.4 ms one way, 172.8 ms round trip. Over 80 ms.

    What is over 80 ms by less than a tenth is written with as many places as show it.
    """
    current = placement.today.current
    if current.mean_one_way_ms is None or current.round_trip_ms is None:
        return "Top 80% of users: the way is not known."
    flag = "Over 80 ms." if current.service.is_over_80 else "Not over 80 ms."
    return (
        f"Top 80% of users: {ENGLISH.way_ms(current.mean_one_way_ms)} ms one way, "
        f"{ENGLISH.way_ms(current.round_trip_ms)} ms round trip. {flag}{_way_80_text(current.service)}"
    )


def _way_80_text(service: Service) -> str:
    """The way that is no longer for 80% of all users."""
    if service.way_80_ms is None:
        return " Fewer than 80% of users are served."
    over = ", over 80 ms" if service.is_way_80_over else ""
    return f" 80% of users within {ENGLISH.way_ms(service.way_80_ms)} ms{over}."


def egress_line(egress: Egress) -> str:
    """Egress a month, and the sentence about text and media.

    A dash where neither text nor media was stated.
    """
    return f"Egress, $ per month: {ENGLISH.number(egress.usd, 2)}. {egress.sentence}"


def nothing_to_place(files: Sequence[FileIntake]) -> str:
    """Why there is no answer.

    files: those that were read; none: the project has no places.
    """
    if files:
        return NO_PLACES_WHY
    return "the project has no users and sites; import them, or give --users and --sites"
