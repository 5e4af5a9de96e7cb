"""The machine that a price may be of: how many GPUs it has, by what its row tells or by the instance type it names."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal

from gpuplanner.files.tables.table_mapping import GPUS_PER_NODE, INSTANCE, NODES
from gpuplanner.files.values.gpu_instances import find_instance
from gpuplanner.files.values.numbers import read_decimal


@dataclass(frozen=True, slots=True)
class Machine:
    """milli_gpus: thousandths of a GPU in one machine, 0 where nobody tells. name: its instance type, where known.

    is_plain: whether the row names a GPU and neither a type of machine nor how many.
    missing: the column that would tell. is_typed: whether its row names a type of machine that is known, whose price by
    the hour is of one of them, however many there are.
    """

    milli_gpus: int = 0
    name: str = ""
    is_plain: bool = False
    missing: str = "gpus"
    is_typed: bool = False

    @property
    def gpus(self) -> Decimal:
        """Its GPUs.

        0 where it is not known how many it has.
        """
        return Decimal(self.milli_gpus) / 1000


def machine_of_offer(cells: Iterable[str], texts: Mapping[str, str]) -> Machine:
    """The machine of a row of a price list: the instance type that it names, before its own count of GPUs.

    texts: by field, as written. A row with neither count nor type is taken for plain GPUs.
    """
    known = _known(cells, texts)
    if known is not None:
        return Machine(known[1], known[0])
    gpus = _milli(texts.get("gpus", "")) or _milli(texts.get(GPUS_PER_NODE, ""))
    is_plain = not texts.keys() & {"gpus", GPUS_PER_NODE} and not texts.get(INSTANCE)
    return Machine(gpus, "", is_plain)


def machine_of_contract(cells: Iterable[str], texts: Mapping[str, str]) -> Machine:
    """The machine of a contract: its GPUs per node, else its GPUs over its nodes, else its instance type.

    Divided only where every node has the same, to the thousandth of a GPU.
    """
    each = _milli(texts.get(GPUS_PER_NODE, ""))
    gpus, nodes = _milli(texts.get("gpus", "")), _milli(texts.get(NODES, ""))
    if not each and gpus and nodes and gpus * 1000 % nodes == 0:
        each = gpus * 1000 // nodes
    known = _known(cells, texts)
    is_typed = known is not None and bool(nodes) and find_instance(texts.get(INSTANCE, "")) is not None
    if each:
        return Machine(
            each, missing=GPUS_PER_NODE, is_typed=is_typed and known is not None and known[1] == each
        )
    if known is not None:
        return Machine(known[1], known[0], missing=GPUS_PER_NODE, is_typed=is_typed)
    return Machine(missing=GPUS_PER_NODE)


def _known(cells: Iterable[str], texts: Mapping[str, str]) -> tuple[str, int] | None:
    """The one instance type whose GPUs are known: that of its column, else of the whole row."""
    own = texts.get(INSTANCE, "")
    for some in ((own,), cells):
        found = {
            (product.instance_type, int(product.gpus * 1000))
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
    number = read_decimal(text)
    return int(number * 1000) if number is not None and 0 < number < 10**9 else 0
