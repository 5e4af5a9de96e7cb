"""Inventories of nodes in JSON: machines with their GPUs."""

from collections import defaultdict
from collections.abc import Iterable
from decimal import Decimal
from typing import Any, Final

from gpuplanner.files.job_logs.judging.column_names import name_readings
from gpuplanner.files.lists.nodes.inventory_tables import GPU_WORDS, HOST_WORDS, OF_WHAT_RAN, STATUS_WORDS
from gpuplanner.files.sources import json_values
from gpuplanner.files.sources.source import Source
from gpuplanner.files.tables import small_table
from gpuplanner.files.tables.fields import WORDS
from gpuplanner.files.tables.headings import plain_words
from gpuplanner.files.tables.mapped_cells import count_of
from gpuplanner.files.values.numbers import read_decimal
from gpuplanner.files.values.word_lists import words
from gpuplanner.lazy_re import lazy_re

_HELD: Final = words("gpus|gpu|cards|accelerators|gpudevices")
_MODEL_KEYS: Final = ("gpumodel", "gputype", "model", "productname", "product", "name", "type")
_COUNT_KEYS: Final = ("count", "gpucount", "gpus", "quantity", "qty", "total", "capacity")
_JSON_KEYS: Final = {
    "name": (*(word.replace(" ", "") for word in HOST_WORDS), "name"),
    "cluster": tuple(word.replace(" ", "") for word in GPU_WORDS["cluster"]),
    "gpu_model": _MODEL_KEYS[:2],
    "status": tuple(word.replace(" ", "") for word in STATUS_WORDS),
}
_UUID: Final = lazy_re(r"(?i)GPU-[0-9a-f]{8}-")
_OF_MACHINES: Final = ("nodes", "hosts", "servers", "machines", "inventory")
_OF_OTHERS: Final = WORDS["of_other_lists"]


def _key(name: str) -> str:
    """A key in small letters, with nothing between its words."""
    return plain_words(name).replace(" ", "")


def machines_at(head: str) -> str | None:
    """Where in JSON the records of machines stand that hold GPUs; None where there are none.

    A mere number of GPUs may be of anything: then it is under a word for machines, or beside more than a name. 0 under
    `gpu` is which of them: what is measured of each is no list of machines.
    """
    records: dict[str, dict[str, str | None]] = {}
    for path, value in json_values.json_paths(head).items():
        at, _, name = path.rpartition(".")
        records.setdefault(at, {})[_key(name)] = value
    for at, own in records.items():
        hosts, held = own.keys() & set(_JSON_KEYS["name"]), [own[key] for key in own if key in _HELD]
        is_machine = hosts - {"name"} or at.split(".")[0] in _OF_MACHINES or None in held
        counts = [path for path in records if path.startswith(f"{at}.") and _key(path[len(at) :]) in _HELD]
        inside = {key for path in counts for key in records[path]}  # others have a limit, too: of power
        is_other = any(_OF_OTHERS.search(one) or OF_WHAT_RAN & set(name_readings(one)) for one in own)
        is_other |= not inside.isdisjoint(("limit", "quota"))  # how many may be ordered
        measured = [path for path in records if path.startswith(at) and path.endswith(".utilization")]
        is_other |= bool(measured)  # by gpustat, at one moment
        if hosts and held and is_machine and not is_other and own.get("gpu") != "0":
            return at
    return None


def json_rows(source: Source) -> small_table.Rows:
    """Each machine of JSON, its GPUs by model; a cluster that stands above all of them is theirs."""
    at, above = machines_at(source.head), json_values.json_paths(source.head).get("cluster") or ""
    for number, record in enumerate(json_values.json_objects(source, at), 1):
        own = {_key(name): value for name, value in record.items()}
        fields = {field: _first(own, keys) for field, keys in _JSON_KEYS.items()}
        held = defaultdict[str, Decimal](Decimal)
        for count, model in _cards(next((own[key] for key in own if key in _HELD), None)):
            gpus = read_decimal(count)
            held[model or fields["gpu_model"]] += Decimal("NaN") if gpus is None else gpus
        fields["cluster"] = fields["cluster"] or above
        texts = {"gpus": ";".join(f"{count:f}" for count in held.values()), "gpu_model": ";".join(held)}
        yield number, small_table.Row(texts=fields | (texts if held else {"gpus": "0"})), fields["name"]


def _first(own: dict[str, Any], keys: Iterable[str]) -> str:
    """The text under the first of some keys that has one."""
    return next((text for key in keys if (text := json_values.text_of(own.get(key)))), "")


def _cards(value: object) -> Iterable[tuple[str, str]]:
    """(how many, of which model) of a number, an object, or a list of models, objects or places: [0, 1]."""
    if isinstance(value, dict):
        own = {_key(name): card for name, card in value.items()}
        count, model = _first(own, _COUNT_KEYS), _first(own, _MODEL_KEYS)
        by_model = [(json_values.text_of(one), name) for name, one in value.items()]
        return [(count or "1", model)] if count or model else by_model
    if isinstance(value, list):
        return [
            one for each in value for one in (_cards(each) if isinstance(each, dict | str) else [("1", "")])
        ]
    count, model = count_of(json_values.text_of(value), "")
    if not count:
        return []
    return [(count, model) if count.isdecimal() else ("1", "" if _UUID.match(count) else count)]
