"""How the workbook looks: one style table, pool colours of the product, number formats with their signs."""

from functools import cache
from typing import Any, Final

from gpuplanner.domain.model.pool import Pool
from gpuplanner.files.workbook.kit.sheets import COLORS, Kind

FONT: Final = {"font_name": "Calibri", "font_size": 10, "font_color": "#1A1E26", "valign": "vcenter"}
MUTED: Final = "#596170"
SURFACE: Final = "#F7F8FA"
INPUT_FILL: Final = "#FFF4B8"
INPUT_TEXT: Final = "#0B3FC1"
FIXED_FILL: Final = "#E4E7EC"
RED: Final = "#C02A2A"
AMBER: Final = "#8A5B06"
GREEN: Final = "#1B753F"

POOL_FILL: Final = {Pool.TRAINING: "#1F58AE", Pool.INFERENCE: "#0F9484", Pool.BURST: "#C96F04"}
POOL_TEXT: Final = {Pool.TRAINING: "#FFFFFF", Pool.INFERENCE: "#0B0F14", Pool.BURST: "#0B0F14"}
POOL_TINT: Final = {Pool.TRAINING: "#EBF0F8", Pool.INFERENCE: "#E9F5F4", Pool.BURST: "#FAF2E8"}


def _signed(positive: str, zero: str = "") -> str:
    """A number format whose minus is a true minus sign, quoted as spreadsheets want it."""
    return f'{positive};"−"{positive}' + (f";{zero}" if zero else "")


NUMBER_FORMATS: Final = {
    "usd": _signed("#,##0", "0"),
    "change": '+#,##0;"−"#,##0;0',
    "rate": _signed("#,##0.00##"),
    "gpus": _signed("#,##0.0##"),
    "mean": _signed("#,##0.0", "0.0"),
    "hours": _signed("#,##0", "0"),
    "hourly": _signed("#,##0.00"),
    "until": '[>=1000000000]"no end";General',
    "count": "0",
    "ratio": _signed("0.0%"),
    "percent": _signed("0.0"),
    "now_usd": '"now "#,##0;"now −"#,##0',
    "now_ratio": '"now "0.0%;"now −"0.0%',
    "now_months": '"now "0.0;"now −"0.0',
    "today_usd": '+#,##0" vs today";"−"#,##0" vs today"',
    "months": _signed("0.0"),
    "number": "General",
    "amount": _signed("#,##0.0000", "0"),
    "small": "0.0E+00",
    "date": "d mmm yyyy",
    "month": "mmmm yyyy",
    "moment": "d mmm yyyy hh:mm",
}
"""By kind of figure; the unit stands in the heading. Dates are UTC."""

DIVIDED: Final = {"left": 1, "left_color": "#D3D8E0", "right": 1, "right_color": "#D3D8E0"}
"""Between headings, which fill their columns: else neighbours read as one."""

STYLES: Final[dict[str, dict[str, Any]]] = {
    "title": {"bold": True, "font_size": 18},
    "section": {"bold": True, "font_size": 12},
    "label": {"bold": True},
    "figure": {"bold": True, "font_size": 16, "align": "left"},
    "now": {"font_color": MUTED, "align": "left"},
    "indent": {"indent": 1, "align": "left"},
    "note": {"font_color": MUTED},
    "wrapped": {"text_wrap": True, "valign": "top"},
    "heading": {
        "bold": True,
        "text_wrap": True,
        "valign": "bottom",
        "bg_color": SURFACE,
        "bottom": 1,
        "bottom_color": "#7D8695",
        **DIVIDED,
    },
    "heading_right": {
        "bold": True,
        "text_wrap": True,
        "valign": "bottom",
        "align": "right",
        "bg_color": SURFACE,
        "bottom": 1,
        "bottom_color": "#7D8695",
        **DIVIDED,
    },
    "text": {},
    "top": {"valign": "top"},
    "legend": {"locked": True, "font_size": 9, "align": "center"},
    "link": {"font_color": "#4B45C6", "underline": 1},
    "muted": {"font_color": MUTED},
    "muted_right": {"font_color": MUTED, "align": "right"},
    "strong": {"bold": True},
    "light": {"bold": True, "font_size": 12},
    "cover": {"bold": True, "font_size": 26},
    "subtitle": {"font_color": MUTED, "font_size": 13},
    "own": {"border": 4, "border_color": "#7D8695", "locked": False},
    "right": {"align": "right"},
}


@cache
def is_yellow(style: str) -> bool:
    """Whether a cell of a style is an input that the reader may change."""
    return "input" in style.split(".")


@cache
def is_watched(style: str) -> bool:
    """Whether a cell of a style is an input: what the reader may change, or what the app alone may.

    >>> is_watched("rate.input"), is_watched("count.fixed"), is_watched("rate")
    (True, True, False)
    """
    return is_yellow(style) or "fixed" in style.split(".")


def style_properties(style: str) -> dict[str, Any]:
    """The cell format behind a style's name.

    A style is words joined by dots: a name of STYLES, a kind of NUMBER_FORMATS, `input` for what the reader may
    change (yellow with blue figures, not locked), `fixed` for what the app alone may (grey, locked), `total` for a sum;
    `own` for what the reader may write and no figure reads; `pool_training` (tint and a strip), `fill_training`,
    `tint_training` and so on for pools, `kind_input` and so on for kinds of sheets.
    """
    found: dict[str, Any] = {**FONT}
    for word in style.split("."):
        if word in STYLES:
            found |= STYLES[word]
        elif word in NUMBER_FORMATS:
            found = {"align": "right", **found, "num_format": NUMBER_FORMATS[word]}
        elif word == "input":
            found |= {
                "bg_color": INPUT_FILL,
                "font_color": INPUT_TEXT,
                "border": 1,
                "border_color": "#7D8695",
                "locked": False,
            }
        elif word == "fixed":
            found |= {"bg_color": FIXED_FILL}
        elif word == "total":
            found |= {"bold": True, "top": 1, "top_color": "#7D8695"}
        elif word.startswith("pool_"):
            pool = Pool(word.removeprefix("pool_"))
            found |= {"bg_color": POOL_TINT[pool], "left": 5, "left_color": POOL_FILL[pool], "bold": True}
        elif word.startswith("fill_"):
            pool = Pool(word.removeprefix("fill_"))
            found |= {
                "bg_color": POOL_FILL[pool],
                "font_color": POOL_TEXT[pool],
                "bold": True,
                "align": "right",
                "valign": "bottom",
                "text_wrap": True,
            }
        elif word.startswith("kind_"):
            found |= {"bg_color": COLORS[Kind(word.removeprefix("kind_"))], "align": "center", "font_size": 9}
            found |= {"font_color": "#0B0F14" if word == "kind_input" else "#FFFFFF", "bold": True}
        elif word.startswith("tint_"):
            found |= {"bg_color": POOL_TINT[Pool(word.removeprefix("tint_"))]}
        else:
            raise ValueError(f"no style word {word!r}")
    return found
