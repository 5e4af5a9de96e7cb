"""Offers of random tables, and of price lists of tools and quotes with random damage, as golden tables."""

from collections.abc import Mapping
from typing import Final

from gpuplanner.files.importing.best_sheet import EXPORT_FORMS
from tests.files.prices import test_prices_in_cells as cells
from tests.files.prices.price_texts import PRICE_TEXTS
from tests.files.prices.test_owned_prices import UNITS
from tests.files.prices.test_quotes import LESS, QUOTE
from tests.files.prices.test_tiers_in_prices import ALIKE
from tests.files.prices.test_wide_prices import DAYS
from tests.files.read_exports import export_lines
from tests.files.read_tables import table_values
from tests.files.sniffed import sniffed_lines
from tests.golden.tables import Table

FOLDER: Final = "tables_files_prices"
WIDE: Final = (
    "Provider,GPU,On-demand $/GPU-hr,1 yr reserved,3 yr reserved,Spot\n"
    "AWS,H100,6.88,4.3,3.1,2.5\nLambda,H100 SXM,3.29,n/a,,\nFern,A100,1.9,1.5,1.2,0.8\n"
)
BY_PROVIDER: Final = "GPU,AWS,Azure,Lambda\nH100,6.88,6.98,3.29\nA100 80GB,5.1,n/a,1.79\nL40S,,2.2,$1.09\n"
AZURE_RETAIL: Final = (
    '{"Items":[\n{"currencyCode":"USD","retailPrice":98.32,"unitPrice":98.32,"armRegionName":"eastus",'
    '"meterName":"ND96isr H100 v5","productName":"Virtual Machines NDv5","skuName":"ND96isr H100 v5",'
    '"serviceName":"Virtual Machines","armSkuName":"Standard_ND96isr_H100_v5","unitOfMeasure":"1 Hour",'
    '"type":"Consumption","effectiveStartDate":"2026-01-01T00:00:00Z"},\n'
    '{"currencyCode":"USD","retailPrice":500000.0,"unitPrice":500000.0,"armRegionName":"eastus",'
    '"meterName":"ND96isr H100 v5","productName":"Virtual Machines NDv5","skuName":"ND96isr H100 v5",'
    '"serviceName":"Virtual Machines","armSkuName":"Standard_ND96isr_H100_v5","unitOfMeasure":"1 Hour",'
    '"type":"Reservation","reservationTerm":"1 Year","effectiveStartDate":"2026-01-01T00:00:00Z"},\n'
    '{"currencyCode":"USD","retailPrice":39.1,"unitPrice":39.1,"armRegionName":"westeurope",'
    '"meterName":"ND96isr H100 v5 Spot","productName":"Virtual Machines NDv5","skuName":"ND96isr H100 v5 Spot",'
    '"serviceName":"Virtual Machines","armSkuName":"Standard_ND96isr_H100_v5","unitOfMeasure":"1 Hour",'
    '"type":"Consumption","effectiveStartDate":"2026-01-01T00:00:00Z"}\n],"NextPageLink":null,"Count":3}\n'
)
LISTS: Final[Mapping[str, str]] = {
    **{name: text for name, (_, text) in PRICE_TEXTS.items()},
    "retail.json": AZURE_RETAIL,
    "quote.csv": QUOTE,
    "short quote.csv": LESS,
    "quotation.csv": cells.QUOTATION,
    "memory.csv": cells.MEMORY,
    "nodes.csv": cells.NODES,
    "alike.csv": ALIKE,
    "h100 by day.csv": DAYS,
    "wide.csv": WIDE,
    "by provider.csv": BY_PROVIDER,
    "units.csv": UNITS,
}


def list_text(case: str) -> str:
    """Return the offers of a list. case: its name and a seed."""
    name, _, seed = case.rpartition(" ")
    return export_lines("prices", name, LISTS[name], int(seed))


def table_text(case: str) -> str:
    """Return the offers of a random table. case: its seed."""
    return table_values("prices", int(case))


LIST_CASES: Final = tuple(f"{name} {seed}" for name in LISTS for seed in range(4))
TABLE_CASES: Final = tuple(map(str, range(100, 130)))


def sniffed_text(case: str) -> str:
    """Return how sure each form is of a text. case: its name."""
    return sniffed_lines(LISTS[case], lambda: EXPORT_FORMS)


TABLES: Final = {
    "sniffed.txt": Table(text_of=sniffed_text, cases=tuple(LISTS)),
    "lists.txt": Table(text_of=list_text, cases=LIST_CASES),
    "tables.txt": Table(text_of=table_text, cases=TABLE_CASES),
}
