"""Fields of jobs, contracts and price lists, each declared once: what its cells hold, and the headings that mean it."""

from collections.abc import Collection, Mapping
from enum import Enum, auto
from typing import Final

from gpuplanner.files.system.resources import rows_of
from gpuplanner.files.values.gpu_counts import MILLI_PER
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.lazy_re import lazy_re


class Holds(Enum):
    """What the cells of a field hold: by that it is told how they look, are written and are read.

    COUNT: how many GPUs, maybe with their model (8 x H100). NUMBER, MONEY, DATE: as the column writes them,
    decided over all of its cells; PLAIN_NUMBER, PLAIN_MONEY, PLAIN_DATE: cell by cell. PART: of one, or in
    percent. RANGE: a count, or a range of counts (1-63). RATE: the price of a GPU-hour, WAY: the same for one
    way to pay. UNIT: what the price of a row is for. RENEWAL: a term, or whether it renews. LEAD: from order to
    delivery. Of jobs: TIME: an instant, LENGTH: of time, GPUS: of a job, SHARE: how busy its GPUs were, WHOLE: a
    count.
    """

    TEXT = auto()
    ID = auto()
    MODEL = auto()
    COUNT = auto()
    NODES = auto()
    NUMBER = auto()
    PLAIN_NUMBER = auto()
    RANGE = auto()
    PART = auto()
    MONEY = auto()
    PLAIN_MONEY = auto()
    RATE = auto()
    WAY = auto()
    UNIT = auto()
    CURRENCY = auto()
    CATEGORY = auto()
    TERM = auto()
    RENEWAL = auto()
    DAYS = auto()
    LEAD = auto()
    DATE = auto()
    PLAIN_DATE = auto()
    FLAG = auto()
    INTERCONNECT = auto()
    REMARK = auto()
    TIME = auto()
    LENGTH = auto()
    GPUS = auto()
    SHARE = auto()
    WHOLE = auto()
    STATE = auto()
    CLASS = auto()


STYLED: Final = frozenset(
    (Holds.COUNT, Holds.NUMBER, Holds.MONEY, Holds.LENGTH, Holds.GPUS, Holds.SHARE, Holds.WHOLE)
)
"""Numbers of which the whole column tells whether they have points or commas."""

GPU_HOURS: Final = "gpu_hours"
"""The unit of GPUs that are told as GPU-hours in the time of the row."""

UNITS: Final[Mapping[Holds, tuple[str, ...]]] = {
    Holds.TIME: ("iso", "epoch_s", "epoch_ms", "epoch_us", "epoch_ns", "ymd", "dmy", "mdy", "serial"),
    Holds.LENGTH: ("s", "min", "h", "d", "ms", "hm"),
    Holds.GPUS: (*MILLI_PER, "slurm", "list", "per_node", GPU_HOURS),
    Holds.SHARE: ("percent", "share"),
}
"""The units that a field of a job is offered in, the first where none is stated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """name: as --map takes it, and the heading of our own tables. words: headings that mean it, apart by `|`.

    is_ours: our own tables have it; others are turned into those. is_needed: our own tables must have it.
    """

    name: str
    holds: Holds
    words: str = ""
    is_ours: bool = True
    is_needed: bool = False


DURATION: Final = "duration"
ACTIVITY: Final = "gpu_activity_percent"
TIME_LIMIT: Final = "time_limit"

JOB_FIELDS: Final = tuple(
    Field(
        name=row["name"],
        holds=Holds[row["holds"].upper()],
        is_ours=row["role"] != "others",
        is_needed=row["role"] == "needed",
    )
    for row in rows_of("job_fields.csv")
)
"""Of which headings mean them, `resources/column_names.csv` has the table: names of logs are put together of parts."""


def _fields_of(table: str) -> tuple[Field, ...]:
    """The fields of contracts or of price lists as the shipped tables declare them; an empty table: words of both."""
    declared: dict[str, tuple[Holds, str]] = {}
    for row in rows_of("field_words.csv"):
        if row["table"] in ("", table):
            _, known = declared.get(row["field"], (None, ""))
            words = "|".join(filter(None, (known, row["words"])))
            declared[row["field"]] = (Holds[row["holds"].upper()], words)
    roles = {row["field"]: row["role"] for row in rows_of("table_fields.csv") if row["table"] == table}
    return tuple(
        Field(
            name=name,
            holds=declared[name][0],
            words=declared[name][1],
            is_ours=role != "others",
            is_needed=role == "needed",
        )
        for name, role in roles.items()
    )


WORDS: Final = {row["name"]: lazy_re(row["pattern"]) for row in rows_of("table_words.csv")}
"""What cells and headings of contracts say in words, as patterns by name."""
IN_FULL: Final = {row["name"]: row["full"] for row in rows_of("table_words.csv") if row["full"]}
"""By name of a short or compound word in a heading what it means, in words that are known."""

CONTRACT_FIELDS: Final = _fields_of("contracts")
PRICE_FIELDS: Final = _fields_of("prices")
FIELDS: Final[Mapping[str, tuple[Field, ...]]] = {"contracts": CONTRACT_FIELDS, "prices": PRICE_FIELDS}
"""By kind of table, our own first and in their order."""

FIELD_NAMES: Final = {kind: tuple(field.name for field in fields) for kind, fields in FIELDS.items()}
JOB_HOLDS: Final = {field.name: field.holds for field in JOB_FIELDS}
"""What the texts of a field of a job hold."""

HOLDS: Final[Mapping[str, Holds]] = {
    field.name: field.holds for fields in FIELDS.values() for field in fields
}
"""What the cells of a field hold, in whichever kind of table."""

OWN_COLUMNS: Final = {
    kind: tuple(field.name for field in fields if field.is_ours) for kind, fields in FIELDS.items()
}
OWN_NEEDED: Final = {
    kind: tuple(field.name for field in fields if field.is_needed) for kind, fields in FIELDS.items()
}
DOLLARS: Final = "commitment_usd_per_hour"


def has_needed(kind: str, columns: Collection[str]) -> bool:
    """Whether a table has what ours needs: one of commitments in dollars needs no GPUs."""
    return set(OWN_NEEDED[kind]) <= {*columns, *(("gpus",) if DOLLARS in columns else ())}


ALSO_SHOWN: Final = {
    kind: tuple(field.name for field in fields if not field.is_ours and field.holds is not Holds.REMARK)
    for kind, fields in FIELDS.items()
}
"""Fields that tables of others have, to be chosen when one is read."""

NEEDED_OF_OTHERS: Final = {"contracts": ("gpus", "start"), "prices": ("gpu_model",)}
"""What tables of others must have: the rest is made up for."""
