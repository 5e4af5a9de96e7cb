"""Each recipe of CONTRIBUTING works as printed: typed into a copy, it passes the tests that it names."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.recipes import PAGE, ROOT, Recipe, copy_of_tree, recipes

RECIPES = tuple(recipes())


def run_in(tree: Path, *words: str) -> None:
    """Run Python with these words in a copy of the tree. Fails with the output if the command fails."""
    environment = {**os.environ, "PYTHONPATH": str(tree), "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(
        [sys.executable, *words], cwd=tree, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{' '.join(words)}\n{done.stdout[-6000:]}\n{done.stderr[-3000:]}"


def test_every_block_of_the_recipes_is_an_edit() -> None:
    chapter = PAGE.read_text("utf-8").partition("\n## Recipes\n")[2].partition("\n## ")[0]
    assert chapter.count("\n```\n") == sum(len(recipe.edits) for recipe in RECIPES)


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.heading)
def test_the_places_of_a_recipe_are_there(recipe: Recipe) -> None:
    """Also true after the recipe is typed, because recipes run the tests of the docs."""
    for edit in recipe.edits:
        if not edit.is_new:
            text = (ROOT / edit.path).read_text("utf-8")
            if not edit.is_typed(text):
                edit.check_place(text)


@pytest.mark.long
@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.heading)
def test_a_recipe_passes_the_tests_that_it_names(recipe: Recipe, tmp_path: Path) -> None:
    tree = copy_of_tree(tmp_path)
    for edit in recipe.edits:
        edit.apply(tree)
    run_in(tree, "-m", "ruff", "check", "--fix", ".")
    run_in(tree, "-m", "ruff", "format", ".")
    run_in(tree, "docs/make_tables.py")
    for program, *words in recipe.commands:
        if program == "pytest":
            run_in(tree, "-m", "pytest", "-q", "-p", "no:cacheprovider", *words)
        else:
            assert program == "python"
            run_in(tree, *words)
