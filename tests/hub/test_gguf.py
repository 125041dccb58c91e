"""SmolLM2 really writes; `commonground models fetch smollm2` brings it (98 MB, once)."""

import json
from importlib.metadata import version
from pathlib import Path

import pytest

from commonground import models
from commonground.cli import run
from commonground.errors import ModelError
from commonground.narratives.generators import Generator, Gguf, Tokens

KEPT = Path(__file__).parent.parent.parent / ".venv-hub" / "models"
LEFT = "The ferry ran aground on Saturday. Its captain resigned a day later."
RIGHT = "On Saturday a ferry ran aground off the harbour. Nobody was hurt."


@pytest.fixture(scope="module")
def smollm2():
    """The file, fetched once and kept beside the environment."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COMMONGROUND_CACHE", str(KEPT))
        patch.setenv("COMMONGROUND_THREADS", "1")  # two that wait for each other are slower
        found = models.fetch("smollm2")
        yield next(iter(found.paths.values()))


@pytest.fixture(scope="module")
def writer(smollm2):
    return Gguf(str(smollm2), level=1, max_tokens=24, context=512)


def test_it_writes_the_same_every_time(writer):
    generator = Generator(writer, verify="off")
    one, other = generator.find([LEFT, RIGHT]), generator.find([RIGHT, LEFT])
    assert len(one.generated.split()) >= 3
    assert 0 < one.tokens.written <= 24 < one.tokens.read
    assert (one.generated, one.signature) == (other.generated, other.signature)
    assert "|method:gguf|model:SmolLM2-135M-Instruct.Q4_1@b179c952|" in str(one.signature)
    assert f"|context:512|penalty:1.1|lib:xllamacpp-{version('xllamacpp')}|" in str(one.signature)


def test_a_text_that_was_cut_off_says_so(writer):
    ((_, found),) = writer.write([(LEFT, RIGHT)])
    assert found.tokens.written == 24
    assert found.warning and "cut off at 24 tokens" in found.warning


def test_a_text_without_an_end_loses_its_last_sentence(writer):
    message = {"content": "Nobody was hurt. The ferry ran"}
    reply = {"choices": [{"message": message, "finish_reason": "length"}], "usage": {}}
    found = writer._finished(reply, "input cut")
    assert (found.text, found.tokens) == ("Nobody was hurt.", Tokens(0, 0))
    assert found.warning.startswith("input cut; the model was cut off at 24 tokens; its last")


def test_too_long_an_input_is_cut_visibly(writer):
    ((_, found),) = writer.write([(" ".join([LEFT] * 60), RIGHT)])
    assert found.text and found.warning and "of 732 words" in found.warning
    assert found.tokens.read + 24 <= 512


def test_a_file_cut_short_is_one_line(smollm2, tmp_path):
    short = tmp_path / "short.gguf"
    with smollm2.open("rb") as stream:
        short.write_bytes(stream.read(1 << 20))
    with pytest.raises(ModelError, match="damaged, incomplete") as caught:
        Gguf(str(short))
    assert "\n" not in str(caught.value)


def test_a_damaged_file_of_the_cache_is_refused(smollm2, tmp_path, monkeypatch):
    monkeypatch.setenv("COMMONGROUND_CACHE", str(tmp_path))
    copy = tmp_path / "models" / "smollm2" / smollm2.name
    copy.parent.mkdir(parents=True)
    with smollm2.open("rb") as stream:
        copy.write_bytes(stream.read(1 << 20))
    with pytest.raises(ModelError, match="expected 98,362,432"):
        Gguf()


def test_it_answers_by_seed(smollm2):
    writer = Gguf(str(smollm2), max_tokens=16, context=512, temperature=1.5)
    question = [{"role": "user", "content": "Name a city and say why you like it."}]
    texts = [written.text for _, written in writer.converse([question] * 3, [1, 2, 1])]
    assert texts[0] == texts[2] != texts[1]
    assert "temp:1.5" in "|".join(f"{key}:{value}" for key, value in writer.settings.items())
    with pytest.raises(ModelError, match="SmolLM2"):
        list(writer.converse([[{"role": "user", "content": "word " * 900}]], [0]))


def test_a_local_judge(smollm2, tmp_path, capsys):
    (tmp_path / "e.jsonl").write_text('{"id": "1", "references": ["It rained."]}\n')
    (tmp_path / "p.jsonl").write_text('{"id": "1", "summary": "Rain fell.", "system": "a"}\n')
    (tmp_path / "r.txt").write_text("criterion focus 1-5\n---\nSummary: {summary}\n")
    names = {"--predictions": "p.jsonl", "--rubric": "r.txt", "--output": "o.jsonl"}
    files = [part for key, name in names.items() for part in (key, str(tmp_path / name))]
    command = ["benchmark", "judge", str(tmp_path / "e.jsonl"), *files, "--model", str(smollm2)]
    for asked in (2, 0):  # the second run finds all answers, valid or not, in the cache
        assert run([*command, "--repeats", "2", "--attempts", "1", "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
        assert (found["answers"], found["asked"]) == (2, asked)
        assert "|method:gguf|model:SmolLM2" in found["signature"]
