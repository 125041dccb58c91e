from itertools import combinations
from xml.etree import ElementTree

from hypothesis import given, settings
from hypothesis import strategies as st

from commonground.report import graph_page, graph_svg
from commonground.report.graph_layout import layout, wrapped

SVG = "{http://www.w3.org/2000/svg}"


def example(nodes, *edges):
    return {
        "nodes": [{"label": label} for label in nodes],
        "edges": [{"source": s, "label": label, "target": t} for s, label, t in edges],
    }


def texts(svg, kind):
    root = ElementTree.fromstring(svg)
    return [
        " ".join(line.text for line in text.iter(f"{SVG}tspan"))
        for text in root.iter(f"{SVG}text")
        if text.get("class") == kind
    ]


def test_nodes_edges_and_open_ends():
    graph = example(
        ["police", "bridge"], (0, "close", 1), (None, "build", 1), (1, "collapse", None)
    )
    svg = graph_svg(graph)
    assert texts(svg, "node") == ["police", "bridge"]
    assert texts(svg, "label") == ["close", "build", "collapse"]
    root = ElementTree.fromstring(svg)
    assert len(list(root.iter(f"{SVG}circle"))) == 2
    assert len([path for path in root.iter(f"{SVG}path") if path.get("class") == "edge"]) == 3
    assert root.find(f"{SVG}title").text == (
        "police close bridge; (somebody) build bridge; bridge collapse"
    )


def test_two_edges_between_the_same_nodes_are_one_line_with_two_labels():
    graph = example(["crew", "ship"], (0, "leave", 1), (0, "sink", 1))
    assert texts(graph_svg(graph), "label") == ["leave sink"]


def test_odd_characters_stay_well_formed():
    svg = graph_svg(example(["<b>&\x00\x1b", "東京"], (0, "\ud800 say", 1)))
    assert texts(svg, "node") == ["<b>&\ufffd\ufffd", "東京"]


def test_the_subject_stands_left_of_the_object():
    laid = layout(example(["bridge", "police"], (1, "close", 0)))
    assert laid.boxes[1].x < laid.boxes[0].x


def test_long_labels_are_wrapped_and_cut():
    assert wrapped("one two three", 8) == ("one two", "three")
    assert wrapped("a b c d e f", 1) == ("a", "b", "c …")
    assert len(wrapped("x" * 500, 10)[0]) == 20


def test_nothing_is_a_page_too():
    page = graph_page({**example([]), "narratives": [{}, {}], "optimal": True, "missed": 0})
    assert "The texts have no statement in common." in page
    assert "<svg" not in page
    ElementTree.fromstring(graph_svg(example([])))


ends = st.none() | st.integers(0, 7)
edges = st.lists(st.tuples(ends, st.sampled_from(["close", "be in the town of", "see"]), ends))


@settings(max_examples=60)
@given(edges.map(lambda found: [edge for edge in found if edge[0] != edge[2] or edge[0]]))
def test_boxes_keep_apart_and_inside(found):
    graph = example([f"node {n} of the graph" for n in range(8)], *found)
    laid = layout(graph)
    assert laid == layout(graph)
    assert not any(one.meets(other) for one, other in combinations(laid.boxes, 2))
    for box in laid.boxes:
        assert 0 <= box.x - box.width / 2 <= box.x + box.width / 2 <= laid.width
        assert 0 <= box.y - box.height / 2 <= box.y + box.height / 2 <= laid.height
    ElementTree.fromstring(graph_svg(graph))
