"""The map of a set of sites, and its colors."""

from typing import TYPE_CHECKING

from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.model.places import Site
from gpuplanner.domain.serving.placement import Placement, SiteSet
from gpuplanner.ui.kit.palettes import Palette
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.words import numbers

if TYPE_CHECKING:
    from gpuplanner.charts.plots.map_places import MapCity, MapColours, MapSite
from gpuplanner.ui.panels.places.placement_rows import MOST_DRAWN, city_id, city_tip, way_of


def places_on_map(placement: Placement, shown: SiteSet) -> "tuple[list[MapCity], list[MapSite]]":
    """Cities and sites, as a set serves them."""
    from gpuplanner.charts.plots.map_places import MapCity, MapSite

    places = placement.today.table.places
    place_of = {site.site_id: at for at, site in enumerate(places.sites)}
    most = max((float(city.users) for city in places.cities), default=0.0) or 1.0
    cities = [
        MapCity(
            key=city_id(leg),
            name=leg.city.city,
            latitude=leg.city.latitude,
            longitude=leg.city.longitude,
            size=float(leg.city.users) / most,
            site=None if leg.site_id is None else place_of[leg.site_id],
            way=way_of(leg),
            is_top=leg.is_top,
            tip=city_tip(leg),
        )
        for leg in shown.service.legs[:MOST_DRAWN]
    ]
    sites = [
        MapSite(
            name=site.site_id,
            latitude=site.latitude,
            longitude=site.longitude,
            is_used=site.site_id in shown.sites,
            tip=_site_tip(site),
        )
        for site in places.sites
    ]
    return cities, sites


def _site_tip(site: Site) -> str:
    called = ", ".join(filter(None, (site.site_id, site.city)))
    usd = numbers.dollars(None if site.usd_per_month is None else float(site.usd_per_month))
    words = tr("{site}\n{usd} per month", site=called, usd=usd)
    return tr("{first}, {second}", first=words, second=tr("in use today")) if site.is_current else words


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
