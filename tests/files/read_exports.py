"""Exports of tools with random damage, and what is read of them, as lines of a golden table."""

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.importing.import_tables import import_contracts, import_prices
from tests.files.damaged import damaged
from tests.files.read_tables import file_lines, refusal_line
from tests.files.sources_of_text import text_source
from tests.shown import shown_fields


def export_lines(kind: str, name: str, sound: str, seed: int) -> str:
    """Return the contracts or offers of a text, and what is said of its rows. seed 0: without damage."""
    text = damaged(sound, seed)
    path = str(text_source(text, name).at)
    lines = [text] if seed else []
    try:
        if kind == "contracts":
            contracts = import_contracts([path])
            values, files, refused = contracts.contracts, contracts.intake, contracts.refused
        else:
            prices = import_prices([path])
            values, files, refused = (*prices.offers, *prices.earlier_offers), prices.intake, prices.refused
    except PlannerError as error:
        return "\n".join((*lines, refusal_line(error)))
    lines += map(shown_fields, values)
    lines += [line for file in files for line in file_lines(file)]
    lines += map(refusal_line, refused)
    return "\n".join(lines).replace(path.removesuffix(name), "")
