"""Small projects for the answers, made as those of the audit tests are."""

from tests.domain.audit.conftest import world

__all__ = ["world"]
