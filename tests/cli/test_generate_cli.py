"""`commonground generate --method llm` against a server that misbehaves; other models' errors."""

import importlib.util
import json

import anyio.lowlevel
import pytest

from commonground.cli import run
from llm_server import SECRET, LlmServer

LEFT = "The ferry ran aground on Saturday. Its captain resigned a day later."
RIGHT = "On Saturday a ferry ran aground off the harbour. Nobody was hurt."
ANSWER = "The ferry ran aground on Saturday. The captain resigned."
KEPT = "The ferry ran aground on Saturday."


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setenv("COMMONGROUND_API_KEY", SECRET)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with LlmServer().running() as found:
        found.answer = lambda messages: ANSWER
        yield found


@pytest.fixture
def llm(server):
    return ["generate", "--method", "llm", "--model", "tiny", "--base-url", server.url]


@pytest.fixture
def files(tmp_path):
    paths = []
    for name, text in (("left.txt", LEFT), ("right.txt", RIGHT)):
        (tmp_path / name).write_text(text)
        paths.append(str(tmp_path / name))
    return paths


@pytest.fixture
def events(tmp_path):
    path = tmp_path / "events.jsonl"
    pair = [{"source": "left", "text": LEFT}, {"source": "right", "text": RIGHT}]
    rows = [{"id": f"e{number}", "narratives": pair} for number in range(5)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


def test_a_summary_is_written_verified_and_paid_for(llm, files, capsys):
    assert run([*llm, *files, "--price", "10", "100"]) == 0
    printed = capsys.readouterr()
    assert printed.out.splitlines()[:4] == [
        KEPT,
        "",
        "Dropped:",
        "- The captain resigned. [not found in right.txt]",
    ]
    assert "100 tokens read, 7 written, cost 0.0017" in printed.err


def test_the_old_spelling_gives_the_same(llm, files, capsys):
    assert run([*llm, *files, "--json", "--level", "5"]) == 0
    new = capsys.readouterr()
    assert run(["overlap", *llm[1:], *files, "--json", "--level", "5"]) == 0
    old = capsys.readouterr()
    assert (old.out, new.err) == (new.out, "")
    assert "use commonground generate --method llm\n" in old.err


def test_json_is_one_object(llm, files, capsys):
    assert run([*llm, *files, "--json", "--verify", "flag", "--level", "5"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["summary"] == ANSWER
    assert found["dropped"][0]["text"] == "The captain resigned."
    assert "|prompt:cg2-5|" in found["signature"]


def test_the_order_of_files_changes_nothing_that_is_asked(llm, files, server):
    assert run([*llm, *files, "--verify", "off"]) == run([*llm, *files[::-1], "--verify", "off"])
    assert server.requests[0] == server.requests[1]


def test_a_data_set_is_written_with_totals(llm, events, tmp_path, capsys):
    out = tmp_path / "out.jsonl"
    assert run([*llm, "--input", events, "--output", str(out)]) == 0
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert sorted(row["id"] for row in rows) == ["e0", "e1", "e2", "e3", "e4"]
    assert {row["summary"] for row in rows} == {KEPT}
    assert "5 events; 500 tokens read, 35 written" in capsys.readouterr().err
    assert SECRET not in out.read_text()


def test_what_was_written_is_a_system_of_a_benchmark(llm, tmp_path):
    source, out, study = tmp_path / "events.jsonl", tmp_path / "tiny.jsonl", tmp_path / "run"
    event = {"narratives": [{"text": LEFT}, {"text": RIGHT}], "references": [KEPT]}
    source.write_text(json.dumps({"id": "e0", **event}) + "\n")
    assert run([*llm, "--input", str(source), "--output", str(out)]) == 0
    words = ["benchmark", "run", str(source), "--output", str(study), "--predictions", str(out)]
    assert run([*words, "--metric", "rouge"]) == 0
    assert json.loads((study / "outputs.jsonl").read_text()) == {
        "id": "e0",
        "system": "tiny",
        "summary": KEPT,
    }
    scores = [json.loads(line) for line in (study / "scores" / "rouge.jsonl").open()]
    assert {row["value"] for row in scores if row["system"] == "tiny"} == {1.0}


@pytest.mark.parametrize("trouble", ["401", "429", "500", "half", "garbage", "drop", "hang"])
def test_what_is_done_is_kept_and_gone_on_with(llm, events, tmp_path, server, capsys, trouble):
    out = tmp_path / "out.jsonl"
    server.script, server.usual = ["fine", "fine"], trouble
    work = [*llm, "--input", events, "--output", str(out), "--concurrency", "1", "--verify", "off"]
    patience = ["--retries", "0", "--timeout", "2" if trouble == "hang" else "60"]
    assert run([*work, *patience]) == 1
    line = capsys.readouterr().err
    assert line.count("\n") == 1
    assert line.endswith("2 of 5 events are done, in out.jsonl.part; continue with --resume\n")
    assert SECRET not in line and not out.exists()
    server.usual = "fine"
    before = len(server.requests)
    assert run([*work, "--resume"]) == 0
    assert len(server.requests) - before == 3
    rows = [json.loads(line)["id"] for line in out.read_text().splitlines()]
    assert sorted(rows) == ["e0", "e1", "e2", "e3", "e4"]
    assert "5 events, 3 of them new; 500 tokens read" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "difference"),
    [
        (["--level", "5"], "prompt cg2-4, now cg2-5"),
        (["--verify", "flag"], "verify drop, now flag"),
        (["--model", "huge"], "model tiny@"),
    ],
)
def test_rows_of_other_settings_are_not_mixed_in(
    llm, events, tmp_path, server, capsys, options, difference
):
    out, part = tmp_path / "out.jsonl", tmp_path / "out.jsonl.part"
    server.script, server.usual = ["fine", "fine"], "401"
    work = [*llm, "--input", events, "--output", str(out), "--concurrency", "1"]
    assert run([*work, "--retries", "0"]) == 1
    capsys.readouterr()
    server.usual = "fine"
    before, asked = part.read_bytes(), len(server.requests)
    assert run([*work, "--resume", *options]) == 2
    line = capsys.readouterr().err
    assert f"{out}: was started with other settings ({difference}" in line and line.count("\n") == 1
    assert part.read_bytes() == before and len(server.requests) == asked
    assert run([*work, "--resume"]) == 0
    assert len(out.read_text().splitlines()) == 5


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--method", "llm", "--model", "m"], "requires --base-url"),
        (["--method", "llm", "--model", "m", "--base-url", "nowhere"], "must be an address"),
        (["--method", "gguf", "--base-url", "http://h/v1"], "--base-url requires --method llm"),
        (["--method", "bart", "--level", "3"], "--level requires --method llm or gguf"),
        (["--method", "llm", "--device", "cpu"], "--device requires hub models"),
        (["--verify", "drop"], "Missing option '--method'"),
        (["--method", "gguf", "--model", "none.gguf"], "none.gguf: no such GGUF file"),
        (["--method", "gguf", "--at-least", "2"], "No such option: --at-least"),
        (["--method", "brat"], "did you mean 'bart'"),
        (["--method", "words"], "unknown method 'words'"),
        (["--method", "bart", "--resume"], "--resume requires --input"),
        (["--method", "llm", "--html", "x.html"], "No such option: --html"),
    ],
)
def test_wrong_options_are_one_line(words, told, files, capsys, monkeypatch):
    monkeypatch.setenv("COMMONGROUND_API_KEY", SECRET)
    assert run(["generate", *files, *words]) == 2
    printed = capsys.readouterr()
    assert told in printed.err and printed.err.count("\n") == 1 and not printed.out


@pytest.mark.parametrize("folder", ["the", "method", "methods", "and"])
def test_a_folder_takes_no_option_of_another_method(folder, files, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / folder).mkdir()
    assert run(["generate", *files, "--method", folder, "--model", "m"]) == 2
    assert capsys.readouterr().err.endswith("--model requires --method llm or gguf\n")


def test_a_key_that_no_header_takes_is_not_printed(llm, files, capsys, monkeypatch):
    monkeypatch.setenv("COMMONGROUND_API_KEY", "first-half\nsecond-half")
    assert run([*llm, *files]) == 2
    line = capsys.readouterr().err
    assert "half" not in line and line.count("\n") == 1


def test_a_cut_off_answer_is_a_warning(llm, files, server, capsys):
    server.usual, server.answer = "cut", lambda messages: f"{KEPT} Its captain had"
    assert run([*llm, *files, "--json"]) == 0
    printed = capsys.readouterr()
    assert "warning: the model was cut off at 300 tokens" in printed.err
    found = json.loads(printed.out)
    assert found["generated"] == found["summary"] == KEPT
    assert "cut off" in found["warning"]


def test_an_empty_answer_is_no_result(llm, events, files, tmp_path, server, capsys):
    out = tmp_path / "out.jsonl"
    server.messages = [{"content": ANSWER}, {"content": ""}, {"content": None}]
    work = [*llm, "--input", events, "--output", str(out), "--concurrency", "1", "--verify", "off"]
    assert run([*work, "--retries", "0"]) == 1
    line = capsys.readouterr().err
    assert "answered without a text" in line and line.count("\n") == 1
    assert line.endswith("1 of 5 events are done, in out.jsonl.part; continue with --resume\n")
    assert run([*llm, *files, "--retries", "0"]) == 1
    assert "answered without a text" in capsys.readouterr().err
    assert run([*work, "--resume"]) == 0
    assert len(out.read_text().splitlines()) == 5


def test_a_long_wait_is_told_of(llm, files, server, capsys, monkeypatch):
    monkeypatch.setattr(anyio, "sleep", lambda _: anyio.lowlevel.checkpoint())
    server.script, server.retry_after = ["429"], "30"
    assert run([*llm, *files]) == 0
    assert "answered 429" in (err := capsys.readouterr().err)
    assert "; waiting 30 s, as the endpoint asks\n" in err


def test_no_key_is_one_line(files, capsys, monkeypatch):
    for name in ("COMMONGROUND_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    words = ["--method", "llm", "--model", "m", "--base-url", "http://127.0.0.1:9/v1"]
    assert run(["generate", *files, *words]) == 2
    assert "no key for the endpoint" in capsys.readouterr().err


def test_a_file_that_is_no_gguf(files, tmp_path, capsys):
    path = tmp_path / "model.gguf"
    path.write_text("weights, honestly")
    assert run(["generate", *files, "--method", "gguf", "--model", str(path)]) == 1
    assert "is not a GGUF file" in capsys.readouterr().err


def test_smollm2_says_all_that_it_needs_at_once(files, capsys, monkeypatch):
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name == "xllamacpp" else find(name)
    )
    assert run(["generate", *files, "--method", "gguf"]) == 1
    line = capsys.readouterr().err
    assert "commonground models fetch smollm2" in line and "commonground[llm]" in line
    assert line.count("\n") == 1


def test_an_event_with_one_narrative_is_named(llm, tmp_path, capsys):
    path = tmp_path / "events.jsonl"
    path.write_text('{"id": "lone", "narratives": [{"text": "One."}]}\n')
    assert run([*llm, "--input", str(path), "--output", str(tmp_path / "o.jsonl")]) == 2
    assert f'{path}, line 1: "narratives" has 1, but at least 2' in capsys.readouterr().err
