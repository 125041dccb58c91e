"""PyrEval's matrices: a vector by hand, its words, and damaged folders."""

import pickle

import numpy as np
import pytest
from scipy.io import savemat

from commonground.encoders import load
from commonground.encoders.snowball import snowball
from commonground.errors import ModelError

WORDS = ("rain", "currenc", "bridg")
IDF = (2.0, 3.0, 5.0)
P = np.array([[1.0, 0.0, 0.5], [0.0, 2.0, 0.5]])  # dimensions x words


@pytest.fixture
def folder(tmp_path):
    numbered = list(enumerate(WORDS, 1))
    (tmp_path / "vocab").write_text(
        "#gww#\t0\n" + "".join(f"{word}\t{number}\n" for number, word in numbered), "utf-8"
    )
    (tmp_path / "idf").write_text(
        "".join(f"{number} {value}\n" for number, value in enumerate(IDF, 1)), "utf-8"
    )
    savemat(tmp_path / "model.mat", {"P": P, "w_m": 0.01, "lambda": 20.0, "n_iters": 20.0})
    return tmp_path


def test_a_vector_by_hand(folder):
    encoder = load(str(folder))
    assert encoder.name == "wtmf-pyreval"
    # Rain and bridges, once each; "the" is unknown. PyrEval solves
    # (w_m P P' + (1 - w_m) p p' + lambda I) v = p idf.
    p, idf = P[:, [0, 2]], np.array([2.0, 5.0])
    system = 0.01 * P @ P.T + 0.99 * p @ p.T + 20 * np.eye(2)
    expected = np.linalg.solve(system, p @ idf)
    (found,) = encoder.encode(["The rain! Rained on the bridges"])
    np.testing.assert_allclose(found, expected / np.linalg.norm(expected), rtol=1e-6)
    assert not encoder.encode(["nothing known"]).any()


def test_the_folder_is_its_fingerprint(folder):
    encoder = load(str(folder))
    again = pickle.loads(pickle.dumps(encoder))
    assert again.fingerprint == encoder.fingerprint
    assert (again.encode(["Currencies"]) == encoder.encode(["currency"])).all()


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("idf", b"1 2 3\n", "not two columns"),
        ("idf", b"1 x\n", "not the matrices of PyrEval"),
        ("idf", b"9 1.0\n", "does not fit vocab and idf"),
        ("vocab", b"rain\tone\n", "not the matrices of PyrEval"),
        ("model.mat", b"nonsense", "not the matrices of PyrEval"),
        ("vocab", None, "vocab: no such file"),
    ],
)
def test_damage_is_one_line(folder, name, content, message):
    if content is None:
        (folder / name).unlink()
    else:
        (folder / name).write_bytes(content)
    with pytest.raises(ModelError, match=message) as caught:
        load(str(folder), cache=False)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("word", "stem"),
    [
        *(("Currencies", "currenc"), ("cryptographic", "cryptograph"), ("galleries", "galleri")),
        *(("hopping", "hop"), ("hoping", "hope"), ("agreed", "agre"), ("feed", "feed")),
        *(("generously", "generous"), ("communism", "communism"), ("ties", "tie"), ("gas", "gas")),
        *(("gaps", "gap"), ("kiwis", "kiwi"), ("dying", "die"), ("news", "news"), ("by", "by")),
        *(("say", "say"), ("cry", "cri"), ("relational", "relat"), ("happily", "happili")),
        *(
            ("analogy", "analog"),
            ("controlled", "control"),
            ("fall", "fall"),
            ("succeed", "succeed"),
        ),
    ],
)
def test_stems_of_the_snowball_project(word, stem):
    assert snowball(word) == stem
