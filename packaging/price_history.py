"""Makes resources/price_history.csv, monthly medians of dated GPU rates, from a table of such rates.

python3 packaging/price_history.py MONTHLY.csv[.gz]     columns pool,series,gpu_model,month,usd_per_gpu_hour,source

One row a month, GPU model, kind of provider and term. A median over series that come and go says nothing of how
prices move, so each row also holds the summed log change of its series since each was last seen, and over how many
series-months: their ratio, over any rows, is the mean monthly change of like with like.
"""

import sys
from pathlib import Path

import numpy as np
import pandas as pd

OUT = Path(__file__).resolve().parent.parent / "resources" / "price_history.csv"
KINDS = {  # what the table calls a group of series: kind of provider, pricing category
    "HYPER_LIST": ("hyperscaler", "STANDARD"),
    "NEO_LIST": ("neocloud", "STANDARD"),
    "NEO_LIST_single": ("neocloud", "STANDARD"),
    "MARKET_OD": ("marketplace", "STANDARD"),
    "COMMIT_LIST": ("hyperscaler", "COMMITTED"),
    "COMMIT_INDEX": ("neocloud", "COMMITTED"),
    "SPOT_AWS_AZ": ("hyperscaler", "DYNAMIC"),
    "SPOT_AZURE": ("hyperscaler", "DYNAMIC"),
    "SPOT_GCP": ("hyperscaler", "DYNAMIC"),
    "SPOT_MARKET": ("marketplace", "DYNAMIC"),
    "SPOT_NEO": ("neocloud", "DYNAMIC"),
    "SPOT_NEO_single": ("neocloud", "DYNAMIC"),
}
NAMES = {"A100-40GB": "A100 40GB", "A100-80GB": "A100 80GB", "V100-16GB": "V100 16GB"}


def history(rates: pd.DataFrame) -> pd.DataFrame:
    """The table of medians. rates: one row a series and month."""
    rates = rates[rates["pool"].isin(KINDS.keys())].copy()
    rates["provider_kind"] = rates["pool"].map(lambda pool: KINDS[pool][0])
    rates["pricing_category"] = rates["pool"].map(lambda pool: KINDS[pool][1])
    rates["gpu_model"] = rates["gpu_model"].replace(NAMES)
    term = rates["series"].str.extract(r"\|(\d+)m$")[0]
    rates["term_months"] = term.where(rates["pricing_category"] == "COMMITTED", "0").astype(int)
    rates["source"] = rates["source"].map(short_source)
    rates["number"] = rates["month"].str[:4].astype(int) * 12 + rates["month"].str[5:7].astype(int)
    rates = rates.sort_values(["series", "number"])
    by_series = rates.groupby("series")
    rates["log_change"] = np.log(rates["usd_per_gpu_hour"]) - np.log(by_series["usd_per_gpu_hour"].shift())
    rates["series_months"] = rates["number"] - by_series["number"].shift()
    keys = ["gpu_model", "provider_kind", "pricing_category", "term_months", "month"]
    groups = rates.groupby(keys, sort=True)
    table = groups.agg(
        usd_per_gpu_hour=("usd_per_gpu_hour", "median"),
        low=("usd_per_gpu_hour", "min"),
        high=("usd_per_gpu_hour", "max"),
        series=("series", "nunique"),
        log_change=("log_change", "sum"),
        series_months=("series_months", "sum"),
        source=("source", lambda found: "; ".join(sorted(set(found)))),
    ).reset_index()
    table["series_months"] = table["series_months"].astype(int)
    return table.round({"usd_per_gpu_hour": 4, "low": 4, "high": 4, "log_change": 5})


def short_source(source: str) -> str:
    """owner/repository of a repository, the title of a page."""
    if source.startswith("github:"):
        return source.removeprefix("github:").partition("@")[0]
    return source.partition(" — ")[2] or source


def main(path: str) -> None:
    """Write the table beside the other tables of the product."""
    table = history(pd.read_csv(path))
    table.to_csv(OUT, index=False, lineterminator="\n")
    print(f"{OUT.name}: {len(table)} rows")


if __name__ == "__main__":
    main(sys.argv[1])
