"""Products for the parser: exact enough, and each row on its own."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonground.text import parsing
from commonground.text.products import RowProducts

OPERATIONS = RowProducts()
DRAWN = np.random.default_rng(0)
ROWS = DRAWN.normal(size=(70, 288)).astype(np.float32)
WEIGHTS = DRAWN.normal(size=(96, 288)).astype(np.float32)


def product(rows):
    return OPERATIONS.gemm(rows, WEIGHTS, trans2=True)


def test_a_product_worked_out_by_hand():
    rows = np.array([[1, 2], [3, 4]], dtype=np.float32)
    weights = np.array([[5, 6], [7, 8], [0, 1]], dtype=np.float32)
    assert OPERATIONS.gemm(rows, weights, trans2=True).tolist() == [[17, 23, 2], [39, 53, 4]]


def test_products_are_as_exact_as_those_of_numpy():
    assert np.allclose(product(ROWS), ROWS @ WEIGHTS.T, atol=1e-4)


@given(st.lists(st.integers(0, len(ROWS) - 1), min_size=1, max_size=80))
def test_a_row_does_not_depend_on_the_others(chosen):
    assert np.array_equal(product(ROWS[chosen]), product(ROWS)[chosen])


def test_a_product_is_written_where_the_parser_wants_it():
    place = np.full((5, 96), np.nan, dtype=np.float32)
    assert OPERATIONS.gemm(ROWS[:4], WEIGHTS, out=place[1:], trans2=True) is not None
    assert np.array_equal(place[1:], product(ROWS)[:4])
    assert np.isnan(place[0]).all()


@pytest.mark.parametrize("rows", [np.zeros((0, 288), dtype=np.float32), ROWS.T.copy()])
def test_other_products_are_left_to_the_library(rows):
    other = WEIGHTS if not rows.size else WEIGHTS[:70]
    assert np.allclose(
        OPERATIONS.gemm(rows, other, trans2=not rows.size),
        rows @ (other if rows.size else other.T),
        atol=1e-4,
    )


def test_every_network_of_the_parser_uses_them():
    parts = dict(parsing._model().pipeline)
    networks = [parts[name].model for name in ("tok2vec", "tagger", "parser", "ner")]
    assert all(isinstance(layer.ops, RowProducts) for own in networks for layer in own.walk())
