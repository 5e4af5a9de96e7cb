"""A project of two workloads, and the endpoint that one of them serves."""

from gpuplanner.domain.model.project import Project
from tests.domain import worlds

OF: Project = worlds.plan_project()
SERVES = "c2/team/load-001"
