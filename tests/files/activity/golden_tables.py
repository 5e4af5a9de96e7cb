"""Samples of activity files of every form with random damage, as golden tables."""

from collections.abc import Mapping
from typing import Final

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.activity.activity_intake import ACTIVITY_DIALECTS
from gpuplanner.files.importing.check import check_file
from gpuplanner.files.importing.recognise import activity_dialect, recognise_source
from tests.files.activity.activity_texts import TEXTS
from tests.files.activity.test_activity_any_bytes import INVENTORY
from tests.files.damaged import damaged
from tests.files.read_tables import file_lines, refusal_line
from tests.files.sniffed import sniffed_lines
from tests.files.sources_of_text import text_source
from tests.golden.tables import Table
from tests.shown import message_values, shown, shown_fields

FOLDER: Final = "tables_files_activity"
POINTS: Final = (
    '{"status":"success","data":{"resultType":"matrix","result":[{"metric":{"__name__":"DCGM_FI_DEV_GPU_UTIL",'
    '"Hostname":"n1","gpu":"0"},"values":[[1767609000,"90"],[1767609060],7,[true,"80"],["x","70"],[-1,"60"],'
    '[1e30,"50"],[1767609120,null],[1767609180.9,"40"]]}]}}\n'
)
"""Points that are no pairs of a time and a value."""
FILES: Final[Mapping[str, str]] = {
    "points.json": POINTS,
    **{item.name: item.text for item in TEXTS},
    "inventory.json": INVENTORY,
}
ZONES: Final = (None, "Europe/Berlin")


def samples_text(case: str) -> str:
    """Return the samples of a file, and what is said of its rows. case: its name and a seed; odd seeds have a zone."""
    name, _, seed = case.rpartition(" ")
    text = damaged(FILES[name], int(seed))
    source = text_source(text, name)
    lines = [] if seed == "0" else [text]
    dialect = activity_dialect(recognise_source(source))
    if dialect is not None:
        try:
            for reading in dialect.readings(source, ZONES[int(seed) % 2]):
                fault = (
                    ""
                    if reading.fault is None
                    else f" {reading.fault.code} {message_values(reading.fault.what)}"
                )
                lines += [
                    f"row {reading.row}{fault}",
                    *(f"  {shown_fields(sample)}" for sample in reading.samples),
                ]
        except PlannerError as error:
            lines.append(refusal_line(error))
    try:
        for file in check_file(str(source.at)):
            lines += [*file_lines(file), *(f"{key} {shown(value)}" for key, value in file.facts)]
    except PlannerError as error:
        lines.append(refusal_line(error))
    return "\n".join(lines).replace(str(source.at).removesuffix(name), "")


CASES: Final = tuple(f"{name} {seed}" for name in FILES for seed in range(5))


def sniffed_text(case: str) -> str:
    """Return how sure each dialect is of a file. case: its name."""
    return sniffed_lines(FILES[case], lambda: ACTIVITY_DIALECTS)


TABLES: Final = {
    "samples.txt": Table(text_of=samples_text, cases=CASES),
    "sniffed.txt": Table(text_of=sniffed_text, cases=tuple(FILES)),
}
