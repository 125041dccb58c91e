"""The modules for Hugging Face `evaluate`, loaded by the real library."""

import pytest

from commonground.errors import InputError
from commonground.metrics import Rouge, SemF1
from commonground.metrics.huggingface import module_path

evaluate = pytest.importorskip("evaluate")

PREDICTIONS = ["The ferry sank. Nobody was hurt.", "Prices rose in May."]
REFERENCES = [
    ["A ferry went down, and all were saved.", "The ferry sank without loss of life."],
    ["In May prices went up."],
]


@pytest.fixture(autouse=True, scope="module")
def own_modules(tmp_path_factory):
    # `evaluate` copies a module here and puts the folder on the path, once a process.
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("modules")
        patch.setattr("evaluate.config.HF_MODULES_CACHE", str(folder))
        patch.setenv("HF_HUB_OFFLINE", "1")
        yield


def load(name, tmp_path):
    return evaluate.load(module_path(name), cache_dir=str(tmp_path / "cache"))


def test_sem_f1_gives_the_numbers_of_the_measure(tmp_path):
    found = load("sem_f1", tmp_path).compute(predictions=PREDICTIONS, references=REFERENCES)
    corpus = SemF1().corpus(PREDICTIONS, REFERENCES)
    assert found["f1"] == corpus.mean.f1
    assert found["items"] == [item.f1 for item in corpus.items]
    assert found["signature"] == str(corpus.signature)


def test_options_and_single_references(tmp_path):
    singles = [references[0] for references in REFERENCES]
    found = load("sem_f1", tmp_path).compute(
        predictions=PREDICTIONS, references=singles, encoder="static", thresholds="60-80"
    )
    listed = [[single] for single in singles]
    assert found["f1"] == SemF1("static").corpus(PREDICTIONS, listed).mean.f1
    assert "|labels:60-80|refs:1|" in found["signature"]


def test_rouge_gives_the_numbers_of_the_measure(tmp_path):
    module = load("rouge", tmp_path)
    found = module.compute(predictions=PREDICTIONS, references=REFERENCES, use_stemmer=True)
    corpus = Rouge(stemmer=True).corpus(PREDICTIONS, REFERENCES)
    assert found["rougeL"] == corpus.mean["rougeL"].f1
    assert found["signature"] == str(corpus.signature)


def test_an_unknown_module_is_refused():
    with pytest.raises(InputError, match="did you mean 'sem_f1'"):
        module_path("semf1")


@pytest.mark.parametrize(
    ("name", "key"), [("rouge", "lin-2004-rouge"), ("sem_f1", "bansal-etal-2022-sem")]
)
def test_the_citation_names_the_paper_and_the_software(name, key, tmp_path):
    citation = load(name, tmp_path).info.citation
    assert f"@inproceedings{{{key}," in citation
    assert "@software{commonground," in citation
