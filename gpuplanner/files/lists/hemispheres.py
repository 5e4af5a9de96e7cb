"""On which side of the equator and of Greenwich a country lies, to notice a coordinate with a wrong sign."""

from typing import Final

from gpuplanner.files.values.word_lists import phrases

_NORTH_EAST: Final = phrases(
    "austria|belgium|bulgaria|china|croatia|czechia|denmark|egypt|estonia|finland|germany|greece|hungary"
    "|india|israel|italy|japan|jordan|kuwait|latvia|lithuania|luxembourg|malaysia|netherlands|nigeria"
    "|norway|oman|pakistan|philippines|poland|qatar|romania|russia|saudi arabia|serbia|singapore|slovakia"
    "|slovenia|south korea|sweden|switzerland|taiwan|thailand|turkey|ukraine|united arab emirates|vietnam"
    "|hong kong"
)
_NORTH_WEST: Final = phrases(
    "canada|colombia|costa rica|cuba|iceland|ireland|mexico|morocco|panama|portugal|usa|united states"
    "|venezuela"
)
_SOUTH_EAST: Final = (
    *("australia", "botswana", "lesotho", "madagascar", "malawi", "mauritius", "mozambique", "namibia"),
    *("new zealand", "rwanda", "south africa", "tanzania", "zambia", "zimbabwe"),
)
_SOUTH_WEST: Final = ("argentina", "bolivia", "chile", "paraguay", "peru", "uruguay")
_NORTH: Final = ("france", "spain", "uk", "united kingdom", "algeria", "ghana")
_WEST: Final = ("brazil", "ecuador")

SIGNS_OF: Final = {
    **dict.fromkeys(_NORTH_EAST, (1, 1)),
    **dict.fromkeys(_NORTH_WEST, (1, -1)),
    **dict.fromkeys(_SOUTH_EAST, (-1, 1)),
    **dict.fromkeys(_SOUTH_WEST, (-1, -1)),
    **dict.fromkeys(_NORTH, (1, 0)),
    **dict.fromkeys(_WEST, (0, -1)),
}
"""Signs of latitude and longitude by country, in lower case; 0 where it lies on both sides. Countries with
far islands are judged by their mainland."""


def is_sign_wrong(place: str, latitude: float, longitude: float) -> bool:
    """Whether a coordinate lies on another side of the earth than the country that ends the place's name.

    False for countries that are not known. A place within a degree of the line is never wrong.

    >>> is_sign_wrong("Lima, Peru", 12.0, -77.0), is_sign_wrong("Lima, Peru", -12.0, -77.0)
    (True, False)
    """
    country = place.rpartition(",")[2].strip().casefold()
    latitude_sign, longitude_sign = SIGNS_OF.get(country, (0, 0))
    return latitude * latitude_sign < -1 or longitude * longitude_sign < -1
