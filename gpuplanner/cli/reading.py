"""Reading options of a call: files, mappings, clusters, nodes."""

import argparse
from collections.abc import Collection, Iterable, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Final

from gpuplanner.cli.arguments import PROJECT_SUFFIX, UsageError
from gpuplanner.cli.option_values import pseudonyms_of
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.activity.activity_intake import KIND as ACTIVITY
from gpuplanner.files.activity.activity_intake import OneNode
from gpuplanner.files.importing.check import OF_CLUSTER
from gpuplanner.files.importing.log_choices import LogChoice, ReadOptions
from gpuplanner.files.job_logs.judging.tres_names import parse_tres
from gpuplanner.files.tables.column_mapping import (
    DIFFERS,
    MappingWords,
    constant_of,
    parse_table_mapping,
    parted_map,
    without_not_needed,
)
from gpuplanner.files.tables.fields import FIELD_NAMES
from gpuplanner.files.tables.recipe import Recipe


def files_of(words: argparse.Namespace, option: str) -> list[str]:
    """The files of an option, projects left out."""
    return [path for path in getattr(words, option, []) if not path.lower().endswith(PROJECT_SUFFIX)]


def maps_of(words: argparse.Namespace) -> dict[str, str]:
    """What --map says, by kind of table: items that no job log has go to the other files of the call."""
    tables = {kind: fields for kind, fields in _fields_of(words).items() if files_of(words, kind)}
    return parted_map(getattr(words, "map", None), {**tables, ACTIVITY: OF_NODE})


def _fields_of(words: argparse.Namespace) -> Mapping[str, Collection[str]]:
    """By kind of table the fields that --map names; those of places where a call has files of them."""
    if not (files_of(words, "users") or files_of(words, "sites")):
        return FIELD_NAMES
    from gpuplanner.files.lists.place_tables import FIELDS_OF_PLACES

    return {**FIELD_NAMES, **FIELDS_OF_PLACES}


def recipes_of(words: argparse.Namespace) -> dict[str, Recipe]:
    """The recipes of a call by kind of table. Errors: PlannerError file_missing, file_unreadable; UsageError."""
    paths = getattr(words, "recipe", [])
    if not paths:
        return {}
    from gpuplanner.files.tables.recipe_file import read_recipe

    recipes: dict[str, Recipe] = {}
    for path in paths:
        recipe = read_recipe(path)
        if recipe.kind in recipes:
            raise UsageError(f"--recipe {path!r}: a second recipe for {recipe.kind}; give one")
        if not files_of(words, recipe.kind):
            raise UsageError(f"--recipe {path!r}: no file contains {recipe.kind}; add --{recipe.kind}")
        recipes[recipe.kind] = recipe
    return recipes


def maps_of_places(words: argparse.Namespace) -> dict[str, str | Recipe]:
    """What --map and --recipe say of users and sites, by kind.

    Errors: PlannerError usage for a field that none of them has; as recipes_of.
    """
    maps: dict[str, str | Recipe] = {**maps_of(words)}
    of_jobs = maps.pop("jobs", None)
    left = without_not_needed(of_jobs if isinstance(of_jobs, str) else None).of_fields
    if left is not None:
        known = dict.fromkeys(name for fields in _fields_of(words).values() for name in fields)
        MappingWords("--map", tuple(known), lambda name: None).parse(left)
    for kind, recipe in recipes_of(words).items():
        text = maps.get(kind)
        maps[kind] = recipe.with_words(text if isinstance(text, str) else None)
    return maps


OF_NODE: Final = ("node", "gpu_model")
"""What --map says of a log of activity whose rows name no node, as constants."""


def node_of(text: str) -> OneNode:
    """The node that such a log is of, and its model, from the items of --map for it. Errors: PlannerError usage."""
    columns = parse_table_mapping(text.removeprefix(DIFFERS), OF_NODE).columns if text else {}
    constants = {name: constant_of(column) for name, column in columns.items()}
    for name, value in constants.items():
        if not value:
            problem = worded("such a log covers one node")
            remedy = worded("write {name}==VALUE", name=name)
            raise PlannerError(f"--map {name}={columns[name]}", "usage", problem, remedy)
    return OneNode(constants.get("node") or "", constants.get("gpu_model") or "")


def clusters_of(words: argparse.Namespace) -> tuple[str | None, dict[str, str]]:
    """The cluster of logs that name none, and those of single files by path. Errors: UsageError.

    `--map cluster==NAME` is of every log, and of contract files whose rows name none.
    """
    kinds = ("jobs", "contracts", "files")
    files = dict.fromkeys(path for kind in kinds for path in files_of(words, kind))
    named: dict[str, str] = {}
    for text in getattr(words, "cluster", []):
        path, equals, name = (part.strip() for part in text.rpartition("="))
        called = [file for file in files if file == path] or [
            file for file in files if Path(file).name == path
        ]
        if not name or (equals and not path):
            fault = "write NAME, or FILE=NAME such as jobs.csv=granite"
        elif equals and len(called) != 1:
            fault = _of_no_file(words, path, called, files)
        elif named.setdefault(called[0] if equals else "", name) == name:
            continue
        else:
            fault = "it has another cluster already; give each file its own, as FILE=NAME"
        raise UsageError(f"--cluster {text!r}: {fault}")
    cluster, stated = named.pop("", None), OF_CLUSTER.search(maps_of(words).get("jobs", ""))
    of_map = dict.fromkeys(files_of(words, "contracts"), stated[1]) if stated else {}
    return cluster, {**of_map, **named}


def _of_no_file(words: argparse.Namespace, path: str, called: Sequence[str], files: Iterable[str]) -> str:
    """Why a path of --cluster is not one file that has a cluster, and what to write."""
    if called:
        return f"{len(called)} files are called {path}; write one as in the call: {' or '.join(called)}"
    if any(path in (file, Path(file).name) for file in files_of(words, "prices")):
        return f"{path} is a price list; only job logs and contracts have a cluster"
    near = get_close_matches(Path(path).name, [Path(file).name for file in files], 1)
    remedy = f"Did you mean {near[0]}?" if near else "Name it with --jobs or --contracts."
    return f"no job log or contract file of this call is {path}. {remedy}"


def read_options(words: argparse.Namespace) -> ReadOptions:
    """How the logs of a call are read. Errors: UsageError; PlannerError usage for numbers of GPUs that are none."""
    maps = maps_of(words)
    of_node = without_not_needed(maps.get(ACTIVITY)).of_fields
    is_parted = bool(getattr(words, "jobs", None)) or of_node is not None
    cluster, of_files = clusters_of(words)
    return ReadOptions(
        format=words.format,
        mapping=without_not_needed(maps.get("jobs")).of_fields if is_parted else words.map,
        timezone=words.timezone,
        drops_alike=words.drop_alike,
        is_open_ended=words.open_ended,
        cluster=cluster,
        choices={path: LogChoice(cluster=name) for path, name in of_files.items()},
        tres=parse_tres(words.tres),
        pseudonyms=pseudonyms_of(words),
        node=node_of(of_node or ""),
    )
