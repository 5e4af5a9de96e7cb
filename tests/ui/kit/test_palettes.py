"""The palettes: contrast and colour blindness recomputed from the colors themselves."""

import re
from itertools import combinations, pairwise

import numpy as np
import pytest
from PySide6.QtGui import QPalette

from gpuplanner.ui.kit.icons import icon_path
from gpuplanner.ui.kit.palettes import PALETTES, Palette
from gpuplanner.ui.kit.style_sheet import qt_palette, style_sheet
from gpuplanner.ui.words.lanes import LANES
from tests.ui.colour_distance import MACHADO, ciede2000, contrast, seen

ALL = pytest.mark.parametrize("palette", PALETTES.values(), ids=PALETTES)
LEAST = {  # smallest CIEDE2000 over all pairs of pools, by kind of eye
    "light": {"normal": 26.6, "protanopia": 18.0, "deuteranopia": 16.5, "tritanopia": 17.8},
    "dark": {"normal": 23.3, "protanopia": 15.1, "deuteranopia": 14.9, "tritanopia": 18.1},
    "high contrast": {"normal": 27.1, "protanopia": 18.3, "deuteranopia": 16.5, "tritanopia": 15.4},
}


def test_ciede2000_gives_the_published_distance_of_a_published_pair() -> None:
    one, other = np.array([50.0, 2.6772, -79.7751]), np.array([50.0, 0.0, -82.7485])
    assert ciede2000(one, other) == pytest.approx(2.0425, abs=1e-4)


@ALL
@pytest.mark.parametrize(
    ("role", "least"),
    [("text", 4.5), ("muted", 4.5), ("red", 4.5), ("amber", 4.5), ("green", 4.5), ("accent", 4.5), ("edge", 3.0),
     ("focus", 3.0)],
)  # fmt: skip
def test_text_and_outlines_stand_out_from_every_ground(palette: Palette, role: str, least: float) -> None:
    grounds = (palette.window, palette.surface, palette.raised)
    assert min(contrast(getattr(palette, role), ground) for ground in grounds) >= least


@ALL
def test_text_is_readable_on_selection_and_on_the_primary_button(palette: Palette) -> None:
    assert contrast(palette.text, palette.selection) >= 4.5
    assert contrast(palette.muted, palette.selection) >= 4.5
    assert contrast(palette.on_accent, palette.accent) >= 4.5


@ALL
@pytest.mark.parametrize("role", ["text", "muted", "red", "amber", "green", "accent"])
def test_text_is_readable_in_chosen_rows_and_in_columns_that_take_a_drop(palette: Palette, role: str) -> None:
    grounds = (palette.selection, *(palette.lanes[lane].tint for lane in LANES))
    assert min(contrast(getattr(palette, role), ground) for ground in grounds) >= 4.5


@ALL
def test_every_rule_of_the_style_sheet_that_names_both_colours_is_readable(palette: Palette) -> None:
    pairs, asked = [], qt_palette(palette)
    of_css = {
        role.name.lower(): asked.color(role).name()
        for role in QPalette.ColorRole
        if role.name != "NColorRoles"
    }
    sheet = re.sub(
        r"palette\(([\w-]+)\)", lambda found: of_css[found[1].replace("-", "")], style_sheet(palette)
    )
    for rule in re.findall(r"\{([^}]*)\}", sheet):
        own = dict(re.findall(r"(?:^|;)\s*(color|background):\s*(#\w{6})", rule))
        own |= dict(re.findall(r"(selection-\w+(?:-color)?):\s*(#\w{6})", rule))
        pairs += [(own["color"], own["background"])] if {"color", "background"} <= own.keys() else []
        chosen = {"selection-color", "selection-background-color"}
        if chosen <= own.keys():
            pairs.append((own["selection-color"], own["selection-background-color"]))
    assert len(pairs) > 12
    assert [pair for pair in pairs if contrast(*pair) < 4.5] == []


@ALL
@pytest.mark.parametrize("lane", LANES)
def test_pools_stand_out_and_carry_text(palette: Palette, lane: str) -> None:
    colours = palette.lanes[lane]
    grounds = (palette.window, palette.surface, palette.raised)
    assert min(contrast(colours.fill, ground) for ground in grounds) >= 3.0
    assert contrast(colours.on_fill, colours.fill) >= 4.5
    assert contrast(palette.text, colours.tint) >= 4.5


@ALL
@pytest.mark.parametrize("eye", MACHADO)
def test_pools_differ_for_every_eye(palette: Palette, eye: str) -> None:
    fills = [seen(palette.lanes[lane].fill, eye) for lane in LANES]
    least = min(ciede2000(one, other) for one, other in combinations(fills, 2))
    assert least == pytest.approx(LEAST[palette.name][eye], abs=0.06)


@ALL
@pytest.mark.parametrize("eye", MACHADO)
def test_neighbouring_terms_differ_for_every_eye(palette: Palette, eye: str) -> None:
    ramp = [seen(palette.terms[months], eye) for months in sorted(palette.terms) if months]
    assert min(ciede2000(one, other) for one, other in pairwise(ramp)) >= 7.2


@ALL
def test_terms_are_ordered_by_lightness_away_from_the_ground(palette: Palette) -> None:
    lightness = [seen(palette.terms[months], "normal")[0] for months in sorted(palette.terms)]
    assert lightness == sorted(lightness, reverse=not palette.is_dark)


@ALL
def test_a_term_between_two_steps_takes_the_one_below(palette: Palette) -> None:
    assert palette.term(18).name().upper() == palette.terms[12]


@ALL
def test_control_icons_in_the_stylesheet_have_the_palettes_colours(palette: Palette) -> None:
    name = palette.name.replace(" ", "-")
    for control, colour in (
        ("check", palette.text),
        ("chevron_up", palette.muted),
        ("chevron_down", palette.muted),
    ):
        assert f'stroke="{colour}"' in icon_path(f"{control}-{name}").read_text(encoding="utf-8")
        assert f"{control}-{name}.svg" in style_sheet(palette)


@ALL
def test_nothing_fusion_draws_is_of_its_own_colour(palette: Palette) -> None:
    ours = {getattr(palette, role).lower() for role in ("window", "surface", "raised", "text", "muted", "line",
            "edge", "accent", "selection", "red", "focus", "handle", "on_accent", "green", "amber",
            "track")}  # fmt: skip
    made = qt_palette(palette)
    roles = [role for role in QPalette.ColorRole if role.name not in ("NColorRoles", "NoRole")]
    assert {made.color(QPalette.ColorGroup.Active, role).name() for role in roles} <= ours
