"""A language model as judge, against a local endpoint that misbehaves on purpose."""

import json

import anyio
import pytest

from commonground.agreement import Scores
from commonground.benchmark.judge import AnswerCache, Rubric, judge
from commonground.cli.app import run
from commonground.errors import EndpointError, InputError
from commonground.io import Event, Narrative
from commonground.narratives.generators import Llm, Patience
from llm_server import SECRET, LlmServer

RUBRIC = Rubric({"focus": (1, 5), "fluency": (1, 5)}, "Source: {narratives}\nSummary: {summary}")
EVENTS = {id_: Event(id_, (Narrative("one", "The dam broke."),), ("r",)) for id_ in ("a", "b")}
OUTPUTS = {"good": {"a": "the dam broke", "b": "a dam broke"}, "bad": {"a": "xyz", "b": "zzz"}}


def scores_of(messages):
    good = "dam broke" in messages[0]["content"].rpartition("Summary:")[2]
    return json.dumps({"focus": 5 if good else 1, "fluency": 3})


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setenv("COMMONGROUND_API_KEY", SECRET)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")

    async def pause(seconds):
        pass

    monkeypatch.setattr(anyio, "sleep", pause)
    with LlmServer().running() as found:
        found.answer = scores_of
        yield found


def asked(server, path, retries=3, **more):
    writer = Llm("tiny", server.url, temperature=1, patience=Patience(20, retries))
    return judge(EVENTS, OUTPUTS, RUBRIC, writer, AnswerCache(path), **{"repeats": 2, **more})


def test_scores_means_agreement_and_costs(server, tmp_path):
    result = asked(server, tmp_path / "answers.jsonl", prices=(10, 1000))
    found = {(row.id, row.system, row.metric): row.value for row in result.scores}
    assert found["a", "good", "judge.focus"] == 5
    assert found["b", "bad", "judge.focus"] == 1
    focus = result.criteria["focus"]
    assert (focus.mean, focus.summaries) == (3, 4)
    assert focus.interval.low < 3 < focus.interval.high
    assert focus.agreement.value == 1
    assert result.criteria["fluency"].agreement.value is None  # every label is the same
    assert (result.answers, result.asked, result.invalid) == (8, 8, 0)
    assert (result.tokens.read, result.tokens.written) == (800, 56)
    assert result.cost == pytest.approx(800 * 10e-6 + 56 * 1000e-6)
    assert {request["temperature"] for request in server.requests} == {1}
    assert SECRET not in str(result.signature)


def test_repeats_that_differ_lower_the_agreement(server, tmp_path):
    answers = iter("1524" * 4)
    server.answer = lambda _: json.dumps({"focus": int(next(answers)), "fluency": 3})
    result = asked(server, tmp_path / "answers.jsonl")
    assert result.criteria["focus"].agreement.value < 1


def test_answers_are_cached_by_content(server, tmp_path):
    path = tmp_path / "answers.jsonl"
    first = asked(server, path)
    again = asked(server, path)
    assert (again.asked, again.scores, again.tokens) == (0, first.scores, first.tokens)
    assert asked(server, path, repeats=3).asked == 4  # only the third answers
    changed = Rubric(RUBRIC.criteria, RUBRIC.text + " Be strict.")
    writer = Llm("tiny", server.url, temperature=1)
    other = judge(EVENTS, OUTPUTS, changed, writer, AnswerCache(path), repeats=1)
    assert other.asked == 4


def test_a_failed_run_resumes_where_it_stopped(server, tmp_path):
    path = tmp_path / "answers.jsonl"
    server.script = ["fine"] * 3 + ["401"] * 20
    with pytest.raises(EndpointError, match="401"):
        asked(server, path)
    done = len(path.read_text().splitlines())
    assert done >= 1
    with path.open("a") as stream:
        stream.write('{"key": "cut')  # as if the machine had gone off
    server.script = []
    result = asked(server, path)
    assert result.asked == 8 - done
    assert result.invalid == 0
    assert asked(server, path).asked == 0


@pytest.mark.parametrize("trouble", ["500", "429", "garbage", "empty", "half", "drop"])
def test_trouble_that_passes_is_retried(server, tmp_path, trouble):
    server.script = [trouble] * 2
    result = asked(server, tmp_path / "answers.jsonl")
    assert (result.answers, result.invalid) == (8, 0)


@pytest.mark.parametrize(
    "answer",
    [
        "5",
        "[5, 3]",
        '{"focus": 5}',
        '{"focus": 5, "fluency": 3, "more": 1}',
        '{"focus": 6, "fluency": 3}',
        '{"focus": 0, "fluency": 3}',
        '{"focus": true, "fluency": 3}',
        '{"focus": 4.5, "fluency": 3}',
        '{"focus": "5", "fluency": 3}',
        'Sure! {"focus": 5, "fluency": 3}',
        "Nothing.",
        "[" * 5000,
    ],
)
def test_only_an_exact_answer_counts(server, tmp_path, answer):
    server.answer = lambda _: answer
    path = tmp_path / "answers.jsonl"
    result = asked(server, path, attempts=2)
    assert (result.answers, result.asked, result.invalid) == (8, 16, 8)
    assert result.tokens.read == 1600  # invalid answers cost too
    assert result.criteria["focus"].mean is None
    assert asked(server, path, attempts=2).asked == 0


def test_an_invalid_answer_is_asked_for_again(server, tmp_path):
    server.messages = [{"content": "I would say five."}] * 3
    result = asked(server, tmp_path / "answers.jsonl")
    assert (result.asked, result.invalid) == (11, 0)


def test_a_text_with_marks_stays_as_it_is():
    (message,) = RUBRIC.conversation("all {narratives} here", [], ["N"])
    assert "Source: N\nSummary: all {narratives} here" in message["content"]


def test_what_the_rubric_shows_must_be_there(server, tmp_path):
    bare = {id_: Event(id_, (), ("r",)) for id_ in EVENTS}
    cache = AnswerCache(tmp_path / "answers.jsonl")
    with pytest.raises(InputError, match="id 'a' has no narratives, which the rubric shows"):
        judge(bare, OUTPUTS, RUBRIC, Llm("tiny", server.url), cache)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("criterion focus 1-5\n{summary}", "has no line ---"),
        ("focus 1-5\n---\n{summary}", "line 1: must be `criterion NAME LOW-HIGH`"),
        ("criterion focus 5-1\n---\n{summary}", "line 1: must be"),
        ("\n---\n{summary}", "has no criteria"),
        ("criterion focus 1-5\n---\nJudge.", "must contain {summary}"),
    ],
)
def test_wrong_rubrics(tmp_path, text, complaint):
    path = tmp_path / "rubric.txt"
    path.write_text(text, "utf-8")
    with pytest.raises(InputError, match=complaint):
        Rubric.read(path)


def test_the_command(server, tmp_path, capsys):
    rows = [
        {"id": id_, "system": system, "summary": text}
        for system, texts in OUTPUTS.items()
        for id_, text in texts.items()
    ]
    files = {
        "rubric.txt": "criterion focus 1-5\ncriterion fluency 1-5\n---\n" + RUBRIC.text,
        "events.jsonl": "".join(json.dumps(e.to_dict()) + "\n" for e in EVENTS.values()),
        "outputs.jsonl": "".join(json.dumps(row) + "\n" for row in rows),
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, "utf-8")
    command = ["benchmark", "judge", str(tmp_path / "events.jsonl"), "--model", "tiny"]
    command += ["--predictions", str(tmp_path / "outputs.jsonl"), "--base-url", server.url]
    command += ["--rubric", str(tmp_path / "rubric.txt"), "-o", str(tmp_path / "judge.jsonl")]
    assert run([*command, "--prices", "1,2"]) == 0
    out = capsys.readouterr().out
    assert "12 answers, 12 requests in this run" in out
    assert "cost 0.0014" in out
    assert Scores.read(tmp_path / "judge.jsonl").metrics == ("judge.focus", "judge.fluency")
    assert run([*command, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["asked"] == 0
    assert run([*command, "--prices", "cheap"]) == 2
