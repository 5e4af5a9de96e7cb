"""The text of a presentation: every slide's paragraphs, tables and charts, in the order in which they stand in it."""

import zipfile
from pathlib import Path

from defusedxml.ElementTree import fromstring

_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"


def deck_text(path: Path) -> str:
    """Each slide under its number: a paragraph a line, a row of a table a line, a chart's titles, names and values."""
    lines = []
    with zipfile.ZipFile(path) as parts:
        slides = [name for name in parts.namelist() if name.startswith("ppt/slides/slide")]
        for number in range(1, len(slides) + 1):
            name = f"ppt/slides/slide{number}.xml"
            lines += ["", f"== slide {number}"]
            rels = fromstring(parts.read(f"ppt/slides/_rels/slide{number}.xml.rels"))
            targets = {one.get("Id"): one.get("Target", "") for one in rels}
            for shape in fromstring(parts.read(name)).iter():
                if shape.tag == f"{_A}tr":
                    cells = [" / ".join(_paragraphs(cell)) for cell in shape.iter(f"{_A}tc")]
                    lines.append(" | ".join(cells))
                elif shape.tag.endswith("}txBody") and not shape.tag.startswith(_A):
                    lines += _paragraphs(shape)
                elif shape.tag == f"{_C}chart":
                    target = targets[shape.get(f"{_R}id")].removeprefix("../")
                    lines += _chart(parts.read(f"ppt/{target}"))
    return "\n".join(lines)


def _paragraphs(root) -> list[str]:
    texts = ["".join(run.text or "" for run in part.iter(f"{_A}t")) for part in root.iter(f"{_A}p")]
    return [text for text in texts if text]


def _chart(xml: bytes) -> list[str]:
    root = fromstring(xml)
    lines = [f"chart: {' / '.join(_paragraphs(root))}"]
    for series in root.iter(f"{_C}ser"):
        parts = []
        for part in ("tx", "cat", "val", "xVal", "yVal"):
            values = [
                value.text or "" for one in series.findall(f"{_C}{part}") for value in one.iter(f"{_C}v")
            ]
            parts.append(" ".join(values))
        lines.append("  series: " + " | ".join(parts))
    return lines
