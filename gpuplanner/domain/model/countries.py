"""Countries by the names and letters that tables call them."""

from typing import Final

_CODES: Final = (
    "AT austria|BE belgium|BG bulgaria|CN china|HR croatia|CZ czechia|DK denmark|EG egypt|EE estonia|FI finland|"
    "DE germany|GR greece|HU hungary|IN india|IL israel|IT italy|JP japan|JO jordan|KW kuwait|LV latvia|LT lithuania|"
    "LU luxembourg|MY malaysia|NL netherlands|NG nigeria|NO norway|OM oman|PK pakistan|PH philippines|PL poland|"
    "QA qatar|RO romania|RU russia|SA saudi arabia|RS serbia|SG singapore|SK slovakia|SI slovenia|KR south korea|"
    "SE sweden|CH switzerland|TW taiwan|TH thailand|TR turkey|UA ukraine|AE united arab emirates|VN vietnam|"
    "HK hong kong|CA canada|CO colombia|CR costa rica|CU cuba|IS iceland|IE ireland|MX mexico|MA morocco|PA panama|"
    "PT portugal|US united states|VE venezuela|AU australia|BW botswana|LS lesotho|MG madagascar|MW malawi|"
    "MU mauritius|MZ mozambique|NA namibia|NZ new zealand|RW rwanda|ZA south africa|TZ tanzania|ZM zambia|ZW zimbabwe|"
    "AR argentina|BO bolivia|CL chile|PY paraguay|PE peru|UY uruguay|FR france|ES spain|GB united kingdom|DZ algeria|"
    "GH ghana|BR brazil|EC ecuador"
)
NAME_OF_CODE: Final = {one[:2].casefold(): one[3:] for one in _CODES.split("|")}
"""Country by its two letters (ISO 3166-1), in lower case, for those whose side of the earth is known."""

_ALSO: Final = {
    **dict.fromkeys(("usa", "united states of america", "the united states"), "united states"),
    **dict.fromkeys(("uk", "great britain", "england"), "united kingdom"),
    **dict.fromkeys(("korea", "republic of korea", "korea, republic of"), "south korea"),
    **dict.fromkeys(("the netherlands", "holland"), "netherlands"),
    "czech republic": "czechia",
    "russian federation": "russia",
    "türkiye": "turkey",
    "uae": "united arab emirates",
    "viet nam": "vietnam",
}


def country_name(text: str) -> str:
    """One name of a country, in lower case, so that `US`, `USA` and `United States` are one; others as they are.

    >>> country_name("US"), country_name("United States "), country_name("Ruritania")
    ('united states', 'united states', 'ruritania')
    """
    name = text.strip().casefold()
    return _ALSO.get(name) or NAME_OF_CODE.get(name, name)
