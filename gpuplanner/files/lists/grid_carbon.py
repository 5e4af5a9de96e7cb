"""A cloud's regions with the carbon of their grid: described, not read."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.intake import Facts
from gpuplanner.files.lists.regions import KIND
from gpuplanner.files.tables import small_table
from gpuplanner.files.values.numbers import read_decimal
from gpuplanner.lazy_dataclass import dataclass

_REGION: Final = ("google cloud region", "region", "cloud region")
_CFE: Final = ("google cfe", "carbon-free energy", "cfe")
_INTENSITY_WORD: Final = "carbon intensity"


@dataclass(frozen=True, slots=True)
class _Grid:
    """What feeds a region: grams of CO2 a kWh, and the share of power that is free of carbon, None where not told."""

    region: str
    gco2_per_kwh: Decimal
    carbon_free_share: Decimal | None


def _grid_names(columns: Sequence[str]) -> Sequence[str]:
    """Our names of the columns that say it; others keep theirs."""
    intensity = next((name for name in columns if _INTENSITY_WORD in name), None)
    region = next((name for name in _REGION if name in columns), None)
    share = next((name for name in _CFE if name in columns), None)
    ours = {intensity: "gco2_per_kwh", region: "region", share: "carbon_free_share"}
    return [ours.get(name, name) for name in columns]


def _grid(row: small_table.Row) -> _Grid:
    """A row as the carbon of a region's grid in gCO2e a kWh; RowError if that is none.

    The free share may be unknown.
    """
    text = row.text("gco2_per_kwh") or ""
    grams = read_decimal(text)
    if grams is None or grams < 0:
        raise small_table.RowError(
            "bad_number", worded("{column} is {text}", column=_INTENSITY_WORD, text=repr(text))
        )
    return _Grid(row.text("region") or "", grams, read_decimal(row.text("carbon_free_share") or ""))


def _grid_facts(grids: Sequence[_Grid]) -> Facts:
    """Regions with the lowest and highest carbon intensity and carbon-free share; None where none is stated."""
    grams = [grid.gco2_per_kwh for grid in grids]
    shares = [grid.carbon_free_share for grid in grids if grid.carbon_free_share is not None]
    return (
        ("regions", len({grid.region for grid in grids})),
        ("lowest_gco2_per_kwh", _number(min(grams, default=None))),
        ("highest_gco2_per_kwh", _number(max(grams, default=None))),
        ("lowest_carbon_free_share", _number(min(shares, default=None))),
        ("highest_carbon_free_share", _number(max(shares, default=None))),
    )


def _number(value: Decimal | None) -> float | None:
    """Decimal as float for JSON; None stays None."""
    return None if value is None else float(value)


CARBON: Final = small_table.TableKind(
    kind=KIND,
    format="",
    columns=("region", "gco2_per_kwh", "carbon_free_share"),
    needed=(("region",), ("gco2_per_kwh",)),
    reader=small_table.one_value(_grid),
    key=id,
    why=worded("regions with grid carbon intensity"),
    names_of=_grid_names,
    sureness=0.95,
    facts=_grid_facts,
)
"""Every region of a file counts, also two of one name: a list may have several years."""
