"""The machine that a price may be of: how many GPUs it has, by its row or by the instance type."""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from gpuplanner.files.system import resources
from gpuplanner.files.tables import column_mapping
from gpuplanner.files.values import numbers
from gpuplanner.files.values.gpu_instances import find_instance
from gpuplanner.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """milli_gpus: thousandths of a GPU in one machine, 0 where nobody tells. name: its instance type, where known.

    is_plain: whether the row names a GPU and neither a type of machine nor how many.
    missing: the column that would tell. is_typed: whether its row names a type of machine that is known, whose price by
    the hour is of one of them, however many there are. usual: GPUs of the node that its GPU model is mostly sold in,
    where neither its row nor a heading tells; 0 where that is not known.
    """

    milli_gpus: int = 0
    name: str = ""
    is_plain: bool = False
    missing: str = "gpus"
    is_typed: bool = False
    usual: int = 0

    @property
    def gpus(self) -> Decimal:
        """Its GPUs.

        0 where it is not known how many it has.
        """
        return Decimal(self.milli_gpus) / 1000


class _KnownType(NamedTuple):
    """An instance type whose GPUs are known."""

    name: str
    milli_gpus: int


def machine_of_offer(cells: Iterable[str], texts: Mapping[str, str]) -> Machine:
    """The machine of a row of a price list: the instance type that it names, before its own count of GPUs.

    texts: by field, as written. A row with neither count nor type is taken for plain GPUs.
    """
    known = _known(cells, texts)
    if known is not None:
        return Machine(milli_gpus=known.milli_gpus, name=known.name)
    gpus = _milli(texts.get("gpus", "")) or _milli(texts.get(column_mapping.GPUS_PER_NODE, ""))
    is_plain = not texts.keys() & {"gpus", column_mapping.GPUS_PER_NODE} and not texts.get(
        column_mapping.INSTANCE
    )
    return Machine(milli_gpus=gpus, name="", is_plain=is_plain)


def machine_of_contract(cells: Iterable[str], texts: Mapping[str, str]) -> Machine:
    """The machine of a contract: its GPUs per node, else its GPUs over its nodes, else its instance type.

    Divided only where every node has the same, to the thousandth of a GPU.
    """
    each = _milli(texts.get(column_mapping.GPUS_PER_NODE, ""))
    gpus, nodes = _milli(texts.get("gpus", "")), _milli(texts.get(column_mapping.NODES, ""))
    if not each and gpus and nodes and gpus * 1000 % nodes == 0:
        each = gpus * 1000 // nodes
    known = _known(cells, texts)
    is_typed = (
        known is not None
        and bool(nodes)
        and find_instance(texts.get(column_mapping.INSTANCE, "")) is not None
    )
    if each:
        return Machine(
            milli_gpus=each,
            missing=column_mapping.GPUS_PER_NODE,
            is_typed=is_typed and known is not None and known.milli_gpus == each,
        )
    if known is not None:
        return Machine(
            milli_gpus=known.milli_gpus,
            name=known.name,
            missing=column_mapping.GPUS_PER_NODE,
            is_typed=is_typed,
        )
    return Machine(missing=column_mapping.GPUS_PER_NODE, usual=usual_node(texts.get("gpu_model", "")))


@lru_cache(maxsize=512)
def usual_node(gpu_model: str) -> int:
    """GPUs of the node that a model is mostly sold in; 0 where it is sold singly, or nobody knows.

    >>> usual_node("H100 SXM"), usual_node("H100 PCIe"), usual_node("abacus")
    (8, 0, 0)
    """
    read, tables = resources.gpu_families().read(gpu_model), resources.read_tables()
    if read is None or read.part:
        return 0
    known = {model.name for model in tables.gpu_models}
    return tables.node_gpus.get(read.full if read.full in known else read.family, 0)


def _known(cells: Iterable[str], texts: Mapping[str, str]) -> _KnownType | None:
    """The one instance type whose GPUs are known: that of its column, else of the whole row."""
    own = texts.get(column_mapping.INSTANCE, "")
    for some in ((own,), cells):
        found = {
            _KnownType(name=product.instance_type, milli_gpus=int(product.gpus * 1000))
            for text in some
            if text and (product := find_instance(text)) is not None and product.gpus
        }
        if len(found) == 1:
            return found.pop()
        if found:
            return None
    return None


def _milli(text: str) -> int:
    """A count of GPUs in thousandths; 0 where it is none."""
    number = numbers.read_decimal(text)
    return int(number * 1000) if number is not None and 0 < number < 10**9 else 0
