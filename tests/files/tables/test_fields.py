import pytest

from gpuplanner.files.tables.fields import (
    ALSO_SHOWN,
    FIELDS,
    HOLDS,
    NEEDED_OF_OTHERS,
    OWN_COLUMNS,
    OWN_NEEDED,
)
from gpuplanner.files.tables.headings import meanings


@pytest.mark.parametrize("kind", FIELDS)
def test_a_field_is_declared_once_and_every_word_of_it_means_it(kind: str) -> None:
    names = [field.name for field in FIELDS[kind]]
    assert len(names) == len(set(names))
    for field in FIELDS[kind]:
        assert HOLDS[field.name] is field.holds
        for word in filter(None, field.words.split("|")):
            assert field.name in [meaning.field for meaning in meanings(word, kind)], word


@pytest.mark.parametrize("kind", FIELDS)
def test_what_is_needed_is_there_to_be_chosen(kind: str) -> None:
    assert set(OWN_NEEDED[kind]) <= set(OWN_COLUMNS[kind])
    assert set(NEEDED_OF_OTHERS[kind]) <= {*OWN_COLUMNS[kind], *ALSO_SHOWN[kind]}
    assert not set(OWN_COLUMNS[kind]) & set(ALSO_SHOWN[kind])


@pytest.mark.parametrize("kind", FIELDS)
def test_a_heading_of_signs_alone_means_nothing(kind: str) -> None:
    assert meanings("(---)", kind) == meanings("[ ]", kind) == ()
