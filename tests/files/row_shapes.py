"""Tables of every kind that have columns, as lines of cells: for tests that give rows too few or too many of them."""

import csv
import io
from collections.abc import Mapping
from dataclasses import dataclass

from tests.files.activity import activity_texts as activity
from tests.files.contracts.test_focus_commitments import COMMITMENT
from tests.files.importing.test_described_files import CARBON, NODES, TRAFFIC
from tests.files.importing.test_tables_of_people import OWN, PRICES, TITLED
from tests.files.job_logs.log_shapes import SHAPES
from tests.files.lists.test_traffic_tables import AZURE, BURST
from tests.files.prices.price_texts import OPENCOST_CSV, SKY_AWS


@dataclass(frozen=True, slots=True, kw_only=True)
class RowShape:
    """A sound table. head: lines above its rows; rows: cells; sound: how many rows stand first so that it is known.

    takes_delimiters: a column of free text takes what is too much, where nothing contradicts. has_remarks: totals and
    remarks among its rows are left out, whatever stands beside them. mapping: of a job log.
    """

    name: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    delimiter: str = ","
    is_quoted: bool = True
    mapping: str | None = None
    sound: int = 4
    takes_delimiters: bool = False
    has_remarks: bool = False

    def line(self, cells: tuple[str, ...]) -> str:
        """A row as it stands in the file."""
        if not self.is_quoted:
            return self.delimiter.join(cells)
        text = io.StringIO()
        csv.writer(text, delimiter=self.delimiter, lineterminator="").writerow(cells)
        return text.getvalue()


def _shape(
    text: str, name: str = "table.csv", *, head: int = 1, delimiter: str = ",", **more: object
) -> RowShape:
    lines = text.splitlines()
    is_quoted = delimiter != "|"
    rows = (
        list(csv.reader(lines[head:], delimiter=delimiter, skipinitialspace=True))
        if is_quoted
        else [line.split(delimiter) for line in lines[head:]]
    )
    return RowShape(
        name=name,
        head=tuple(lines[:head]),
        rows=tuple(tuple(row) for row in rows if row),
        delimiter=delimiter,
        is_quoted=is_quoted,
        **more,  # type: ignore[arg-type]
    )


_LOGS = (
    *("own", "table of slurm2sql", "focus_1_2.csv", "openb", "table like philly", "pai", "by mapping"),
    *("table of allocation", "table of Slurm's database"),
)
_BILLS = tuple(name for name in SHAPES if name.endswith(".csv"))
_WIDE = "GPU,AWS,Azure,Lambda\nH100,6.88,12.29,2.99\nB200,14.24,13.9,6.5\n"
_USERS = "city,country,latitude,longitude,users\nOslo,Norway,59.9,10.7,100\nRome,Italy,41.9,12.5,7\n"
_SITES = (
    "site_id,city,country,latitude,longitude,usd_per_month,current\n"
    "a,Oslo,Norway,59.9,10.7,100,true\nb,Rome,Italy,41.9,12.5,7,false\n"
)
_MEASURED = "city,site_id,one_way_ms\nOslo,a,3\nRome,b,4.5\n"
_RESIDENCY = "country,allowed_site_countries\nNorway,Norway;Sweden\nItaly,Italy\n"
_RULES = "rule_id,field,pattern,pool,confidence,reason\nr1,name,train,training,0.97,we\nr2,user,ann,burst,,\n"
_WEEK = "hour_of_week,requests_per_s\n0,1.5\n1,2\n167,3\n"

ROW_SHAPES: Mapping[str, RowShape] = {
    **{
        name: _shape(SHAPES[name].text, mapping=SHAPES[name].mapping)
        for name in dict.fromkeys((*_LOGS, *_BILLS))
    },
    "sacct": _shape(SHAPES["sacct"].text, delimiter="|", takes_delimiters=True),
    "slurm2sql": _shape(SHAPES["slurm2sql"].text, delimiter="|", takes_delimiters=True),
    "xdmod": _shape(SHAPES["xdmod"].text, head=0, delimiter="|", takes_delimiters=True, sound=200),
    "dcgm": _shape(activity.DMON_CSV),
    "prometheus": _shape(activity.LONG_CSV),
    "grafana": _shape(activity.GRAFANA, head=2),
    "nvidia_smi": _shape(activity.SMI),
    "nvidia_smi without a heading": _shape(activity.SMI_BARE, head=0, sound=24),  # told by most of its rows
    "nvidia_smi dmon": _shape(activity.SMI_DMON_CSV, head=2),
    "contracts": _shape(OWN),
    "contracts of people": _shape(TITLED, head=4, has_remarks=True),
    "prices": _shape(PRICES, has_remarks=True),
    "commitments": _shape(",".join(COMMITMENT) + "\n" + ",".join(COMMITMENT.values()) + "\n"),
    "prices by provider": _shape(_WIDE),
    "catalogue": _shape(SKY_AWS, name="vms.csv"),
    "prices of OpenCost": _shape(OPENCOST_CSV),
    "users": _shape(_USERS),
    "sites": _shape(_SITES),
    "measured": _shape(_MEASURED),
    "residency": _shape(_RESIDENCY),
    "rules": _shape(_RULES),
    "requests": _shape(TRAFFIC),
    "requests of Azure": _shape(AZURE),
    "requests of BurstGPT": _shape(BURST),
    "rates of a week": _shape(_WEEK),
    "nodes": _shape(NODES),
    "carbon": _shape(CARBON),
}
