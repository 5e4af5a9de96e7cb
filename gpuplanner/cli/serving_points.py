"""The command size with measured points: what the formula says of each of them, as JSON and as text."""

from collections.abc import Sequence
from typing import Final

from gpuplanner.cli.documents.head import Document
from gpuplanner.cli.reading import table
from gpuplanner.domain.figures.writing import ENGLISH
from gpuplanner.domain.reports.report import entry, fields
from gpuplanner.domain.serving.points import PointSpeed, point_speed
from gpuplanner.files.lists.served_models import model_named
from gpuplanner.files.lists.serving_points import read_points
from gpuplanner.files.system.resources import read_served_models, read_serving_tables

POINT: Final = fields("tokens_per_s", "tpot_ms", "prefill_ms", "low", "high", "note")


def points_of(path: str) -> list[Document]:
    """One entry a row of the file, counted from 1. Errors: PlannerError."""
    models, tables = read_served_models(), read_serving_tables()
    found = []
    for row, (point, fault) in enumerate(read_points(path), start=1):
        speed = (
            PointSpeed(note=fault)
            if point is None
            else point_speed(point, model_named(point.model, models), tables)
        )
        found.append({"row": row} | entry(POINT, speed) | {"note": str(speed.note) or None})
    return found


def points_text(points: Sequence[Document]) -> str:
    """A line a point: tokens a second with their band, time per token, prefill, and what is to be said of it."""
    names = ("tokens_per_s", "low", "high", "tpot_ms", "prefill_ms")
    rows = [
        (point["row"], *(ENGLISH.number(point[name], 1) for name in names), point["note"] or "")
        for point in points
    ]
    return table(("Row", "Tokens/s", "Low", "High", "Time per token, ms", "Prefill, ms", "Note"), rows)
