"""Clauses of sentences written for the purpose, which the parser reads as a person would."""

import pytest

from commonground.errors import InputError
from commonground.text import Segment, Sentence, segment, segment_all


def finest(sentence):
    """The texts of the finest segmentation; None where the sentence is not split."""
    (found,) = segment([sentence])
    whole, *cuts = found.segmentations
    assert [part.text for part in whole] == [" ".join(sentence.split())]
    return [part.text for part in cuts[0]] if cuts else None


def test_the_example_of_the_pyreval_paper():
    """Figure 3 of Gao, Sun and Passonneau (2019)."""
    shake = "Christopher Shake, the director of the London art gallery, suggests"
    first = "that this is not the case"
    second = (
        "that many different companies of different natures not just technology related are "
        "getting involved with cryptocurrencies"
    )
    (found,) = segment(f"{shake} {first} and {second}.")
    assert [[part.text for part in cut] for cut in found.segmentations] == [
        [f"{shake} {first} and {second}."],
        [f"{shake} and.", first, second],
        [f"{shake} {first} and.", second],
        [f"{shake} and {second}.", first],
    ]


@pytest.mark.parametrize(
    ("sentence", "clauses"),
    [
        (
            "The mayor opened the bridge and thanked the workers.",
            ["The mayor opened the bridge and", "The mayor thanked the workers."],
        ),
        (
            "The storm tore off the roof, flooded the cellar and damaged two cars.",
            [
                "The storm tore off the roof,",
                "The storm flooded the cellar and",
                "The storm damaged two cars.",
            ],
        ),
        (
            "The council met on Monday, but the mayor stayed away.",
            ["The council met on Monday, but", "the mayor stayed away."],
        ),
        (
            "He is ill or he has left.",
            ["He is ill or", "he has left."],
        ),
        (
            "You can pay at the desk or send a cheque.",
            ["You can pay at the desk or", "You can send a cheque."],
        ),
        (
            "The judge, the jury and the press left, and the hall was locked.",
            ["The judge, the jury and the press left, and", "the hall was locked."],
        ),
        (
            "The clock struck nine, the doors opened, and the band played.",
            ["The clock struck nine,", "the doors opened, and", "the band played."],
        ),
        (
            'The "old guard" lost the vote and left the hall.',
            ['The "old guard" lost the vote and', 'The "old guard" left the hall.'],
        ),
    ],
)
def test_verb_phrases_that_are_joined_share_their_subject(sentence, clauses):
    assert finest(sentence) == clauses


@pytest.mark.parametrize(
    ("sentence", "clauses"),
    [
        (
            "The city will widen the road and plant new trees.",
            ["The city will widen the road and", "The city will plant new trees."],
        ),
        (
            "The bridge has been inspected, repaired and painted.",
            [
                "The bridge has been inspected,",
                "The bridge has been repaired and",
                "The bridge has been painted.",
            ],
        ),
        (
            "They will not leave or give up.",
            ["They will not leave or", "They will not give up."],
        ),
        ("He was not fined but jailed.", ["He was not fined but", "He was jailed."]),
        ("She did not call and left early.", ["She did not call and", "She left early."]),
    ],
)
def test_an_auxiliary_is_shared_and_a_negation_where_it_is_meant(sentence, clauses):
    assert finest(sentence) == clauses


@pytest.mark.parametrize(
    "sentence",
    [
        # One object for both verbs.
        "The baker mixes and kneads the dough.",
        "The council planned, funded and built a new school.",
        # Alone, the second verb would say the opposite, or might.
        "They will not sell the farm and move.",
        "She neither called nor wrote.",
        # Lists of other things than clauses.
        "They bought apples, pears, plums and a large melon.",
        "Workers from Leeds, York and Hull repaired the roof.",
        "The road is long, narrow and steep.",
        # Verbs without tense.
        "She wants to sell the farm and move to the coast.",
        "Walking home, he found a purse lying on the path.",
        "To reach the hut, walkers must cross a river.",
        "He began repairing the fence to keep the dogs out.",
        "The house built in 1900 has burned down.",
        # A clause that is a subject stays with its verb.
        "What he said surprised the judge.",
        # One clause only.
        "The windows were broken by the storm.",
        "Why was the gate locked?",
        "According to the report, the dam is safe.",
        "Close the door and open the window.",
        # No main verb.
        "No comment.",
        "A quiet evening in the harbour.",
        "A man who lives here.",
        "Rain in the north, sun in the south.",
    ],
)
def test_what_stays_whole(sentence):
    assert finest(sentence) is None


@pytest.mark.parametrize(
    ("sentence", "clauses"),
    [
        (
            "The team that won the cup will visit the school.",
            ["The team will visit the school.", "The team that won the cup"],
        ),
        (
            "The bridge, which was closed in May, will reopen next week.",
            ["The bridge will reopen next week.", "The bridge, which was closed in May,"],
        ),
        (
            "The doctor who treated the boy spoke to reporters.",
            ["The doctor spoke to reporters.", "The doctor who treated the boy"],
        ),
        (
            "The house they bought last year has burned down.",
            ["The house has burned down.", "The house they bought last year"],
        ),
        (
            "The company, whose owner lives abroad, has closed three shops.",
            ["The company has closed three shops.", "The company, whose owner lives abroad,"],
        ),
        (
            "The village where she was born has no school.",
            ["The village has no school.", "The village where she was born"],
        ),
        (
            "The thief was seen by two women who were waiting for a bus.",
            ["The thief was seen by two women.", "two women who were waiting for a bus"],
        ),
        (
            "The man who stole the car and fled was caught.",
            ["The man was caught.", "The man who stole the car and", "The man who fled"],
        ),
        (
            "It was the wind that broke the window.",
            ["It was the wind.", "the wind that broke the window"],
        ),
    ],
)
def test_a_relative_clause_takes_along_what_it_describes(sentence, clauses):
    assert finest(sentence) == clauses


@pytest.mark.parametrize(
    ("sentence", "clauses"),
    [
        (
            "The minister said that taxes would rise.",
            ["The minister said.", "that taxes would rise"],
        ),
        ("The minister said taxes would rise.", ["The minister said.", "taxes would rise"]),
        ('"Taxes will rise," the minister said.', ['"Taxes will rise,"', "the minister said."]),
        ("“Nobody helped us,” said the farmer.", ["“Nobody helped us,”", "said the farmer."]),
        (
            '"We are ready," she said, "but we have no money."',
            ['"We are ready,"', "she said,", '"but we have no money."'],
        ),
        (
            "Taxes, the minister said, will rise next year.",
            ["Taxes, will rise next year.", "the minister said,"],
        ),
        (
            "The report says that the dam is safe, that the gates work and that no one was hurt.",
            [
                "The report says and.",
                "that the dam is safe,",
                "that the gates work",
                "that no one was hurt",
            ],
        ),
        (
            '"The tower is safe, and the view is superb," the guide said.',
            ['"The tower is safe, and', 'the view is superb,"', "the guide said."],
        ),
        (
            "He demanded that the letter be burned.",
            ["He demanded.", "that the letter be burned"],
        ),
        (
            "He said he knew that she had left because it was late.",
            ["He said.", "he knew", "that she had left", "because it was late"],
        ),
    ],
)
def test_reported_speech(sentence, clauses):
    assert finest(sentence) == clauses


@pytest.mark.parametrize(
    ("sentence", "clauses"),
    [
        (
            "If it rains, the match will be moved indoors.",
            ["If it rains,", "the match will be moved indoors."],
        ),
        ("He left, because it rained.", ["He left,", "because it rained."]),
        ("It came at 8 a.m. because it rained.", ["It came at 8 a.m.", "because it rained."]),
        ("They argued about who should pay.", ["They argued.", "about who should pay"]),
        ("The film is longer than the book was.", ["The film is longer.", "than the book was"]),
        (
            "The fact that the road was closed came as a surprise.",
            ["The fact came as a surprise.", "that the road was closed"],
        ),
        ("The tide turned; the boats came back.", ["The tide turned;", "the boats came back."]),
        (
            "The old mill (it was built in 1820) is for sale.",
            ["The old mill is for sale.", "(it was built in 1820)"],
        ),
        (
            "There is a hole in the roof, but nobody has repaired it.",
            ["There is a hole in the roof, but", "nobody has repaired it."],
        ),
        (
            "The bridge was built in 1890, was bombed in 1944 and has been closed since 2020.",
            [
                "The bridge was built in 1890,",
                "The bridge was bombed in 1944 and",
                "The bridge has been closed since 2020.",
            ],
        ),
        (
            "What did the witness see, and when did she call the police?",
            ["What did the witness see, and", "when did she call the police?"],
        ),
        (
            "Did the guard see who opened the gate?",
            ["Did the guard see?", "who opened the gate"],
        ),
        ("Close the door when you leave.", ["Close the door.", "when you leave"]),
        ("Came home late and went to bed.", ["Came home late and", "went to bed."]),
    ],
)
def test_other_clauses(sentence, clauses):
    assert finest(sentence) == clauses


@pytest.mark.parametrize(
    ("sentence", "clauses"),
    [
        (
            "Prices rose by 3.5% in May and fell by 1,200 euros in June.",
            ["Prices rose by 3.5% in May and", "Prices fell by 1,200 euros in June."],
        ),
        ("He didn't call and she won't write.", ["He didn't call and", "she won't write."]),
        (
            "THE MAYOR OPENED THE BRIDGE AND THANKED THE WORKERS.",
            ["THE MAYOR OPENED THE BRIDGE AND", "THE MAYOR THANKED THE WORKERS."],
        ),
        (
            "the mayor opened the bridge and thanked the workers",
            ["the mayor opened the bridge and", "the mayor thanked the workers"],
        ),
        (
            "The mayor  opened\nthe bridge and\tthanked the\u00a0workers.",
            ["The mayor opened the bridge and", "The mayor thanked the workers."],
        ),
        (
            "😀 The bridge is open 🎉 and everyone is happy 😀",
            ["😀 The bridge is open 🎉 and", "everyone is happy 😀"],
        ),
    ],
)
def test_the_look_of_a_sentence(sentence, clauses):
    assert finest(sentence) == clauses


def test_spans_are_places_in_the_text():
    text = "It rained.\n\nThe mayor  opened the bridge, which is old, and left."
    found = segment(text)[1]
    assert found.sentence == Sentence(text[12:], 12, len(text))
    opened, old, left = found.segmentations[1]
    assert [text[start:end] for start, end in opened.spans] == [
        "The mayor  opened the bridge",
        "and",
    ]
    assert [text[start:end] for start, end in old.spans] == ["the bridge, which is old,"]
    assert [text[start:end] for start, end in left.spans] == ["The mayor", "left."]
    assert left.text == "The mayor left."


def test_a_list_of_sentences_is_taken_as_it_is():
    found = segment(["\u200b It rained. It poured. ", " ", "We left."])
    assert [item.sentence for item in found] == [
        Sentence("It rained. It poured.", 2, 23),
        Sentence("We left.", 0, 8),
    ]


@pytest.mark.parametrize("text", ["", " \n", [], ["", " "]])
def test_an_empty_text_has_no_sentences(text):
    assert segment(text) == []


@pytest.mark.parametrize("text", ["Yes", "😀", "?", "2020", "-"])
def test_one_word_is_one_segment(text):
    (found,) = segment([text])
    assert [[part.spans for part in cut] for cut in found.segmentations] == [[((0, len(text)),)]]


@pytest.mark.parametrize(
    "text",
    [
        "Le maire a ouvert le pont et il a remercié les ouvriers.",
        "Der Bürgermeister sagte, dass die Brücke sicher sei.",
        "Мэр открыл мост и поблагодарил рабочих.",
        "市长开放了大桥，并感谢了工人。",
        "افتتح العمدة الجسر وشكر العمال.",
    ],
)
def test_another_language_gets_an_answer(text):
    (found,) = segment(text)
    assert found.segmentations[0] == (Segment(text, ((0, len(text)),)),)


def test_a_sentence_of_three_hundred_words():
    part = "the committee met on Monday and the chairman said that nobody had read the report"
    sentence = ", ".join([part] * 20) + "."
    (found,) = segment([sentence])
    assert len(found.segmentations) == 9
    assert len(found.segmentations[1]) > 30


def test_what_is_too_long_for_a_sentence_stays_whole():
    (found,) = segment(["It rained and we left. " * 300])
    assert len(found.segmentations) == 1
    (found,) = segment(["(" * 100_000])
    assert len(found.segmentations) == 1


def test_wrong_input_is_named():
    with pytest.raises(InputError, match="list of texts"):
        segment_all("It rained.")
    with pytest.raises(InputError, match="sentence 1 of a text is int"):
        segment(["It rained.", 3])
    with pytest.raises(InputError, match="not NoneType"):
        segment(None)
