"""`commonground score` as people and scripts use it."""

import contextlib
import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

import commonground as cg
from commonground.cli import run
from commonground.metrics import Rouge, SemF1

EVENTS = [
    {
        "id": "storm",
        "references": ["A storm cut the power on Friday.", "On Friday a storm left us dark."],
    },
    {"id": "fair", "references": ["The fair opened with 300 stalls. Rain stayed away."]},
]
PREDICTIONS = [
    {"id": "storm", "summary": "The power failed on Friday in a storm."},
    {"id": "fair", "summary": "The fair opened. It has 300 stalls."},
]


@pytest.fixture
def jsonl(tmp_path):
    def write(name, rows):
        path = tmp_path / name
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        return str(path)

    return write


@pytest.fixture
def files(jsonl):
    return [
        "--predictions",
        jsonl("p.jsonl", PREDICTIONS),
        "--references",
        jsonl("d.jsonl", EVENTS),
    ]


def corpus():
    return [row["summary"] for row in PREDICTIONS], [row["references"] for row in EVENTS]


def test_json_holds_the_exact_numbers_and_nothing_else(files, capsys):
    assert run(["score", *files, "--json"]) == 0
    out, err = capsys.readouterr()
    (system,) = json.loads(out)["systems"]
    assert system["system"] is None
    assert system["items"] == 2
    assert system["sem-f1"] == SemF1().corpus(*corpus()).to_dict()
    assert system["rouge"] == Rouge().corpus(*corpus()).to_dict()
    assert err == ""


def test_the_table_rounds_and_names_the_signature(files, capsys):
    assert run(["score", *files, "--metric", "sem-f1"]) == 0
    heading, row, _, signature = capsys.readouterr().out.splitlines()
    expected = SemF1().corpus(*corpus())
    assert heading.split()[:2] == ["items", "SEM-F1"]
    assert len(heading) <= 80
    assert row.split()[:2] == ["2", f"{expected.mean.f1:.3f}"]
    assert signature == str(expected.signature)


def test_options_reach_the_measures_and_the_signatures(files, capsys):
    options = ["--stemmer", "--rouge-types", "rouge3", "--tokenizer", "unicode", "--multi", "mean"]
    assert run(["score", *files, "--metric", "rouge", *options, "--json"]) == 0
    (system,) = json.loads(capsys.readouterr().out)["systems"]
    measure = Rouge(types=("rouge3",), stemmer=True, tokenizer="unicode", multi="mean")
    assert system["rouge"] == measure.corpus(*corpus()).to_dict()
    arguments = ["--metric", "sem-f1", "--encoder", "static", "--thresholds", "60-80", "--json"]
    assert run(["score", *files, *arguments]) == 0
    (system,) = json.loads(capsys.readouterr().out)["systems"]
    expected = SemF1("static", thresholds="60-80").corpus(*corpus())
    assert system["sem-f1"] == expected.to_dict()


def test_the_encoder_may_come_from_the_environment_or_a_file(files, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "commonground.toml").write_text('encoder = "static"\n')
    arguments = ["score", *files, "--metric", "sem-f1"]
    run(arguments)
    assert "enc:static@" in capsys.readouterr().out
    monkeypatch.setenv("COMMONGROUND_ENCODER", "minilm")
    run(arguments)
    assert "enc:minilm@" in capsys.readouterr().out
    run([*arguments, "--encoder", "static"])
    assert "enc:static@" in capsys.readouterr().out


def test_systems_are_scored_apart(jsonl, files, capsys):
    both = [{**row, "system": name} for name in ("b", "a") for row in PREDICTIONS]
    both[-1]["summary"] = "Something else."
    files[1] = jsonl("both.jsonl", both)
    assert run(["score", *files, "--json"]) == 0
    first, second = json.loads(capsys.readouterr().out)["systems"]
    assert (first["system"], second["system"]) == ("b", "a")
    assert first["sem-f1"] == SemF1().corpus(*corpus()).to_dict()
    assert second["rouge"]["mean"]["rouge1"]["f1"] < first["rouge"]["mean"]["rouge1"]["f1"]


def test_per_item_rows(files, tmp_path, capsys):
    path = tmp_path / "items.jsonl"
    assert run(["score", *files, "--per-item", str(path)]) == 0
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    assert [row["id"] for row in rows] == ["storm", "fair"]
    single = cg.sem_f1(PREDICTIONS[1]["summary"], EVENTS[1]["references"])
    assert rows[1]["sem-f1"] == single.to_dict()
    rouge = cg.rouge(PREDICTIONS[1]["summary"], EVENTS[1]["references"])
    assert rows[1]["rouge"] == rouge.to_dict()


def test_events_without_prediction_are_said_on_stderr(jsonl, files, capsys):
    files[1] = jsonl("one.jsonl", PREDICTIONS[:1])
    assert run(["score", *files, "--metric", "rouge", "--json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["systems"][0]["items"] == 1
    assert err == "commonground: the predictions: 1 of 2 events; the means are over these\n"


def complaint(arguments, capsys):
    code = run(arguments)
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("commonground: ")
    assert err.count("\n") == 1
    return code, err.removeprefix("commonground: ").strip()


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([{"id": "rain", "summary": ""}], "FILE, line 1: id 'rain' is not in "),
        ([*PREDICTIONS, PREDICTIONS[0]], "FILE, line 3: duplicate id 'storm' (first in line 1)"),
        ([{"id": "storm"}], 'FILE, line 1: "summary" is missing (keys here: "id")'),
        ([], "FILE: has no predictions"),
        (
            [{**PREDICTIONS[0], "system": "s"}, PREDICTIONS[1]],
            'FILE, line 2: has no "system", though other rows have one',
        ),
    ],
)
def test_wrong_predictions(jsonl, files, capsys, tmp_path, rows, expected):
    files[1] = jsonl("wrong.jsonl", rows)
    items = tmp_path / "items.jsonl"
    code, line = complaint(["score", *files, "--per-item", str(items)], capsys)
    assert code == 2
    assert line.replace(files[1], "FILE").startswith(expected)
    assert not items.exists()


def test_a_prediction_whose_event_has_no_references(jsonl, files, capsys):
    files[3] = jsonl("bare.jsonl", [{"id": "storm", "references": []}])
    code, line = complaint(["score", *files], capsys)
    assert code == 2
    assert line == f"{files[1]}, line 1: id 'storm' has no references in {files[3]}"


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--metric", "sem-fi"], "unknown metric 'sem-fi'; did you mean 'sem-f1'?"),
        (["--encoder", "minilim"], "unknown encoder 'minilim'; did you mean 'minilm'?"),
        (["--rouge-types", "rouge1,rogueL"], "unknown"),
        (["--thresholds", "35_65"], "unknown pair of thresholds '35_65'; did you mean '35-65'?"),
        (["--thresholds", "65-35"], "thresholds 0.65 and 0.35 must be similarities"),
        (["--colour"], "No such option: --colour"),
        (
            ["--metric", "rouge", "--encoder", "static"],
            "--encoder requires a metric with an encoder",
        ),
        (["--splitter", "nltk"], "unknown splitter 'nltk'"),
    ],
)
def test_wrong_options(files, capsys, arguments, expected):
    code, line = complaint(["score", *files, *arguments], capsys)
    assert code == 2
    assert line.startswith(expected)


def test_missing_files_and_options(files, capsys, tmp_path):
    assert complaint(["score"], capsys)[0] == 2
    missing = str(tmp_path / "none.jsonl")
    code, line = complaint(["score", "--predictions", missing, *files[2:]], capsys)
    assert (code, line) == (2, f"{missing}: no such file or folder")


def test_an_output_folder_that_is_not_there_is_said_in_one_line(files, capsys, tmp_path):
    path = str(tmp_path / "none" / "items.jsonl")
    code, line = complaint(["score", *files, "--metric", "rouge", "--per-item", path], capsys)
    assert code == 2
    assert line == f"{path}: cannot be written (its folder is missing or not writable)"


def test_an_input_file_is_never_written(files, capsys):
    before = Path(files[1]).read_text()
    code, line = complaint(["score", *files, "--per-item", files[1]], capsys)
    assert (code, line) == (2, f"{files[1]}: is an input file; write to another one")
    assert Path(files[1]).read_text() == before
    assert complaint(["score", *files, "--per-item", "-"], capsys)[0] == 2


def test_no_arguments_show_the_help(capsys):
    assert run([]) == 0
    assert "score" in capsys.readouterr().out.split("Commands:")[1]


def test_debug_shows_the_traceback(tmp_path):
    with pytest.raises(cg.CommongroundError):
        run(["score", "--debug", "--predictions", "none", "--references", "none"])


def test_names_of_systems_are_shown_as_they_are(jsonl, files, capsys):
    names = ["gpt-4 [v2]", "x[/b]", "llama :smile:"]
    rows = [{**row, "system": name} for name in names for row in PREDICTIONS]
    files[1] = jsonl("names.jsonl", rows)
    assert run(["score", *files, "--metric", "rouge"]) == 0
    out = capsys.readouterr().out
    assert all(name in out for name in names)


def test_nothing_is_cut_on_a_narrow_terminal(files):
    # A pseudo-terminal of 80 columns, since a pipe has no width.
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ.update(COLUMNS="80", TERM="xterm")
        os.execv(sys.executable, [sys.executable, "-m", "commonground", "score", *files])
    shown = b""
    with contextlib.suppress(OSError):
        while part := os.read(terminal, 10_000):
            shown += part
    os.waitpid(pid, 0)
    os.close(terminal)
    assert b"SEM-F1" in shown
    assert "…".encode() not in shown


@pytest.mark.parametrize("kind", ["pipe", "link"])
def test_per_item_goes_through_pipes_and_links(files, tmp_path, kind, capsys):
    path, real = tmp_path / "items", tmp_path / "real.jsonl"
    if kind == "link":
        real.write_text("old")
        path.symlink_to(real)
        run(["score", *files, "--metric", "rouge", "--per-item", str(path)])
        assert path.is_symlink()
        assert len(real.read_text().splitlines()) == 2
    else:
        os.mkfifo(path)
        reader = subprocess.Popen(["cat", str(path)], stdout=subprocess.PIPE)
        run(["score", *files, "--metric", "rouge", "--per-item", str(path)])
        assert len(reader.communicate()[0].splitlines()) == 2


def test_version_help_and_a_reader_that_has_had_enough(files):
    command = [sys.executable, "-m", "commonground"]
    version = subprocess.run([*command, "--version"], capture_output=True, text=True, check=True)
    assert version.stdout == f"commonground {cg.__version__}\n"
    shown = subprocess.run(
        [*command, "score", "--help"], capture_output=True, text=True, check=True
    )
    assert "--per-item" in shown.stdout
    reading, writing = os.pipe()
    os.close(reading)
    child = subprocess.run(
        [*command, "score", *files, "--metric", "rouge"], stdout=writing, stderr=subprocess.PIPE
    )
    os.close(writing)
    assert (child.returncode, child.stderr) == (0, b"")


def test_folders_and_globs_are_for_the_way_out_that_takes_many(files, tmp_path, capsys):
    for name in (str(tmp_path), f"{tmp_path}/*.jsonl"):
        assert run(["score", "--predictions", name, *files[2:]]) == 2
        assert capsys.readouterr().err == (
            f"commonground: {name}: folders and globs require --output\n"
        )


def test_options_of_one_metric(tmp_path, capsys):
    rows = tmp_path / "p.jsonl"
    rows.write_text('{"id": "1", "summary": "the dams", "references": ["the dam", "the dams"]}\n')
    command = ["score", "--metric", "rouge", "--predictions", str(rows), "--json"]
    types, multi = 'rouge.types=["rouge1"]', "rouge.multi=mean"
    assert run([*command, "--option", types, "--option", multi]) == 0
    (system,) = json.loads(capsys.readouterr().out)["systems"]
    assert system["rouge"]["mean"] == {"rouge1": {"precision": 0.75, "recall": 0.75, "f1": 0.75}}
    for option, message in {
        "rouge": "--option must be METRIC.NAME=VALUE, not 'rouge'",
        "rouge.multy=mean": "unknown option of rouge 'multy'; did you mean 'multi'?",
        "rogue.multi=mean": "unknown metric 'rogue'; did you mean 'rouge'?",
        "pyramid.method=wmin": "--option pyramid.method: add --metric pyramid",
    }.items():
        assert run([*command, "--option", option]) == 2
        assert message in capsys.readouterr().err
