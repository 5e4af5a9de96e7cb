"""A project as named parts of compressed bytes and back: the demand cube, its intake, its plans."""

import hashlib
import zlib
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

import numpy as np

from gpuplanner.domain.arrays import Ints
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.book.contract import RATE_FIELD, Contract
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.cube import Cube, IdleGap, Workload
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import FileIntake, JobFacts
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import HOUR_S
from gpuplanner.files.project.plans_json import PARTS_OF_THEIR_OWN, plans_entry, plans_of
from gpuplanner.files.project.value_tables import NewerFieldError, from_json, rows_of, table, to_json
from gpuplanner.files.system.output_file import unreadable
from gpuplanner.lazy_dataclass import dataclass, field, fields

# --- A demand cube as bytes and back, exact: few bytes a number, and fast to compress ------------

CUBE_ARRAYS: Final = ("workload_index", "model_index", "offsets", "hour", "milli_gpu_seconds")
GROWING: Final = ("offsets", "hour")
"""Stored as differences, which are mostly ones."""


def cube_to_bytes(cube: Cube) -> tuple[dict[str, object], dict[str, bytes]]:
    """A header for JSON and the bytes of each of the five arrays.

    An array is stored with the fewest bytes a number that hold it (its width; two's complement, so that every int64
    comes back): first all lowest bytes, then all second ones and so on, that is little-endian, transposed.
    """
    packed = {name: pack_numbers(getattr(cube, name), name in GROWING) for name in CUBE_ARRAYS}
    shapes = {name: shape for name, (shape, _) in packed.items()}
    header = {"hours": cube.hours, "gpu_models": cube.gpu_models, "arrays": shapes}
    return header, {name: plain for name, (_, plain) in packed.items()}


def cube_from_bytes(header: Mapping[str, Any], arrays: Mapping[str, bytes]) -> Cube:
    """The cube of a header and its arrays. Errors: ValueError where they do not make a sound cube.

    header["arrays"] tells of each array its length, width in bytes, and whether differences are stored.
    """
    shapes = header["arrays"]
    if not all(isinstance(name, str) for name in header["gpu_models"]):
        raise ValueError("cube: a GPU model has a name that is no text")
    cube = Cube(
        hours=header["hours"],
        gpu_models=tuple(header["gpu_models"]),
        **{name: unpack_numbers(arrays[name], **shapes[name]) for name in CUBE_ARRAYS},
    )
    if not _is_sound(cube):
        raise ValueError("cube: its arrays do not fit together")
    return cube


def pack_numbers(values: Ints, growing: bool) -> tuple[dict[str, int | bool], bytes]:
    """Return whole numbers, shape (n,), as bytes of the smallest width that holds them.

    All first bytes come first, then all second ones, which compresses best; growing numbers are stored as
    differences. The dict is what `unpack_numbers` takes.
    """
    numbers = np.diff(values, prepend=np.int64(0)) if growing else values
    low, high = (int(numbers.min()), int(numbers.max())) if len(numbers) else (0, 0)
    width = next(
        width for width in (1, 2, 4, 8) if -(1 << (8 * width - 1)) <= low and high < 1 << (8 * width - 1)
    )
    planes = numbers.astype(f"<i{width}").view(np.uint8).reshape(-1, width).T
    return {"length": len(values), "width": width, "delta": growing}, planes.tobytes()


def unpack_numbers(plain: bytes, length: int, width: int, delta: bool) -> Ints:
    """Return the numbers that `pack_numbers` packed: int64, shape (length,)."""
    planes = np.frombuffer(bytearray(plain), np.uint8).reshape(width, length)
    numbers = np.ascontiguousarray(planes.T).view(f"<i{width}").reshape(length).astype(np.int64)
    return np.cumsum(numbers, dtype=np.int64) if delta else numbers


def _is_sound(cube: Cube) -> bool:
    """The laws of Cube that arithmetic on it relies on."""
    rows, entries = len(cube.workload_index), len(cube.hour)
    if (len(cube.model_index), len(cube.offsets), len(cube.milli_gpu_seconds)) != (rows, rows + 1, entries):
        return False
    if not _is_ordered(cube) or (cube.offsets[0], cube.offsets[-1]) != (0, entries):
        return False
    if rows and (cube.workload_index[0] < 0 or not _within(cube.model_index, -1, len(cube.gpu_models))):
        return False
    return not entries or (_within(cube.hour, 0, cube.hours) and int(cube.milli_gpu_seconds.min()) > 0)


def _is_ordered(cube: Cube) -> bool:
    """No row is empty, the rows are sorted with no pair twice, and so are the hours of each."""
    if (np.diff(cube.offsets) <= 0).any():
        return False
    workload_step, model_step = np.diff(cube.workload_index), np.diff(cube.model_index)
    goes_up = (workload_step > 0) | ((workload_step == 0) & (model_step > 0))
    hour_step = np.diff(cube.hour)
    begins_row = np.zeros(len(cube.hour) + 1, dtype=np.bool_)
    begins_row[cube.offsets[(cube.offsets >= 0) & (cube.offsets <= len(cube.hour))]] = True
    return bool(goes_up.all() and ((hour_step > 0) | begins_row[1 : len(hour_step) + 1]).all())


def _within(values: Ints, low: int, end: int) -> bool:
    """Whether all values are at least `low` and below `end`."""
    return bool(values.min() >= low and values.max() < end)


# --- A project as named parts of compressed bytes and back: what the project file and the journal store
# Each part is compressed by itself, so that one whose values are the very same objects as at the last save is taken
# over as the bytes it had. The JSON parts are made in plans_json.py, value_tables.py and here, as the cube is.

LEVEL: Final = 1  # of zlib: the bytes of numbers lie side by side, a higher level costs time and saves little
LARGEST_PART: Final = 10**9
"""Bytes before compression; a sound project stays far below, and a payload that claims more is meant to harm."""
CUBE_PARTS: Final = ("cube", *(f"cube.{name}" for name in CUBE_ARRAYS))
ROWS: Final = "rows"
"""The part with the job rows behind the project, as their import kept them; a file may lack it."""
PART_NAMES: Final = ("plans", "jobs", "workloads", "contracts", "offers", "intake", *CUBE_PARTS)
FIELDS_OF_PART: Final[Mapping[str, tuple[str, ...]]] = {
    "plans": tuple(each.name for each in fields(Project) if each.name not in PARTS_OF_THEIR_OWN),
    **{name: (name,) for name in PARTS_OF_THEIR_OWN},
}
"""Which fields of a project each part is made of: all of them, so that a change of any makes the part anew."""


@dataclass(frozen=True, slots=True)
class Part:
    """One part as stored. payload: zlib; size: bytes before compression; sha256: see `part_hash`."""

    name: str
    size: int
    sha256: str
    payload: bytes


@dataclass(slots=True)
class PartCache:
    """The parts last saved or opened, each with the objects that it was made from.

    It holds those objects, so that no other can come to have their identity. Use one per document, from one thread
    at a time.
    """

    _made: dict[str, tuple[tuple[object, ...], tuple[Part, ...]]] = field(default_factory=dict)
    _read: dict[str, tuple[Mapping[str, Any], tuple[Part, ...]]] = field(default_factory=dict)

    def parts(
        self, name: str, sources: tuple[object, ...], make: Callable[[], tuple[Part, ...]]
    ) -> tuple[Part, ...]:
        """What was made of the very same objects last time, else what `make` makes now.

        Identity decides, not equality: a project's values are replaced, never changed, and comparing cubes
        is slow.
        """
        known = self._made.get(name)
        if known is not None and all(one is other for one, other in zip(known[0], sources, strict=True)):
            return known[1]
        made = make()
        self._made[name] = (sources, made)
        return made

    def know(self, project: Project, parts: Mapping[str, Part]) -> None:
        """These parts were read, and hold this project."""
        for name, names in FIELDS_OF_PART.items():
            held = {each: getattr(project, each) for each in names}
            self._read[name] = (held, _stored(parts, name))
        self._made["cube"] = ((project.cube,), _stored(parts, "cube"))
        if ROWS in parts:
            self._made[ROWS] = ((project.jobs.rows_sha256,), (parts[ROWS],))

    def fields_in(self, parts: Mapping[str, Part], name: str) -> Mapping[str, Any] | None:
        """The fields of a project that this part was read to hold before, where it is the same byte for byte.

        None where it is not known. So parts that another session left as they were are not read again.
        """
        held, stored = self._read.get(name, (None, ()))
        return held if stored == _stored(parts, name) else None


def _stored(parts: Mapping[str, Part], name: str) -> tuple[Part, ...]:
    """A part as stored; the cube's is several."""
    return tuple(parts[each] for each in (CUBE_PARTS if name == "cube" else (name,)))


def sealed(name: str, plain: bytes) -> Part:
    """A part of these bytes.

    Compressed with zlib; size is that of the plain bytes.
    """
    payload = zlib.compress(plain, LEVEL)
    return Part(name, len(plain), part_hash(name, payload), payload)


def part_hash(name: str, payload: bytes) -> str:
    """SHA-256 of the name, a zero byte and the payload: with the name in it, parts cannot be mixed up."""
    digest = hashlib.sha256(name.encode() + b"\0")
    digest.update(payload)
    return digest.hexdigest()


def unsealed(part: Part, where: str) -> bytes:
    """The bytes of a part. Errors: PlannerError naming the part where they are not what was saved.

    Never unpacks more than the part claims, and never a part above the limit: a file may come from anybody.
    """
    if part_hash(part.name, part.payload) != part.sha256 or part.size > LARGEST_PART:
        raise damaged(where, part.name)
    unpack = zlib.decompressobj()
    try:
        plain = unpack.decompress(part.payload, part.size + 1)  # never more, whatever the payload claims
    except (zlib.error, ValueError, OverflowError):
        raise damaged(where, part.name) from None
    if len(plain) != part.size or not unpack.eof:
        raise damaged(where, part.name)
    return plain


def damaged(where: str, name: str) -> PlannerError:
    """The error for a part that is not what was saved."""
    return unreadable(
        where, worded("part {name} is damaged", name=f"{name!r}"), worded("open a backup or another copy")
    )


def _newer(where: str, field: str) -> PlannerError:
    """The error for a field or part that this version does not know: read without it, a save would lose it."""
    return unreadable(
        where,
        worded("from a newer gpuplanner: unknown field {field}", field=f"{field!r:.60}"),
        worded("open it with the version that saved it"),
    )


def parts_of(project: Project, cache: PartCache) -> tuple[Part, ...]:
    """All parts of a project, in the order of PART_NAMES.

    Parts whose fields are the very same values as last time come out of the cache, unpacked by nobody.
    """

    def made(name: str, make: Callable[[], tuple[Part, ...]]) -> tuple[Part, ...]:
        """The parts of this name; those made before while its fields are still the same values."""
        return cache.parts(name, tuple(getattr(project, each) for each in FIELDS_OF_PART[name]), make)

    def small(name: str, entry: Callable[[], object]) -> tuple[Part, ...]:
        """One part of JSON alone."""
        return made(name, lambda: (sealed(name, to_json(entry())),))

    return (
        *small("plans", lambda: plans_entry(project)),
        *small("jobs", lambda: table(JobFacts, (project.jobs,))),
        *small("workloads", lambda: table(Workload, project.workloads)),
        *small("contracts", lambda: table(Contract, project.contracts)),
        *small("offers", lambda: table(Offer, project.offers)),
        *small("intake", lambda: table(FileIntake, project.intake)),
        *made("cube", lambda: _cube_parts(project.cube)),
    )


def _cube_parts(cube: Cube) -> tuple[Part, ...]:
    """A cube as a part of JSON and one part for each of its arrays."""
    header, arrays = cube_to_bytes(cube)
    return (sealed("cube", to_json(header)), *(sealed(f"cube.{name}", arrays[name]) for name in CUBE_ARRAYS))


def project_from(parts: Mapping[str, Part], where: str, cache: PartCache) -> Project:
    """The project that these parts hold. where: the file, for errors; cache: a part that it has read before, byte for
    byte, is not unpacked again.

    Errors: PlannerError naming the part that is missing or damaged, or whose values do not fit together, and where it
    holds more than this version knows.
    """
    missing = [name for name in PART_NAMES if name not in parts]
    if missing:
        raise unreadable(
            where,
            worded("part {missing} is missing", missing=f"{missing[0]!r}"),
            worded("open a backup or another copy"),
        )

    if unknown := parts.keys() - {*PART_NAMES, ROWS}:
        raise _newer(where, min(unknown))

    held: dict[str, Any] = {}

    def read(name: str, make: Callable[..., Mapping[str, Any]]) -> None:
        """Reads one part and what belongs to it into the fields.

        Whatever is wrong with it, the part is damaged.
        """
        known = cache.fields_in(parts, name)
        if known is None:
            head, *arrays = (unsealed(part, where) for part in _stored(parts, name))
            try:
                known = make(from_json(head), *arrays)
            except NewerFieldError as error:
                raise _newer(where, str(error)) from error
            except (
                PlannerError,
                ValueError,
                TypeError,
                LookupError,
                AttributeError,
                ArithmeticError,
                RecursionError,
            ) as error:
                raise damaged(where, name) from error
        held.update(known)

    def cube_of(header: Mapping[str, Any], *arrays: bytes) -> Mapping[str, Any]:
        """The cube from its header and its arrays, in the order in which they are stored."""
        return {"cube": cube_from_bytes(header, dict(zip(CUBE_ARRAYS, arrays, strict=True)))}

    read("cube", cube_of)
    read("plans", plans_of)
    read("jobs", lambda entry: {"jobs": rows_of(JobFacts, entry)[0]})
    for name, row_type in (
        ("workloads", Workload),
        ("contracts", Contract),
        ("offers", Offer),
        ("intake", FileIntake),
    ):
        read(
            name, lambda entry, name=name, row_type=row_type: {name: rows_of(row_type, read_old_rates(entry))}
        )
    for name, row_type in (("contracts", Contract), ("offers", Offer)):
        if _has_impossible_numbers(row_type, held[name]):
            raise damaged(where, name)
    project = Project(**held)
    cube, workloads, idle_gaps = project.cube, project.workloads, project.jobs.idle_gaps
    if cube.hours != project.window.hours or (
        len(cube.workload_index) and cube.workload_index[-1] >= len(workloads)
    ):
        raise damaged(where, "cube")
    if not _are_sound(idle_gaps.each if idle_gaps else (), workloads, cube):
        raise damaged(where, "jobs")
    return project


def _has_impossible_numbers(row_type: type, rows: Sequence[Any]) -> bool:
    """Return whether a number of some row is below 0, or beyond all money. A time may be before 1970."""
    names = [each.name for each in fields(row_type) if not each.name.endswith("_s")]
    values = (getattr(row, name) for row in rows for name in names)
    return any(isinstance(value, Decimal | float | int) and not 0 <= value < 10**30 for value in values)


def read_old_rates(entry: dict[str, Any]) -> dict[str, Any]:
    """Return a table in the present form: older files had a field of their own for a rate that the planner entered."""
    if (said := "rate_said") not in entry["fields"]:
        return entry
    rows = [dict(zip(entry["fields"], row, strict=True)) for row in entry["rows"]]
    for row in rows:
        rate, stated = row.pop(said), row[RATE_FIELD]
        row["filed"] = [[RATE_FIELD, stated or ""]] if rate and not stated else []
        row[RATE_FIELD] = stated or rate
    names = list(rows[0]) if rows else []
    return {"fields": names, "rows": [[row[name] for name in names] for row in rows]}


def _are_sound(idle_gaps: Sequence[IdleGap], workloads: Sequence[Workload], cube: Cube) -> bool:
    """Whether all that ran in idle gaps, in the window, are workloads of the cluster on GPU models that they used."""
    pairs = {(place, None if model is None else model.casefold()) for place, model in cube.pairs}
    return all(
        (jobs.workload, None if jobs.gpu_model is None else jobs.gpu_model.casefold()) in pairs
        and workloads[jobs.workload].cluster == idle_gap.cluster
        and jobs.milli_gpus > 0
        and 0 <= jobs.until_s <= idle_gap.end_s <= cube.hours * HOUR_S
        for idle_gap in idle_gaps
        for jobs in idle_gap.running
    )
