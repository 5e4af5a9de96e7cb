"""The page of inference: there where an endpoint is sized, and what it says is the sizing's."""

from dataclasses import replace

from gpuplanner.domain import edits
from gpuplanner.domain.brief.briefs import brief_of
from gpuplanner.domain.brief.pages import TableBlock, TextBlock
from gpuplanner.domain.brief.today_pages import sized_endpoints
from gpuplanner.domain.fit.sized_endpoints import size_endpoint
from gpuplanner.domain.model.places import WeekRates
from gpuplanner.domain.reports.serving_words import advice
from gpuplanner.files.lists.served_models import model_named
from gpuplanner.files.system.resources import read_served_models, read_serving_tables
from tests.files.workbook.evaluations import two_clusters_evaluated

WEEK = WeekRates((5.0, 50.0) * 84, "week.csv")


def test_the_page_is_there_where_an_endpoint_is_sized() -> None:
    evaluation, tables = two_clusters_evaluated(), read_serving_tables()
    bare = brief_of(evaluation, 0, "1", endpoints=sized_endpoints(evaluation, tables))
    assert "inference" not in [page.key for page in bare.pages]
    project = edits.endpoints.set_served_model(
        evaluation.project, "", model_named("Llama-3.1-8B", read_served_models())
    )
    project = edits.endpoints.set_week(project, "", WEEK)
    stated = replace(evaluation, project=project)
    made = brief_of(stated, 0, "1", endpoints=sized_endpoints(stated, tables))
    keys = [page.key for page in made.pages]
    assert keys.index("inference") == keys.index("plan") - 1
    page = made.pages[keys.index("inference")]
    plan = project.scenario(evaluation.scenario)
    sized = size_endpoint(project, "", project.assumptions_in(plan), project.offers_in(plan), tables)
    assert sized is not None and sized.drawn is not None
    ((table,), (text,)) = page.rows
    assert isinstance(table, TableBlock) and str(table.rows[0][0]).startswith("not")
    assert isinstance(text, TextBlock) and text.sentences[: len(advice(sized, sized.drawn))] == tuple(
        map(str, advice(sized, sized.drawn))
    )
    assert f"{sized.drawn.gpus_peak} GPUs for 1 endpoint: $" in str(page.title)
