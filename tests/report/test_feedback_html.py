"""The page of a student and the page of the class, from plain dicts."""

import pytest

from commonground.errors import InputError
from commonground.report import class_page, feedback_body, feedback_page, wording
from html_reader import Reader

TEXT = "It rained\nall day. Nobody minded.\n\n- We went home."
SENTENCES = [(0, 18), (19, 33), (37, 50)]


def presence(stated, probability, weight=1):
    word = "yes" if stated else "partly" if probability >= 0.25 else "no"
    points = 0 if word == "no" else weight * probability
    return {"stated": stated, "probability": probability, "presence": word, "points": points}


def unit(label, weight, stated, probability, sentence, *others, checks=()):
    words = [label, *others]
    contributors = [{"reference": place, "text": text} for place, text in enumerate(words)]
    return {
        "label": label,
        "weight": weight,
        **presence(stated, probability, weight),
        "sentence": sentence,
        "checks": [{"words": words} for words in checks],
        "contributors": contributors,
    }


STUDENT = {
    "name": "Anna",
    "text": TEXT,
    "sentences": SENTENCES,
    "raw": 6.0,
    "quality": 0.75,
    "coverage": 0.6,
    "comprehensive": 2 / 3,
    "unit_count": 3,
    "references": 3,
    "signature": "PYRAMID|v:1",
    "units": [
        unit("Rain fell", 3, True, 0.91, 0, "There was rain", "It was wet"),
        unit("The match was off", 3, False, 0.1, 1, "They called it off", "No match"),
        unit("All left", 2, True, 0.6, 2, "People left"),
        unit("It was a wet day", 1, True, 0.7, 0),
        unit("They were calm", 1, False, 0.4, 1),
    ],
}


def page(**changes):
    return Reader(feedback_page(STUDENT | changes))


def cards(found, kind):
    return [one["id"] for one in found.named("li") if kind in one.get("class", "").split()]


def test_sentences_that_state_ideas_are_marked_and_lead_to_them():
    found = page()
    assert found.inside("mark") == ["It rained all day.", "We went home."]
    assert [one["id"] for one in found.named("mark")] == ["sentence-1", "sentence-3"]
    links = [one["href"] for one in found.named("a") if one["href"].startswith("#idea")]
    assert links == ["#idea-1", "#idea-4", "#idea-3"]
    ids = {attrs["id"] for _, attrs in found.found if "id" in attrs}
    targets = {one["href"][1:] for one in found.named("a") if one["href"].startswith("#")}
    assert targets <= ids


def test_wrapped_lines_are_joined_and_paragraphs_and_bullets_kept():
    content = feedback_page(STUDENT)
    assert "It rained all day." in content
    assert "</mark> <span" in content
    assert "</span>\n\n- <mark" in content


def test_ideas_said_and_missed_the_heaviest_first():
    found = page()
    assert cards(found, "stated") == ["idea-1", "idea-3", "idea-4"]
    assert cards(found, "partly") == ["idea-5"]
    assert cards(found, "missed") == ["idea-2"]
    # 3 x .91 + 2 x .6 + .7, then .4.
    assert found.inside("h2")[1:] == [
        "What it says (3, 4.6 points)",
        "What it says in part (1, 0.4 points)",
        "What it leaves out (1)",
    ]


def test_the_points_are_the_sum_of_what_is_shown():
    found = page()
    assert [words for words in found.inside("span") if "point" in words][1:] == [
        "2.7 of 3 points",
        "1.2 of 2 points",
        "0.7 of 1 point",
        "0.4 of 1 point",
        "0 of 3 points",
    ]
    words = " ".join(found.inside("p"))
    assert "Here: 4.6 from 3 ideas said and 0.4 from 1 idea partly said." in words
    assert "Says 3 of 5 ideas from 3 model summaries, and 1 in part." in words


def test_the_points_of_an_idea_do_not_depend_on_the_others():
    idea = unit("Rain fell", 2, True, 0.82, 0)  # 1.64 points
    for count in range(1, 5):
        found = page(units=[idea] * count)
        assert found.inside("span").count("1.6 of 2 points") == count
        total = round(1.64 * count, 1)  # 4.9 of three: the tenths need not add up
        assert f"What it says ({count}, {total:g} points)" in found.inside("h2")


def test_the_totals_add_up_and_one_point_is_singular():
    said, part = unit("Rain fell", 1, True, 0.64, 0), unit("All left", 1, False, 0.34, 2)
    found = page(units=[said, said, part, part], raw=1.96)
    # 1.28 and 0.68 are 1.96: 1.3 and 0.7 of 2.
    assert found.inside("h2")[1:3] == [
        "What it says (2, 1.3 points)",
        "What it says in part (2, 0.7 points)",
    ]
    said, part = unit("Rain fell", 1, True, 0.96, 0), unit("All left", 1, False, 0.27, 2)
    found = page(units=[said, part, part], raw=1.5)
    # 0.96 and 0.54 are 1.5: 1 and 0.5.
    assert found.inside("h2")[1] == "What it says (1, 1 point)"
    found = page(units=[unit("Rain fell", 1, True, 0.64, 0), unit("Left", 1, False, 0.34, 2)])
    # 0.64 and 0.34 round to 0.6 and 0.3, but 0.98 to 1.
    assert "Here: 0.6 from 1 idea said and 0.4 from 1 idea" in " ".join(found.inside("p"))


def test_a_student_is_not_led_to_the_scores_of_others():
    assert [one["href"] for one in page().named("a") if not one["href"].startswith("#")] == []
    assert "index.html" not in feedback_page(STUDENT)


def test_a_persons_marks_comment_and_grade_are_told():
    units = [one | {"by": None} for one in STUDENT["units"]]
    units[0] |= {"by": "M. Weber", **presence(True, 1.0, 3)}
    units[4] |= {"by": "M. Weber", **presence(False, 0.0)}
    found = page(units=units, comment={"text": "Good start.", "by": "M. Weber"}, grade="2+")
    words = " ".join(text for _, text in found.words)
    assert "✓ Said in “It rained all day.” (decided by M. Weber)" in words
    assert "✗ Not said (decided by M. Weber)" in words
    assert "Where a name is given, that person decided." in words
    assert "Comment Good start. M. Weber" in words
    assert "Grade: 2+" in words


def test_the_page_is_in_the_teachers_words():
    words = wording({"missed": "Still to come", "intro": "", "closing": "See you on Monday."})
    content = feedback_page(STUDENT, words)
    assert "Still to come (1)" in content
    assert "See you on Monday." in content
    assert "A program decided" not in content
    with pytest.raises(InputError, match="wording: unknown text 'mised'"):
        wording({"mised": "?"})


def test_an_idea_that_may_have_been_said_names_the_sentence():
    links = [words for words in page().inside("a") if words.startswith("“")]
    assert links == [
        "“It rained all day.”",
        "“We went home.”",
        "“It rained all day.”",
        "“Nobody minded.”",
    ]


def test_hints_are_the_words_of_the_references():
    content = feedback_page(STUDENT)
    assert "They called it off" in content
    # A label that is all there is needs no hint.
    assert page().inside("summary") == [
        "In 3 model summaries",
        "In 2 model summaries",
        "In 3 model summaries",
        "How this was computed",
    ]


def test_scores_say_what_they_stand_beside():
    words = " ".join(page().inside("p"))
    assert "All ideas together are worth 10 points" in words
    assert "could earn 8 points; this summary earns 6." in words
    assert "on average could earn 10 points; this summary earns 6." in words
    assert page().inside("span")[:8] == [
        "Points earned",
        "6 of 10 points",
        "Does it say what matters?",
        "75%",
        "Does it say enough?",
        "60%",
        "Both together",
        "67%",
    ]


def test_weights_are_dots_and_words():
    found = page().inside("span")
    assert found.count("●●●") == 2
    assert found.count("●●○") == 1
    assert found.count("3 of 3") == 2
    many = page(references=20).inside("span")
    assert "3 of 20" in many
    assert not [words for words in many if "●" in words]
    assert "set by hand" in page(references=1).inside("span")


def test_hard_matches_speak_of_no_probability():
    units = [one | presence(one["stated"], float(one["stated"])) for one in STUDENT["units"]]
    hard = " ".join(page(units=units).inside("p"))
    assert "✓ Said in" in hard
    assert "likely" not in hard
    assert "probability" not in hard
    soft = " ".join(page().inside("p"))
    assert "(91% likely, so 91% of the points)" in soft
    assert "An idea counts by how likely it is that the summary says it." in soft


def test_a_summary_without_words():
    units = [one | presence(False, 0.0) | {"sentence": None} for one in STUDENT["units"]]
    zero = dict.fromkeys(("raw", "quality", "coverage", "comprehensive"), 0.0)
    found = page(text=" \n", sentences=[], units=units, unit_count=0, **zero)
    assert found.inside("em") == ["This summary is empty."]
    assert "It has none of the ideas in the model summaries." in found.inside("p")
    assert "It has no points, so this is 0%." in " ".join(found.inside("p"))


def test_more_than_the_whole_fills_the_bar_and_no_more():
    found = page(coverage=1.25)
    assert "125%" in found.inside("span")
    assert [one["width"] for one in found.named("rect")][2] == "100.0"


NASTY = '<script>alert("1")</script>\'"&'


def nasty():
    said = unit(NASTY, 2, True, 0.9, 0, NASTY + "!")
    text = {"name": NASTY, "text": NASTY, "sentences": [(0, len(NASTY))], "signature": NASTY}
    return STUDENT | text | {"units": [said]}


def test_what_is_said_is_never_taken_for_markup():
    found = Reader(feedback_page(nasty()))
    assert not found.named("script")
    # Heading, summary, label, two wordings and signature; the title is "Feedback: ...".
    assert [words for _, words in found.words].count(NASTY) == 5
    index = Reader(class_page([nasty()], ["a.html"], NASTY))
    assert len(index.named("script")) == 1
    # Title, heading, name, idea, signature.
    assert [words for _, words in index.words].count(NASTY) == 5


def test_the_class_page_has_a_row_for_each_student_and_each_idea():
    other = STUDENT | {"name": "Ben", "raw": 2.0, "quality": 0.25, "coverage": 0.2}
    other["units"] = [one | presence(False, 0.0) for one in STUDENT["units"]]
    found = Reader(class_page([STUDENT, other], ["Anna.html", "Bén &.html"], "Class"))
    assert [one["href"] for one in found.named("a")] == ["Anna.html", "B%C3%A9n%20%26.html"]
    assert found.inside("a") == ["Anna", "Ben"]
    heads = ["student", "points", "quality", "coverage", "comprehensive", "ideas said"]
    assert found.inside("th") == [*heads, "idea", "points", "said by"]
    cells = found.inside("td")
    assert cells[:5] == ["6.0", "75%", "60%", "67%", "3 of 5, 1 in part"]
    assert cells[10:15] == ["Mean", "4.0", "50%", "40%", "67%"]
    assert cells[15:18] == ["Rain fell", "3", "1 of 2"]
    # What the script sorts by: everything but the mean has a value in every cell.
    values = [one.get("data-value") for one in found.named("td")]
    assert values[:6] == ["Anna", "6.0", "0.75", "0.6", str(2 / 3), "3"]


def test_the_pages_need_nothing_else():
    for content in (feedback_page(STUDENT), class_page([STUDENT], ["a.html"], "Class")):
        found = Reader(content)
        assert found.loaded() == []
        assert all("src" not in attrs for _, attrs in found.found)
        assert "url(" not in content
        assert "http" not in content


DENIED = [
    unit("Rain fell", 3, True, 0.91, 0),
    unit("People minded", 2, True, 0.8, 1, checks=["this may deny it"]),
]


def teachers(units):
    return Reader(feedback_body(STUDENT | {"units": units}, for_teacher=True))


def test_a_sentence_that_may_deny_an_idea_is_to_be_checked():
    found = teachers(DENIED)
    assert cards(found, "check") == ["idea-2"]
    words = " ".join(text for _, text in found.words)
    assert "Says 2 of 2 ideas from 3 model summaries ; 1 to check ." in words
    assert (
        "⚠ Please check: counted as said (80% likely, so 80% of the points), but this may deny it:"
        in words
    )
    assert "“Nobody minded.”" in words
    assert "A question mark means" in words
    assert "2?" in words
    assert "to check" not in " ".join(text for _, text in page().words)


def test_a_partly_stated_idea_without_its_number_is_to_be_checked():
    words = "the number “40 euros” is not in the sentence"
    lamps = unit("Lamps cost 40 euros", 2, False, 0.4, 0, checks=[words, "this may deny it"])
    found = " ".join(text for _, text in teachers([lamps]).words)
    assert "Says 0 of 1 idea from 3 model summaries, and 1 in part ; 1 to check ." in found
    counted = "⚠ Please check: counted as partly said (40% likely, so 40% of the points)"
    assert f"{counted}, but {words}; this may" in found
    assert "question mark" not in found


def test_a_student_is_not_asked_to_check_anything():
    words = " ".join(text for _, text in page(units=DENIED).words)
    assert "“Nobody minded.” (80% likely, so 80% of the points) (may be wrong)" in words
    assert "A question mark means: this may be wrong." in words
    for teachers_words in ("check", "this may deny it", "⚠"):
        assert teachers_words not in words
    # What a teacher prints is the student's, too.
    content = feedback_body(STUDENT | {"units": DENIED}, for_teacher=True)
    assert '<p class="no-print">⚠ Please check' in content
    assert content.count('<p class="on-paper">✓ Said in') == 1
    assert '<span class="no-print">; 1 to check</span>' in content


def test_only_a_teacher_is_led_to_sentences_without_points():
    blank = unit("It was wet", 1, False, 0.1, 1)
    for units, words in (
        ([unit("Rain fell", 3, True, 0.9, 0), blank], "2 sentences earn no points"),
        ([unit("Rain fell", 3, True, 0.9, 0), unit("All left", 1, False, 0.3, 2)], "1 sentence"),
        ([blank], "No sentence earns points"),
    ):
        notes = [text for text in teachers(units).inside("p") if "check that no idea" in text]
        assert len(notes) == 1
        assert notes[0].startswith(words)
        assert "check that no idea" not in feedback_page(STUDENT | {"units": units})
    marked = [
        one["id"] for one in teachers([blank]).named("span") if one.get("class") == "unearned"
    ]
    assert marked == ["sentence-1", "sentence-2", "sentence-3"]
    assert "unearned" not in feedback_page(STUDENT | {"units": [blank]}).split("<main>")[1]
    every = [unit(str(place), 1, True, 0.9, place) for place in range(3)]
    assert "check that no idea" not in feedback_body(STUDENT | {"units": every}, for_teacher=True)


def test_the_class_shows_what_is_to_be_checked():
    found = Reader(class_page([STUDENT | {"units": DENIED}], ["anna.html"], "Class"))
    cells = found.inside("td")
    assert "2 of 2, 1 to check" in cells
    assert "1 of 1, 1 to check" in cells


def test_a_share_that_is_full_needs_no_sum():
    words = " ".join(text for _, text in page(coverage=1.0).words)
    assert "on average could not earn more than this summary, which earns 6." in words


def test_weights_that_were_set_by_hand_are_told():
    told = "unless its points were set by hand"
    assert told not in feedback_page(STUDENT)
    assert told in feedback_page(STUDENT | {"units": [unit("Rain fell", 5, True, 0.9, 0)]})


def test_quotation_marks_inside_a_quoted_sentence_are_single():
    text = '“It rained,” she said, "all day".'
    found = page(text=text, sentences=[(0, len(text))], units=[unit("Rain", 1, True, 1.0, 0)])
    assert "“‘It rained,’ she said, 'all day'.”" in found.inside("a")
