import json
from itertools import combinations, permutations, product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonground.errors import InputError
from commonground.narratives.definitions import common_graph
from commonground.narratives.definitions.graph import NOTHING
from commonground.narratives.definitions.graph_match import (
    Fit,
    GraphEdge,
    NarrativeGraph,
    Programme,
    match,
)
from commonground.narratives.definitions.things import Thing
from commonground.narratives.definitions.triples import Mention, Predicate

EXAMPLES = Path(__file__).parents[3] / "examples" / "overlap"


def found(*narratives, **options):
    result = common_graph(narratives, **options)
    assert result.optimal
    assert result.missed == 0
    return str(result).splitlines()


# Five pairs worked by hand.


def test_active_and_passive_with_and_without_a_doer():
    left = "Police closed the old bridge on Monday. Jane Poe was hurt."
    right = "The bridge was closed by police. A storm hurt Ms. Poe."
    assert found(left, right) == ["(somebody) -- hurt -> Jane Poe", "police -- close -> bridge"]


def test_the_alignment_with_the_most_edges_wins():
    # "tower" on the left could be either tower on the right, and fits the new one by name no
    # better than the old. Only as the old one does it share the collapse as well.
    left = "Lawyers bought the tower. The tower collapsed."
    right = "Lawyers bought the old tower. Lawyers bought the new tower. The old tower collapsed."
    assert found(left, right) == ["lawyers -- buy -> tower", "tower -- collapse"]
    (node,) = [one for one in common_graph([left, right]).nodes if one.label == "tower"]
    assert node.wordings == ("tower", "old tower")


def test_negation_and_modal_verbs_make_another_edge():
    left = "The court did not fine the company. The mayor will resign. Voters chose a senate."
    right = "The court fined the company. The mayor resigned. A senate was chosen by voters."
    assert found(left, right) == ["voters -- choose -> senate"]


def test_conjunctions_and_descriptions():
    left = "The council and the mayor, Ann Smith, rejected the plan on May 3."
    right = "On May 3, 2021, the plan was rejected by Ms. Smith, the mayor."
    assert found(left, right) == [
        "Ann Smith -- be -> mayor",
        "Ann Smith -- reject -> plan",
        "plan -- reject on -> May 3, 2021",
    ]


def test_synonyms_and_numbers():
    left = "Attorneys purchased a car. Three men robbed nine banks."
    right = "Lawyers bought a vehicle. Three men robbed four banks."
    assert found(left, right) == ["lawyers -- buy -> car"]
    assert found(left, right, threshold=2) == [NOTHING]


def test_the_same_event_by_other_verbs_and_without_a_verb():
    left = (
        "The council will hold a meeting in the hall. The town is to get 90 euros. Guards shut it."
    )
    right = "Come to the meeting in the hall. The village will receive 90 euros."
    assert found(left, right) == ["(somebody) -- will get -> 90 euros", "meeting -- in -> hall"]


def test_what_is_said_with_its_verb_is_not_said_again_without():
    text = "The council met in the hall. The meeting was not held in the park."
    assert found(text, text) == [
        "(somebody) -- not hold -> meeting",
        "council -- meet",
        "council -- meet in -> hall",
        "meeting -- not hold in -> park",
    ]


@pytest.mark.parametrize(
    ("example", "expected"),
    [
        ("news", ["barrier -- in -> 2019", "Elsbeth Tarn -- be -> mayor"]),
        ("three-way", ["council -- on -> Monday evening", "public meeting -- in -> market hall"]),
        ("witnesses", ["(somebody) -- call -> ambulance", "police -- come", "road -- be -> wet"]),
        ("policies", ["(somebody) -- erase -> data"]),
    ],
)
def test_the_examples_have_something_in_common(example, expected):
    files = sorted((EXAMPLES / example).glob("*.txt"))
    assert set(expected) <= set(found(*(file.read_text("utf-8") for file in files)))


def test_unrelated_examples_have_nothing_in_common():
    files = sorted((EXAMPLES / "unrelated").glob("*.txt"))
    assert found(*(file.read_text("utf-8") for file in files)) == [NOTHING]


# Shape and laws.


def test_three_narratives():
    texts = [
        "A storm hit Oslo. The storm sank a ferry.",
        "Oslo was hit by a storm. The ferry sank.",
        "The ferry was sunk by the storm. A heavy storm hit Oslo.",
    ]
    assert found(*texts) == ["storm -- hit -> Oslo"]


def test_json_sentences_and_page(tmp_path):
    texts = ["Rain fell.\nPolice  closed\nthe bridge.", "The bridge was closed by police. <b>"]
    result = common_graph(texts)
    values = json.loads(json.dumps(result.to_dict()))
    assert values["optimal"] is True
    assert [node["label"] for node in values["nodes"]] == ["bridge", "police"]
    (edge,) = result.edges
    assert (edge.source, edge.label, edge.target) == (1, "close", 0)
    for sentence in edge.sentences:
        assert texts[sentence.narrative][sentence.start : sentence.end] == sentence.text
    result.to_html(tmp_path / "graph.html", "A & B")
    page = (tmp_path / "graph.html").read_text(encoding="utf-8")
    assert "<title>A &amp; B</title>" in page
    assert "The bridge was closed by police." in page
    assert result.to_svg() in page


@pytest.mark.parametrize("empty", ["", "\n", "?!", "It was so."])
def test_nothing_said(empty):
    result = common_graph([empty, "Police closed the bridge."])
    assert (result.nodes, result.edges, result.optimal) == ((), (), True)
    assert str(result) == NOTHING


def test_wrong_input():
    with pytest.raises(InputError, match="at least two"):
        common_graph(["Police closed the bridge."])
    with pytest.raises(InputError, match="seconds must be above 0"):
        common_graph(["a", "b"], seconds=0)


def test_twenty_narratives():
    texts = [f"Ship {n} left. Police closed the bridge in area {n}." for n in range(20)]
    assert "police -- close -> bridge" in found(*texts)


SENTENCES = [
    "John Smith closed the old bridge on Monday.",
    "The bridge was closed by Mr. Smith.",
    "The old bridge collapsed.",
    "The new bridge did not collapse.",
    "Jane Smith opened a new bridge in Oslo.",
    "Smith is the mayor of Oslo.",
]


@settings(max_examples=25)
@given(
    st.lists(st.lists(st.sampled_from(SENTENCES), max_size=4).map(" ".join), min_size=2, max_size=3)
)
def test_order_only_orders_the_sentences(texts):
    first = common_graph(texts)
    for order in permutations(range(len(texts))):
        other = common_graph([texts[i] for i in order])
        assert [node.label for node in other.nodes] == [node.label for node in first.nodes]
        assert [node.wordings for node in other.nodes] == [
            tuple(node.wordings[i] for i in order) for node in first.nodes
        ]
        assert [(e.source, e.label, e.target) for e in other.edges] == [
            (e.source, e.label, e.target) for e in first.edges
        ]
        assert [[s.start for s in e.sentences] for e in other.edges] == [
            [e.sentences[i].start for i in order] for e in first.edges
        ]


@given(st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=4).map(" ".join))
@settings(max_examples=20)
def test_a_narrative_with_itself_keeps_its_graph(text):
    result = common_graph([text, text])
    assert result.optimal
    assert all(node.wordings[0] == node.wordings[1] for node in result.nodes)
    assert result.edges


# The matching against all alignments, tried one by one.

QUALITIES = [frozenset(), frozenset(["old"]), frozenset(["new"]), frozenset(["old", "red"])]
SAID = Mention(0, "", 0, 0)


def graph(nodes, edges):
    things = tuple(
        Thing(
            " ".join(sorted(QUALITIES[n])) + " bridge",
            "thing",
            0,
            0,
            "bridge",
            "bridg",
            QUALITIES[n],
        )
        for n in nodes
    )
    kept = sorted({(s % len(nodes), t % len(nodes), v) for s, t, v in edges})
    return NarrativeGraph(things, tuple(GraphEdge(s, Predicate(v), t, SAID) for s, t, v in kept))


graphs = st.builds(
    graph,
    st.sets(st.integers(0, 3), min_size=1).map(sorted),
    st.lists(
        st.tuples(st.integers(0, 3), st.integers(0, 3), st.sampled_from(["see", "join"])),
        max_size=5,
    ),
)


def alignments(left, right):
    """All one-to-one maps from nodes of one graph to nodes of the other."""
    for size in range(min(len(left.nodes), len(right.nodes)) + 1):
        for chosen in combinations(range(len(left.nodes)), size):
            for image in permutations(range(len(right.nodes)), size):
                yield dict(zip(chosen, image, strict=True))


def best(graphs, fit):
    """The most common edges, by trying every alignment with the first graph."""
    first, *rest = graphs
    most = 0
    for maps in product(*(list(alignments(first, other)) for other in rest)):
        most = max(most, sum(common(edge, first, rest, maps, fit) for edge in first.edges))
    return most


def common(edge, first, rest, maps, fit):
    images = [(edge, first)]
    for other, nodes in zip(rest, maps, strict=True):
        ends = (nodes.get(edge.source), nodes.get(edge.target))
        image = [e for e in other.edges if (e.source, e.target) == ends]
        image = [e for e in image if e.predicate == edge.predicate]
        if not image:
            return False
        images.append((image[0], other))
    return all(fit.edges(*one, *two) > 0 for one, two in combinations(images, 2))


def valid(matching, graphs, fit):
    """Whether the common edges come from one-to-one alignments of nodes that fit."""
    for one, two in combinations(range(len(graphs)), 2):
        there, back = {}, {}
        for edges in matching.edges:
            left, right = graphs[one].edges[edges[one]], graphs[two].edges[edges[two]]
            if not fit.edges(left, graphs[one], right, graphs[two]):
                return False
            for a, b in ((left.source, right.source), (left.target, right.target)):
                if there.setdefault(a, b) != b or back.setdefault(b, a) != a:
                    return False
    return len(set(matching.edges)) == len(matching.edges)


@settings(max_examples=60)
@given(st.lists(graphs, min_size=2, max_size=2))
def test_no_alignment_of_two_graphs_has_more_edges(pair):
    fit = Fit(pair, "minilm", 2.0)
    matching = match(pair, fit)
    assert matching.missed == 0
    assert valid(matching, pair, fit)
    assert len(matching.edges) == best(pair, fit)


small = st.builds(
    graph,
    st.sets(st.integers(0, 3), min_size=1, max_size=2).map(sorted),
    st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1), st.just("see")), max_size=3),
)


@settings(max_examples=60)
@given(st.lists(small, min_size=3, max_size=3))
def test_no_alignment_of_three_graphs_has_more_edges(three):
    fit = Fit(three, "minilm", 2.0)
    matching = match(three, fit)
    assert valid(matching, three, fit)
    assert len(matching.edges) == best(three, fit)


def test_what_the_time_does_not_suffice_for_is_told():
    programme = Programme()
    choices = [programme.variable(1.0, "choice", n) for n in range(3)]
    programme.row(choices, [], high=2)
    chosen, bound = programme.solve()
    assert (len(chosen), bound) == (2, 2)
    assert programme.solve(0) == ([], 3)
