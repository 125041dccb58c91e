"""The reader: known answers, laws, and input that nobody would call text."""

import pickle
import warnings
import zlib
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonground import encoders, models
from commonground.errors import InputError, ModelError
from commonground.reader import LABELS, Reader

TEXT = (
    "The ferry Anna Maris ran aground off Skerry Point on Saturday morning. "
    "Lifeboats brought all 212 people ashore, and nobody was hurt. "
    "The harbour master blamed a broken rudder. "
    "The company will pay for the tickets."
)


@pytest.fixture(scope="module")
def reader():
    return Reader(cache=False)


def one(reader, sentence, text=TEXT):
    (found,) = reader.read([sentence], text)
    return found


def words(found, *wanted):
    bare = {word.text.strip(".,"): word for word in found.words}
    return [bare[text].support for text in wanted]


@pytest.mark.parametrize(
    ("sentence", "label", "shown"),
    [
        ("On Saturday the ferry Anna Maris ran aground off Skerry Point.", "stated", 0),
        ("A broken rudder was to blame, said the harbour master.", "stated", 2),
        ("The ferry ran aground on Saturday, and its captain resigned in tears.", "partly", 0),
        ("The orchestra played two waltzes.", "absent", None),
    ],
)
def test_known_answers(reader, sentence, label, shown):
    found = one(reader, sentence)
    assert found.label == label
    assert [place.sentence for place in found.evidence[:1]] == ([] if shown is None else [shown])


def test_words_that_the_text_does_not_state_have_less_support(reader):
    found = one(reader, "The ferry ran aground on Saturday, and its captain resigned in tears.")
    low = max(words(found, "captain", "resigned", "tears"))
    assert low < 0.5 < min(words(found, "ferry", "ran", "aground", "Saturday"))
    within = {word.text.strip(".,"): word.within for word in found.words}
    assert max(within["captain"], within["resigned"]) < min(within["aground"], within["Saturday"])


def test_another_number_has_less_support_than_the_right_one(reader):
    right, wrong = (one(reader, f"Lifeboats brought all {n} people ashore.") for n in (212, 340))
    assert right.stated > wrong.stated
    assert words(right, "212")[0] > 0.5 > words(wrong, "340")[0]


def test_a_denial_is_seen(reader):
    plain, denied = (
        one(reader, "The ferry ran aground."),
        one(reader, "The ferry did not run aground."),
    )
    assert plain.stated > 0.5 and plain.stated > denied.stated
    assert denied.contradicted > plain.contradicted
    assert words(denied, "not")[0] < 0.5


def test_probabilities_and_offsets(reader):
    for found in reader.read(["The  ferry\tran aground.", "Who knows?", "x"], TEXT):
        assert sum(found.probabilities) == pytest.approx(1)
        assert found.probabilities[LABELS.index(found.label)] == max(found.probabilities)
        assert found.shared == found.stated + found.partly
        for word in found.words:
            assert found.sentence[word.start : word.end] == word.text
            assert 0 <= word.support <= 1 and 0 <= word.within <= 1
        assert all(shown.text in TEXT for shown in found.evidence)
        assert found.to_dict()["words"][0]["support"] == found.words[0].support


def test_a_sentence_is_read_by_itself(reader):
    sentences = ["The ferry ran aground.", "It rained.", "Nobody was hurt at all, they say."]
    together = reader.read(sentences, TEXT)
    assert together == [one(reader, sentence) for sentence in sentences]
    assert together == reader.read(sentences[::-1], TEXT)[::-1]


def test_threads_runs_and_processes_agree(reader):
    sentences = ["The ferry ran aground.", "Nobody was hurt.", "The rudder broke."]
    expected = reader.read(sentences, TEXT)
    assert Reader(cache=False, threads=1).read(sentences, TEXT) == expected
    assert pickle.loads(pickle.dumps(reader)).read(sentences, TEXT) == expected
    with ThreadPoolExecutor(4) as pool:
        runs = list(pool.map(lambda _: reader.read(sentences, TEXT), range(4)))
    assert runs == [expected] * 4


class Broken:
    """A network that must not be asked."""

    def encode(self, asked, pool=None):
        assert not asked
        return []

    read = encode


def test_cached_answers_are_the_same(tmp_path, monkeypatch):
    monkeypatch.setenv("COMMONGROUND_CACHE", str(tmp_path))
    sentences = ["The ferry ran aground.", "Nobody was hurt."]
    first = Reader().read(sentences, TEXT)
    again = Reader()
    again._network = Broken()
    assert again.read(sentences, TEXT) == first
    assert list(tmp_path.glob("vectors/reader-*.sqlite"))


def test_white_space_changes_nothing(reader):
    plain = one(reader, "The ferry ran aground.")
    wrapped = one(reader, "The ferry\n ran  aground.", TEXT.replace(". ", ".\n"))
    assert plain.probabilities == wrapped.probabilities


def test_a_prepared_text_reads_the_same(reader):
    prepared = reader.prepare(TEXT)
    assert reader.read(["Nobody was hurt."], prepared) == reader.read(["Nobody was hurt."], TEXT)
    assert all(chunk.kept for chunk in prepared.chunks(range(len(prepared.sentences))))


def test_each_sentence_against_its_own_text_reads_as_one_by_one(reader):
    texts = [reader.prepare(text) for text in (TEXT, ["Nobody was hurt."], [" "], TEXT)]
    asked = ["Nobody was hurt.", "All were saved.", "Nobody was hurt.", ""]
    found = reader.read_each(asked, texts, reader.encoder.encode(asked))
    assert found == [
        reader.read([one], list(text.sentences))[0] for one, text in zip(asked, texts, strict=True)
    ]
    assert reader.read_each([], [], reader.encoder.encode([])) == []


def test_the_only_sentence_that_shows_it_is_found_in_a_long_text(reader):
    filler = [
        f"District {n} took its turnips to barn {n} before the frost came." for n in range(300)
    ]
    filler[217] = "The bishop sold his yellow motorcycle in Lisbon."
    found = one(reader, "In Lisbon the bishop sold a motorcycle.", filler)
    assert found.evidence[0].sentence == 217 and found.shared > 0.5


def test_nothing_near_is_not_read(reader, monkeypatch):
    monkeypatch.setattr("commonground.reader.text.NEAR", 2.0)  # nothing is as near as that
    filler = [
        f"District {n} took its turnips to barn {n} before the frost came." for n in range(60)
    ]
    found = one(reader, "The orchestra played.", filler)
    assert found.absent == 1.0 and not found.evidence and found.nearest is not None


@pytest.mark.parametrize("text", ["", "   \n\t", "...", "\x00\x01", []])
def test_a_text_without_words_states_nothing(reader, text):
    found = one(reader, "The dam broke.", text)
    assert found.label == "absent" and found.shared < 0.2


@pytest.mark.parametrize(
    "sentence",
    [
        "",
        "   ",
        "\x00",
        "word",
        "1 2 3 4 5 6 7 8 9",
        "THE FERRY RAN AGROUND ON SATURDAY",
        "| a | 1 | b | 2 |",
        "船は土曜日に座礁した。",
        "السفينة جنحت يوم السبت",
        "\ud800 lone",
        "a" * 5000,
        "The ferry ran aground " * 150,
    ],
)
def test_unusual_sentences_have_an_answer(reader, sentence):
    found = one(reader, sentence)
    assert sum(found.probabilities) == pytest.approx(1)
    assert len(found.words) == len(sentence.split())


def test_a_sentence_of_six_hundred_words_is_read_to_its_end(reader):
    long = " ".join(["The ferry ran aground on Saturday and nobody was hurt,"] * 60)
    found = one(reader, f"{long} while a dragon sang.")
    assert len(found.words) == 604
    support = [word.support for word in found.words]
    assert max(support[-3:]) < min(support[:5])


class Counting:
    """Vectors of counted words: a hundred thousand words in a second."""

    name, fingerprint = "counting", "0" * 64

    def encode(self, texts):
        rows = np.zeros((len(texts), 512), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in text.lower().split():
                row[zlib.crc32(word.strip(".").encode()) % 512] += 1
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1)


def test_a_text_of_a_hundred_thousand_words():
    reader = Reader(Counting(), cache=False)
    text = [f"Row {n} of the table lists {n} barrels of oil for the port." for n in range(8000)]
    text[4321] = "The ferry ran aground on Saturday."
    found = one(reader, "On Saturday the ferry ran aground.", text)
    assert found.evidence[0].sentence == 4321


@settings(max_examples=25)
@given(st.lists(st.text(max_size=60), max_size=4), st.text(max_size=200))
def test_any_text_gives_an_answer(sentences, text):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = SHARED.read(sentences, text)
    assert [reading.sentence for reading in found] == sentences
    for reading in found:
        assert sum(reading.probabilities) == pytest.approx(1)


SHARED = Reader(cache=False, threads=1)


def test_wrong_calls_are_one_line(reader):
    with pytest.raises(InputError, match="list of texts, got one string"):
        reader.read("The dam broke.", TEXT)
    with pytest.raises(InputError, match="list of texts, got NoneType"):
        reader.read(None, TEXT)
    with pytest.raises(InputError, match=r"sentences\[1\] must be a text, got int"):
        reader.read(["a", 7], TEXT)
    with pytest.raises(InputError, match="threads must be at least 1"):
        Reader(threads=0)
    with pytest.raises(InputError, match="did you mean 'minilm'"):
        Reader("minilmm")


def test_tampered_weights_are_refused(tmp_path, monkeypatch):
    located = models.locate("reader")
    damaged = bytearray(located.paths["reader.onnx"].read_bytes())
    damaged[len(damaged) // 2] ^= 1
    folder = tmp_path / "reader" / "data"
    folder.mkdir(parents=True)
    (folder / "reader.onnx").write_bytes(damaged)
    (folder / "calibration.json").write_bytes(located.paths["calibration.json"].read_bytes())
    monkeypatch.setattr("commonground.models.catalogue.resources.files", lambda _: tmp_path)
    with pytest.raises(ModelError, match=r"reader\.onnx has sha256 .*reinstall it"):
        Reader()
    assert models.status("reader").state == "damaged"


def test_other_encoders_find_the_nearest_too():
    assert Reader(encoders.load("minilm"), cache=False).encoder.name == "minilm"
