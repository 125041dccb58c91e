"""Verification: what all narratives support stays, and why the rest goes is told."""

import numpy as np
import pytest

from commonground.errors import InputError
from commonground.io import Narrative
from commonground.narratives import Checker, verify
from commonground.narratives.verification.checker import nearest

LEFT = (
    "The old bridge over the Tarn was closed on Monday after engineers found cracks in two of its "
    "pillars. Mayor Anna Holt said the repair would cost 2.4 million euros. About forty residents "
    "protested outside the town hall. Holt blamed the previous council for neglect."
)
RIGHT = (
    "Engineers discovered cracks in two pillars of the Tarn bridge, and the town shut it on "
    "Monday. According to Mayor Anna Holt, the repair will cost 3.1 million euros. Shopkeepers "
    "fear that customers will stay away. A ferry will carry pedestrians for free."
)
SHARED = "The Tarn bridge was closed on Monday after cracks were found in two pillars."
ONE_SIDED = "Holt blamed the previous council for neglect."


@pytest.fixture(scope="module")
def checker():
    return Checker([Narrative("left.txt", LEFT), Narrative("right.txt", RIGHT)])


def test_what_both_say_stays_with_its_evidence(checker):
    found = checker.verify(SHARED)
    (only,) = found.sentences
    assert found.summary == SHARED and only.supported and only.reason is None
    assert [passage.narrative for passage in only.evidence] == [0, 1]
    for passage, text in zip(only.evidence, (LEFT, RIGHT), strict=True):
        assert text[passage.start : passage.end] == passage.text
        assert "cracks" in passage.text
    assert only.probability == min(passage.probability for passage in only.evidence)


def test_what_one_side_alone_says_goes_by_name(checker):
    found = checker.verify(f"{SHARED} {ONE_SIDED} A ferry will carry pedestrians for free.")
    assert found.summary == SHARED
    assert [(one.text, one.reason) for one in found.dropped] == [
        (ONE_SIDED, "not found in right.txt"),
        ("A ferry will carry pedestrians for free.", "not found in left.txt"),
    ]


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        ("The repair will cost 2.4 million euros.", "right.txt says '3.1 million euros'"),
        ("The Tarn bridge was closed on Thursday.", "says 'Monday', not 'Thursday'"),
        ("The Tarn bridge was not closed on Monday.", "not 'was not closed'"),
    ],
)
def test_what_a_narrative_contradicts_goes(checker, sentence, reason):
    for text in (sentence, f"{SHARED} {sentence}"):
        *_, last = checker.verify(text).sentences
        assert not last.supported and reason in (last.reason or "")


def test_a_frame_is_seen_through_and_left_out(checker):
    found = checker.verify("Both articles mention that the Tarn bridge was closed on Monday.")
    assert found.summary == "The Tarn bridge was closed on Monday."
    assert found.sentences[0].text.startswith("Both articles")


def test_a_loose_part_that_one_side_lacks_is_cut(checker):
    found = checker.verify("The Tarn bridge was closed on Monday, which angered guests from Peru.")
    assert found.summary == "The Tarn bridge was closed on Monday."
    assert found.sentences[0].cut == ("which angered guests from Peru",)


def test_every_word_has_its_support_and_its_sources(checker):
    text = "Both articles mention that the Tarn bridge in Peru was closed on Monday."
    (only,) = checker.verify(text, "flag").sentences
    words = {word.text: word for word in only.words}
    assert all(text[word.start : word.end] == word.text for word in only.words)
    assert words["articles"].support is None and words["articles"].supported
    assert words["bridge"].sources == (0, 1) and words["Monday."].sources == (0, 1)
    assert words["Peru"].sources == () and not words["Peru"].supported
    assert 0 < only.support < 1 and not only.supported


def test_one_source_is_enough(checker):
    found = verify(f"{ONE_SIDED} A ferry will carry pedestrians.", [Narrative("left.txt", LEFT)])
    assert [one.supported for one in found.sentences] == [True, False]
    assert found.dropped[0].reason == "not found in left.txt"


def test_some_sources_of_many_are_enough():
    third = "Mayor Anna Holt blamed the council before hers for neglect."
    texts = [LEFT, RIGHT, third]
    assert verify(ONE_SIDED, texts).summary == ""
    assert verify(ONE_SIDED, texts, at_least=2).summary == ONE_SIDED
    with pytest.raises(InputError, match="at_least must be from 1 to 3"):
        verify(ONE_SIDED, texts, at_least=4)


def test_a_contradicted_sentence_is_named_as_such(checker):
    found = checker.verify(f"{SHARED} The repair will cost 2.4 million euros.")
    assert [one.label for one in found.sentences] == ["stated", "contradicted"]
    assert found.contradicted == found.dropped
    flagged = checker.verify("The repair will cost 2.4 million euros.", "flag")
    assert flagged.marked == "[contradicted: The repair will cost 2.4 million euros.]"


def test_the_page_marks_what_is_not_stated(checker, tmp_path):
    found = checker.verify(f"{SHARED} {ONE_SIDED} The repair will cost 2.4 million euros.", "flag")
    found.to_html(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text("utf-8")
    assert found._repr_html_().startswith("<iframe srcdoc=")
    assert '<mark class="lacking">Holt blamed the previous council for neglect.</mark>' in page
    assert '<mark class="against">' in page and "right.txt says" in page
    assert page.count('class="sentence') == 3 and "<script" not in page


def test_a_wrong_detail_in_an_aside_is_a_conflict_and_not_cut():
    source = "The dam at Marrow broke at night, killing 3 people."
    (only,) = verify("The dam at Marrow broke at night, killing 12 people.", [source]).sentences
    assert not only.supported and only.label == "contradicted" and not only.cut


def test_a_source_about_something_else_hides_no_conflict():
    bridge, cats = "The bridge at Ashford cost 48 million euros.", "Cats sleep most of the day."
    for sources in ([bridge], [bridge, cats]):
        found = verify("The bridge at Ashford cost 62 million euros.", sources, at_least=1)
        assert found.sentences[0].label == "contradicted"


def test_a_stop_before_a_word_joins_nothing(checker):
    text = "It uses the .NET framework and costs .5 million."
    (only,) = checker.verify(text, "flag").sentences
    assert only.claim == text
    assert all(word.support is not None for word in only.words)


def test_a_summary_in_another_language_is_named(checker):
    german = (
        "Die Brücke wurde am Montag geschlossen, weil Ingenieure zwei Risse in Pfeilern fanden."
    )
    with pytest.warns(UserWarning, match="the summary seems to be in German"):
        checker.verify(german)


def test_flagged_sentences_stay(checker):
    text = f"{SHARED} {ONE_SIDED}"
    found = checker.verify(text, "flag")
    assert found.summary == text
    assert [one.supported for one in found.sentences] == [True, False]
    assert found.marked == f"{SHARED} [unsupported: {ONE_SIDED}]"
    assert checker.verify(text).marked == SHARED
    assert str(found) == f"+ {SHARED}\n- {ONE_SIDED} [not found in right.txt]"


def test_list_items_do_not_run_into_each_other(checker):
    found = checker.verify("- The Tarn bridge was closed on Monday\n- Cracks in two pillars\n")
    assert found.summary == "The Tarn bridge was closed on Monday. Cracks in two pillars."


def test_the_order_of_narratives_changes_only_their_numbers(checker):
    text = f"{SHARED} {ONE_SIDED} The repair will cost 2.4 million euros."
    one = checker.verify(text)
    other = verify(text, [Narrative("right.txt", RIGHT), Narrative("left.txt", LEFT)])
    assert one.summary == other.summary and one.signature == other.signature
    for here, there in zip(one.sentences, other.sentences, strict=True):
        assert (here.support, here.probability, here.reason) == (
            there.support,
            there.probability,
            there.reason,
        )
        assert [p.text for p in here.evidence] == [p.text for p in reversed(there.evidence)]


def test_three_narratives_must_all_support_it(checker):
    third = "The town shut the Tarn bridge on Monday, since two of its pillars had cracks."
    assert verify(SHARED, [LEFT, RIGHT, third]).summary == SHARED
    found = verify(SHARED, [LEFT, RIGHT, "A bakery won a prize for its rye bread."])
    assert found.summary == "" and found.dropped[0].reason == "not found in narratives[2]"


def test_another_event_leaves_nothing(checker):
    found = checker.verify("The striker scored twice in the final. The coach thanked the fans.")
    assert found.summary == ""
    assert [one.reason for one in found.dropped] == ["found in no source"] * 2


def test_all_narratives_are_named_that_do_not_state_it():
    bakery = Narrative("bakery", "A bakery won a prize for its rye bread.")
    choir = Narrative("choir", "The choir of Avela sang two songs by the lake.")
    left, right = Narrative("left", LEFT), Narrative("right", RIGHT)
    for narratives, reason in (
        ([left, bakery, choir], "found only in left"),
        ([choir, left, bakery, right], "not found in choir, bakery"),
    ):
        (dropped,) = verify(SHARED, narratives).dropped
        assert dropped.reason == reason


@pytest.mark.parametrize("blank", ["", "   \n", "..."])
def test_an_empty_summary_is_empty(checker, blank):
    found = checker.verify(blank)
    assert found.summary == "" and not any(one.supported for one in found.sentences)


def test_a_blank_narrative_supports_nothing():
    with pytest.warns(UserWarning, match="narrative 2 has no words"):
        found = verify("The dam burst.", ["The dam burst.", ""])
    assert found.summary == "" and len(found.sentences[0].evidence) == 1


def test_results_are_plain(checker):
    found = checker.verify(f"{SHARED} {ONE_SIDED}").to_dict()
    assert found["summary"] == SHARED
    assert found["dropped"] == [{"text": ONE_SIDED, "reason": "not found in right.txt"}]
    assert found["sentences"][0]["evidence"][1]["narrative"] == 1
    assert found["signature"].startswith("VERIFY|mode:drop|reader:")


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: verify("A.", "one text"), "list of texts"),
        (lambda: verify("A.", []), "at least one source"),
        (lambda: verify(7, [LEFT, RIGHT]), "summary must be a text"),
        (lambda: verify("A.", [LEFT, RIGHT], mode="dorp"), "did you mean 'drop'"),
    ],
)
def test_wrong_calls_are_one_line(call, told):
    with pytest.raises(InputError, match=told):
        call()


def test_markup_of_a_summary_is_no_part_of_the_claim(checker):
    summary = "- **The Tarn bridge** was closed on *Monday*.\n- Holt [resigned](http://a.b)."
    found = checker.verify(summary)
    assert found.summary == "The Tarn bridge was closed on Monday."
    first, second = found.sentences
    assert first.claim == "The Tarn bridge was closed on Monday."
    assert not second.supported
    for one in found.sentences:
        assert summary[one.start : one.end] == one.text


# Long narratives


DISTRICT = "District {} took its turnips to barn {}."
FIRES = "Street {} has had chimney {} swept."


def long_narrative(filler, deep, at):
    told = [filler.format(number, number) for number in range(160)]
    told[at] = deep
    return " ".join(told)


def test_the_only_supporting_sentence_of_a_long_narrative_is_found():
    # The districts lie nearer to each other than the two sentences do that say the same.
    deep = ["The bishop sold his motorcycle in Lisbon.", "In Lisbon a bishop sold a motorcycle."]
    left = long_narrative(DISTRICT, deep[0], 150)
    right = long_narrative(DISTRICT.replace("turnips", "carrots"), deep[1], 131)
    summary = "A bishop sold a motorcycle in Lisbon. Two cooks fell in love."
    found = verify(summary, [left, right])
    sold, love = found.sentences
    assert sold.supported and not love.supported
    assert [passage.text for passage in sold.evidence] == deep
    texts = [left, right]
    for passage in sold.evidence:
        assert texts[passage.narrative][passage.start : passage.end] == passage.text


def test_a_long_narrative_contradicts_far_down_too():
    left = long_narrative(DISTRICT, "The bridge at Ashford cost 12 million euros.", 155)
    right = long_narrative(FIRES, "The bridge at Ashford cost 30 million euros.", 140)
    (checked,) = verify("The bridge at Ashford cost 12 million euros.", [left, right]).sentences
    assert not checked.supported
    assert checked.reason == "narratives[1] says '30 million euros', not '12 million euros'"


def test_every_claim_has_its_nearest_sentences():
    cosines = np.array([[0.9, 0.8, 0.7, 0.6, 0.1], [0.3, 0.3, 0.1, 0.0, 0.2]], dtype=np.float32)
    assert nearest(cosines, 2) == [0, 1]
    assert nearest(cosines, 9) == [0, 1, 2, 3, 4]
    assert nearest(cosines[:0], 2) == [0, 1]
