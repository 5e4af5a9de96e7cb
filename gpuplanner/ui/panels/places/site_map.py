"""What the map of the panel Placement shows of a set of sites, and in which colours."""

from typing import TYPE_CHECKING

from gpuplanner.domain.serving.placement import Placement, SiteSet
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.panels.places import placement_rows as rows
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.translation import tr

if TYPE_CHECKING:  # the map is imported when the first one is shown
    from gpuplanner.charts.plots.map_places import MapCity, MapColours, MapSite


def places_on_map(placement: Placement, shown: SiteSet) -> "tuple[list[MapCity], list[MapSite]]":
    """Cities and sites, as a set serves them."""
    from gpuplanner.charts.plots.map_places import MapCity, MapSite

    places = placement.today.table.places
    place_of = {site.site_id: at for at, site in enumerate(places.sites)}
    most = max((float(city.users) for city in places.cities), default=0.0) or 1.0
    cities = [
        MapCity(
            rows.city_id(leg),
            leg.city.city,
            leg.city.latitude,
            leg.city.longitude,
            float(leg.city.users) / most,
            None if leg.site_id is None else place_of[leg.site_id],
            rows.way_of(leg),
            leg.is_top,
            rows.city_tip(leg),
        )
        for leg in shown.service.legs[: rows.MOST_DRAWN]
    ]
    sites = [
        MapSite(
            site.site_id,
            site.latitude,
            site.longitude,
            site.site_id in shown.sites,
            tr(
                "{site}{city}\n{usd} per month{in_use}",
                site=site.site_id,
                city=f", {site.city}" if site.city else "",
                usd=numbers.dollars(None if site.usd_per_month is None else float(site.usd_per_month)),
                in_use=tr(", in use today") if site.is_current else "",
            ),
        )
        for site in places.sites
    ]
    return cities, sites


def map_colours(palette: Palette) -> "MapColours":
    """The colours of the map in a palette."""
    from gpuplanner.charts.plots.map_places import MapColours

    return MapColours(
        sea=palette.raised,
        land=palette.track,
        line=palette.grid,
        text=palette.text,
        muted=palette.muted,
        edge=palette.edge,
        near=palette.muted,
        far=palette.text,
        over=palette.amber,
        focus=palette.focus,
        small=font("small"),
        strong=font("small_strong"),
    )
