"""An empty presentation: the library's own, made wide, with one layout, and without what is not ours in it."""

from typing import Any, Final

TITLE_ONLY: Final = 5
"""The place of that layout in the library's template."""
_APP: Final = b"""<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties">\
<Application>gpuplanner</Application></Properties>"""


def empty_deck(width_in: float, height_in: float) -> Any:
    """A presentation of that size without a slide, whose one layout has a title.

    The template is of four to three, was written on somebody's computer and holds its printer: all three go.
    """
    from pptx import Presentation
    from pptx.util import Inches

    deck: Any = Presentation()
    wider = Inches(width_in) / deck.slide_width
    deck.slide_width, deck.slide_height = Inches(width_in), Inches(height_in)
    size = deck.part._element.sldSz
    if "type" in size.attrib:
        del size.attrib["type"]  # it names a screen of four to three
    for number, layout in reversed(list(enumerate(deck.slide_layouts))):
        if number != TITLE_ONLY:
            deck.slide_layouts.remove(layout)
    for drawn in (deck.slide_master, deck.slide_layouts[0]):
        for shape in drawn.placeholders:
            if shape._element.spPr.xfrm is not None:
                shape.left, shape.width = round(shape.left * wider), round(shape.width * wider)
    for rels in (deck.part.rels, deck.part.package._rels):
        for key in [
            key for key, rel in rels.items() if rel.reltype.endswith(("/printerSettings", "/thumbnail"))
        ]:
            rels.pop(key)
    for rel in deck.part.package._rels.values():
        if rel.reltype.endswith("/extended-properties"):
            rel.target_part._blob = _APP
    return deck
