"""A grid of pyramids is what building them one by one gives."""

import pytest

from commonground.errors import InputError
from commonground.pyramid import GridPoint, Pyramid, pyramid_grid

REFERENCES = [
    "The mill burned down on Sunday night. Nobody was hurt, and the owner plans to rebuild.",
    "A fire destroyed the old mill. The owner said he would build a new one.",
    "On Sunday the mill went up in flames. There were no injuries.",
]


def test_every_point_is_the_pyramid_built_alone():
    found = dict(pyramid_grid(REFERENCES, [10, 50], [1, 4], [60, 80]))
    assert len(found) == 8
    for point, pyramid in found.items():
        assert pyramid == Pyramid.build(REFERENCES, ideas=False, **point._asdict())


def test_capacities_are_in_the_signature_where_they_are_not_the_usual_ones():
    usual = str(Pyramid.build(REFERENCES).signature)
    assert str(Pyramid.build(REFERENCES, alpha=10, beta=2.5).signature) == usual
    other = str(Pyramid.build(REFERENCES, alpha=-5, beta=3).signature)
    assert "|builder:edua-g|alpha:-5|beta:3|enc:" in other


def test_a_steep_fall_leaves_no_room_for_heavy_units():
    (_, steep), (_, level) = pyramid_grid(REFERENCES, [10], [9, 0], [50])
    assert max(unit.weight for unit in steep.units) == 1
    assert max(unit.weight for unit in level.units) > 1


def test_capacities_belong_to_one_builder():
    with pytest.raises(InputError, match="alpha and beta belong to the builder 'edua-g'"):
        Pyramid.build(REFERENCES, builder="edua-c", beta=2)


def test_points_say_what_they_are():
    assert GridPoint(10, 2.5, 83)._asdict() == {"alpha": 10, "beta": 2.5, "percentile": 83}
