"""What a price list of somebody else holds, for `check`: gaps, repeats, prices by GPU, what does not add up."""

from collections import Counter

from gpuplanner.domain.model.log.intake import Facts
from gpuplanner.files.prices.price_lists import is_mismatch, stated_rate
from gpuplanner.files.sources.row_widths import LONG, ragged_code
from gpuplanner.files.sources.source import Source
from gpuplanner.files.system.resources import gpu_families
from gpuplanner.files.tables.machine_prices import machine_of_offer
from gpuplanner.files.tables.mapped_cells import clean_model, rate_of, texts_of
from gpuplanner.files.tables.propose_mapping import body_rows, propose_table_mapping
from gpuplanner.files.tables.small_table import Row, RowLeftOutError
from gpuplanner.files.tables.table_mapping import RATE, RATE_ON_DEMAND, STATED_PER_GPU
from gpuplanner.files.values.gpu_counts import read_gpu_count


def price_list_facts(source: Source) -> Facts:
    """Facts of a list that is not our own; none of ours. Errors: as propose_table_mapping."""
    mapping = propose_table_mapping(source, "prices")
    if mapping.is_own:
        return ()
    empty: Counter[str] = Counter()
    seen: set[tuple[str, ...]] = set()
    mismatches: Counter[str] = Counter()
    by_family: dict[str, list[float]] = {}
    family_rows: Counter[str] = Counter()
    signs = rows = 0
    on_demand, stated = mapping.of(RATE_ON_DEMAND) or mapping.of(RATE), mapping.of(STATED_PER_GPU)
    for _, cells in body_rows(source, mapping):
        rows += 1
        if ragged_code(cells, len(mapping.headings)) == LONG:
            continue
        trimmed = tuple(cell.strip() for cell in cells)
        seen.add(trimmed)
        padded = (*trimmed, *[""] * (len(mapping.headings) - len(trimmed)))
        empty.update(
            heading for heading, cell in zip(mapping.headings, padded, strict=False) if heading and not cell
        )
        signs += any("$" in cell for cell in trimmed)
        try:
            texts = texts_of(cells, mapping, Row({}))
        except RowLeftOutError:
            continue
        family = gpu_family(texts.get("gpu_model", ""))
        family_rows[family] += 1
        gpus = read_gpu_count(texts.get("gpus", "")).milli_gpus
        machine = machine_of_offer(cells, texts)
        rate = (
            rate_of(texts[on_demand.field], on_demand, gpus, Row({}), machine, texts)
            if on_demand is not None
            else None
        )
        if rate is not None:
            by_family.setdefault(family, []).append(float(rate))
        said = stated_rate(texts.get(STATED_PER_GPU, ""), stated) if stated is not None else None
        if rate is not None and is_mismatch(said, rate):
            mismatches[texts.get("provider", "")] += 1
    return (
        ("rows", rows),
        ("duplicate_rows", rows - len(seen)),
        ("empty_cells", {heading: empty[heading] for heading in mapping.headings if empty[heading]}),
        ("rows_with_dollar_sign", signs),
        ("per_gpu_mismatches", sum(mismatches.values())),
        ("per_gpu_mismatches_by_provider", dict(sorted(mismatches.items()))),
        (
            "on_demand_usd_per_gpu_hour",
            {
                family: {
                    "rows": count,
                    "lowest": min(rates, default=None),
                    "highest": max(rates, default=None),
                }
                for family, count in sorted(family_rows.items())
                for rates in [by_family.get(family, [])]
            },
        ),
    )


def gpu_family(model: str) -> str:
    """A GPU of all kinds: H100 of `H100 PCIe`; a slice is of its own.

    >>> gpu_family("H100 PCIe (80GB)"), gpu_family("RTX A6000 (48 GB)")
    ('H100', 'RTX A6000')
    """
    read = gpu_families().read(model)
    if read is not None:
        return f"{read.family} {read.part}".strip()
    words = clean_model(model)[0].split()
    return " ".join(words[: 2 if words[:1] and words[0].upper() in ("RTX", "GTX") else 1])
