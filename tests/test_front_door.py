"""The first minutes in a Python session: completion, help, names, wrong types."""

import pydoc
import subprocess
import sys
from rlcompleter import Completer

import pytest

import commonground as cg

FUNCTIONS = ["overlap", "rouge", "sem_f1", "verify"]
PARTS = ["agreement", "benchmark", "errors", "metrics", "narratives", "pyramid", "reader", "text"]


def fresh(code):
    """What a new interpreter prints."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_dir_lists_public_names_only():
    shown = [name for name in dir(cg) if not name.startswith("__")]
    assert set(FUNCTIONS) | set(PARTS) <= set(shown)
    assert not {"logging", "on_demand", "Sequence", "TYPE_CHECKING", "lazy", "plain"} & set(shown)
    assert set(cg.__all__) <= set(dir(cg))


def test_everything_that_is_listed_can_be_used_in_a_fresh_session():
    assert fresh("import commonground as cg; print(all(hasattr(cg, n) for n in dir(cg)))") == "True"
    assert fresh("import commonground as cg; print(cg.agreement.Scores.__name__)") == "Scores"
    assert fresh("import commonground as cg; print(cg.benchmark.Study.__name__)") == "Study"
    assert fresh("import commonground as cg; print(cg.verify.__name__)") == "verify"
    meta = "import commonground as cg; print(cg.benchmark.meta.read_judged.__name__)"
    assert fresh(meta) == "read_judged"
    assert fresh("import commonground as cg; print('judge' in dir(cg.benchmark))") == "True"


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("cg.ov", "cg.overlap("),
        ("cg.agree", "cg.agreement"),
        ("cg.bench", "cg.benchmark"),
        ("cg.metrics.Rou", "cg.metrics.RougeScore("),
        ("cg.Pyramid.bu", "cg.Pyramid.build("),
    ],
)
def test_completion_offers_names(typed, offered):
    completer = Completer({"cg": cg})
    offers = []
    while (offer := completer.complete(typed, len(offers))) is not None:
        offers.append(offer)
    assert offered in offers


@pytest.mark.parametrize(
    ("name", "begins"),
    [
        ("overlap", "Return what narratives have in common"),
        ("verify", "Check a summary against its sources"),
        ("sem_f1", "Return the SEM-F1 of one summary"),
        ("rouge", "Return the ROUGE of one summary"),
    ],
)
def test_help_begins_with_what_a_function_does(name, begins):
    lines = pydoc.plain(pydoc.render_doc(getattr(cg, name))).splitlines()
    assert lines[0].startswith(f"Python Library Documentation: function {name}")
    signature = next(number for number, line in enumerate(lines) if " -> " in line)
    assert lines[signature + 1].strip().startswith(begins)


def test_help_of_the_package_shows_the_functions():
    text = pydoc.plain(pydoc.render_doc(cg))
    assert "What do these narratives agree on" in text.splitlines()[3]
    functions = text.split("FUNCTIONS")[1].split("\nDATA")[0]
    assert all(f"    {name}(" in functions for name in FUNCTIONS)
    assert "on_demand" not in functions


@pytest.mark.parametrize(
    "slow", ["numpy", "scipy", "onnxruntime", "spacy", "importlib.metadata", "pandas"]
)
def test_rouge_needs_nothing_that_is_slow_to_import(slow):
    code = "import sys, commonground as cg; cg.rouge('Rain.', ['Rain.'])"
    assert fresh(f"{code}; print({slow!r} in sys.modules)") == "False"


WRONG = {
    "a string": lambda: cg.overlap("one text"),
    "a number": lambda: cg.overlap(3),
    "numbers": lambda: cg.overlap([1, 2]),
    "encoder of the overlap": lambda: cg.overlap(["It rained.", "Rain fell."], encoder=3),
    "encoder of the reader": lambda: cg.Reader(3),
    "encoder of the pyramid": lambda: cg.Pyramid.build(["It rained."], encoder=3),
    "percentile": lambda: cg.Pyramid.build(["It rained.", "Rain."], percentile="x"),
    "alpha": lambda: cg.Pyramid.build(["It rained."], alpha="x"),
    "types": lambda: cg.rouge("Rain.", ["Rain."], types=4),
    "tokenizer": lambda: cg.rouge("Rain.", ["Rain."], tokenizer=[]),
    "summary": lambda: cg.verify(3, ["Rain."]),
    "prediction": lambda: cg.sem_f1(None, ["Rain."]),
    "references": lambda: cg.sem_f1("Rain.", 3),
}


@pytest.mark.parametrize("what", WRONG)
def test_wrong_types_get_one_line(what):
    with pytest.raises(cg.InputError) as caught:
        WRONG[what]()
    assert len(str(caught.value).splitlines()) == 1
