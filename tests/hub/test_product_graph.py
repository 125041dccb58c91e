"""The graph that multiplies for the parser is the one that `training.product` writes."""

from importlib import resources

from training.product import product


def test_the_shipped_graph_is_the_one_that_training_writes():
    shipped = resources.files("commonground.text").joinpath("data/product.onnx").read_bytes()
    assert product() == shipped
