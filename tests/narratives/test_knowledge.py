"""Background knowledge: what bridges wordings, what does not, and what comes of it."""

import pytest

from commonground.narratives import Knowledge, Overlaps

FINDER = Overlaps()


@pytest.mark.parametrize(
    ("line", "one", "other"),
    [
        ("AP = Associated Press", "AP", "Associated Press"),
        ("The Gray Lady is the New York Times.", "Gray Lady", "New York Times"),
        ("Ms. Arden, also known as the Governor", "Ms. Arden", "Governor"),
        ("UN stands for United Nations", "UN", "United Nations"),
        ("A gaff means a small cottage", "gaff", "small cottage"),
        ("Old Nick, a.k.a. the Harbour Cat", "Old Nick", "Harbour Cat"),
        ("The Otters are called the swimming club", "Otters", "swimming club"),
        ("Big Ben: the Great Bell", "Big Ben", "Great Bell"),
    ],
)
def test_statements_that_bridge(line, one, other):
    known = Knowledge.of(line)
    (bridge,) = known.bridges
    assert (bridge.one, bridge.other, bridge.statement) == (one, other, line)
    assert known.unused == ()


@pytest.mark.parametrize(
    "line",
    [
        "Rain fell all night.",
        "The Otters are the Otters",
        "The council is a body of twenty-three members elected every four years by all citizens",
        "= nothing",
    ],
)
def test_lines_that_bridge_nothing_are_listed(line):
    known = Knowledge.of(f"# a remark\n\n{line}\nAP = Associated Press\n")
    assert known.unused == (line,)
    assert len(known.bridges) == 1


def test_rewordings_in_both_directions_with_their_statement():
    known = Knowledge.of("AP = Associated Press")
    line = "AP = Associated Press"
    assert known.rewordings("AP reported it.") == [("Associated Press reported it.", line)]
    assert known.rewordings("The associated press knew.") == [("The AP knew.", line)]
    assert known.rewordings("APs and naps.") == []
    assert known.rewordings("AP, the Associated Press, knew.") == []


def test_signs_in_names_are_no_patterns():
    known = Knowledge.of(r"C++ (1998) = \g<1>")
    assert known.rewordings("We use C++ (1998) here.")[0][0] == r"We use \g<1> here."


LEFT = "The Gray Lady fired its editor on Monday. Pears ripen in August."
RIGHT = "The New York Times fired its editor on Monday. Violins need new strings."
LINE = "The Gray Lady is the New York Times."


def test_evidence_that_came_through_knowledge_says_so():
    plain = FINDER.find([LEFT, RIGHT])
    known = Overlaps(knowledge=LINE).find([LEFT, RIGHT])
    (statement,) = known.statements
    (own,) = [one for one in statement.evidence if one.text == statement.text]
    (other,) = [one for one in statement.evidence if one is not own]
    assert own.through is None
    assert other.through == LINE
    assert known.to_dict()["statements"][0]["evidence"][other.narrative]["through"] == LINE
    assert statement.probability > max((one.probability for one in plain.statements), default=0)
    assert f"|known:{Knowledge.of(LINE).fingerprint}|" in str(known.signature)


def test_knowledge_that_does_not_matter_changes_nothing():
    plain = FINDER.find([LEFT, RIGHT])
    known = Overlaps(knowledge="AP = Associated Press").find([LEFT, RIGHT])
    assert known.statements == plain.statements
    assert known.unique == plain.unique


def test_knowledge_invents_no_shared_ground():
    known = Overlaps(knowledge="pears = violins")
    assert known.find(["Pears ripen in August.", "The choir sang at noon."]).summary == ""


def test_a_claim_about_a_thing_is_no_bridge():
    lines = ["Smith is dead.", "The dam was broken.", "It is the dam.", "Smith is a thief."]
    known = Knowledge.of("\n".join(lines))
    assert known.bridges == ()
    assert list(known.unused) == lines


def test_other_knowledge_has_another_fingerprint():
    first, second = Knowledge.of("AP = Associated Press"), Knowledge.of("AP = Arbor Press")
    assert first.fingerprint != second.fingerprint
    assert first.fingerprint == Knowledge.of("\n# a note\nAP = Associated Press\n").fingerprint
