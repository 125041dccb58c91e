"""Guidelines: versions are kept, and two writers do not overwrite each other."""

import pytest

from commonground.annotate import ConflictError, guideline_versions, save_guidelines
from commonground.errors import InputError


def test_every_save_is_a_version_and_the_newest_is_current(database, project):
    assert guideline_versions(database, project.id) == []
    one = save_guidelines(database, project.id, "Read *twice*.\r\n")
    two = save_guidelines(database, project.id, "Read once.", after=1)
    assert [(v.version, v.text) for v in guideline_versions(database, project.id)] == [
        (2, "Read once."),
        (1, "Read *twice*."),
    ]
    assert save_guidelines(database, project.id, "Read once.", after=2) == two
    assert one.version == 1


def test_a_newer_version_is_not_overwritten_unseen(database, project):
    save_guidelines(database, project.id, "Mine.")
    with pytest.raises(ConflictError, match="newer version"):
        save_guidelines(database, project.id, "Yours.")
    with pytest.raises(InputError, match="longer than"):
        save_guidelines(database, project.id, "x" * 20_001, after=1)
    assert [one.text for one in guideline_versions(database, project.id)] == ["Mine."]
