"""Mutants of a formula: the same function with one factor, sign or order of operands changed."""

import ast
import inspect
import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType

from gpuplanner.domain.figures.figure import Figure

FACTOR = 3
"""Whole, so that exact GPU time stays exact."""
SWAPPED = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult}
ORDERED = ("share", "is_below", "if_any", "if_enough")
"""Operations whose operands are no equals."""


def mutants(formula: Callable) -> Iterator[tuple[str, Callable]]:
    """What was changed, and the changed function: it has the name, parameters and globals of the formula."""
    declared = ast.parse(textwrap.dedent(inspect.getsource(formula)))
    declared.body[0].decorator_list = []  # type: ignore[attr-defined]  # a mutant is no figure of its own
    source = ast.unparse(declared)

    def made(change: Callable[[ast.AST], None]) -> Callable:
        tree = ast.parse(source)
        change(tree)
        ast.fix_missing_locations(tree)
        space = dict(formula.__globals__)
        exec(compile(tree, f"mutant of {formula.__name__}", "exec"), space)
        return space[formula.__name__]

    def at(tree: ast.AST, kind: type, number: int) -> ast.AST:
        return [node for node in ast.walk(tree) if isinstance(node, kind)][number]

    def factor(tree: ast.AST) -> None:
        back = at(tree, ast.Return, 0)
        call = isinstance(back.value, ast.Call) and getattr(back.value.func, "id", "") == "is_below"
        target = back.value.args if call else None
        if target is not None:
            target[0] = ast.BinOp(target[0], ast.Mult(), ast.Constant(FACTOR))
        else:
            back.value = ast.BinOp(back.value, ast.Mult(), ast.Constant(FACTOR))

    yield "factor", made(factor)
    plain = ast.parse(source)
    for number, node in enumerate(node for node in ast.walk(plain) if isinstance(node, ast.BinOp)):
        has_number = isinstance(node.left, ast.Constant) or isinstance(node.right, ast.Constant)

        def sign(tree: ast.AST, number: int = number) -> None:
            found = at(tree, ast.BinOp, number)
            found.op = SWAPPED[type(found.op)]()

        def swap(tree: ast.AST, number: int = number) -> None:
            found = at(tree, ast.BinOp, number)
            found.left, found.right = found.right, found.left

        if not has_number:
            yield f"sign {number}", made(sign)
        if isinstance(node.op, ast.Sub | ast.Div):
            yield f"swap {number}", made(swap)
    for number, node in enumerate(node for node in ast.walk(plain) if isinstance(node, ast.Call)):
        if getattr(node.func, "id", "") in ORDERED:

            def order(tree: ast.AST, number: int = number) -> None:
                found = at(tree, ast.Call, number)
                found.args.reverse()

            yield f"order {number}", made(order)


@contextmanager
def with_formula(one: Figure, changed: Callable) -> Iterator[None]:
    """The figure with another formula, and every module that calls the formula by its name."""
    kept = one.formula
    callers = [module for module in modules_of_the_product() if vars(module).get(kept.__name__) is kept]
    object.__setattr__(one, "formula", changed)
    for module in callers:
        setattr(module, kept.__name__, changed)
    try:
        yield
    finally:
        object.__setattr__(one, "formula", kept)
        for module in callers:
            setattr(module, kept.__name__, kept)


def modules_of_the_product() -> list[ModuleType]:
    """The modules of the product that are loaded."""
    return [module for name, module in list(sys.modules.items()) if name.startswith("gpuplanner.")]
