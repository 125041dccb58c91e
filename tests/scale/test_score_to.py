"""`commonground score --output`: the rows and the means of the command that keeps all in memory."""

import gzip
import json

import pytest

from commonground.cli import run
from commonground.metrics import SemF1, intervals
from scale_stories import EVENTS, PREDICTIONS

USUAL = ["--encoder", "static"]


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


@pytest.fixture
def score(capsys):
    def scored(*arguments, code=0):
        assert run(["score", *map(str, arguments), *USUAL, "--json"]) == code
        out, err = capsys.readouterr()
        return json.loads(out) if code == 0 else err

    return scored


def read(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.mark.parametrize("more", [["--workers", 1], ["--workers", 2, "--shard-rows", 3]])
def test_the_result_is_that_of_memory(files, score, tmp_path, more):
    items, out = tmp_path / "items.jsonl", tmp_path / "out.jsonl"
    expected = score(*files, "--per-item", items)
    assert score(*files, "--output", out, *more) == expected
    by_system = sorted(read(out), key=lambda row: row["system"] != PREDICTIONS[0]["system"])
    assert by_system == read(items)
    assert [row["id"] for row in read(out)] == [row["id"] for row in PREDICTIONS]


def test_intervals_of_very_many_items_are_those_of_memory(files, score, tmp_path, monkeypatch):
    monkeypatch.setattr(intervals, "MOST_RESAMPLED", 2)
    expected = score(*files)
    assert "interval:normal" in json.dumps(expected)
    assert score(*files, "--output", tmp_path / "out.jsonl", "--shard-rows", 3) == expected


def test_predictions_may_have_their_own_references(jsonl, files, score, tmp_path):
    texts = {event["id"]: event["references"] for event in EVENTS}
    own = jsonl("own.jsonl", [{**row, "references": texts[row["id"]]} for row in PREDICTIONS])
    expected = score(*files)
    assert score("--predictions", own) == expected
    assert score("--predictions", own, "--output", tmp_path / "o.jsonl") == expected


def test_folders_globs_and_several_files(jsonl, files, score, tmp_path):
    expected = score(*files)
    (tmp_path / "day").mkdir()
    jsonl("day/a.jsonl", PREDICTIONS[:4])
    jsonl("day/b.jsonl", PREDICTIONS[4:])
    jsonl("day/_errors.jsonl", [{"no": "row"}])
    for number, names in enumerate(
        (["day"], ["day/[ab].jsonl"], ["day/a.jsonl", "day/b.jsonl"]),
    ):
        given = [word for name in names for word in ("--predictions", tmp_path / name)]
        assert score(*given, *files[2:], "--output", tmp_path / f"{number}.jsonl") == expected


@pytest.mark.parametrize("end", ["parquet", "arrow", "feather"])
def test_tables_in_and_out(files, score, tmp_path, end):
    pa = pytest.importorskip("pyarrow")
    from pyarrow import feather, parquet

    write = parquet.write_table if end == "parquet" else feather.write_feather
    tables = [tmp_path / f"p.{end}", tmp_path / f"d.{end}"]
    for path, rows in zip(tables, (PREDICTIONS, EVENTS), strict=True):
        write(pa.Table.from_pylist(rows), path)
    expected = score(*files)
    out = tmp_path / f"out.{end}"
    given = ["--predictions", tables[0], "--references", tables[1]]
    assert score(*given) == expected
    assert score(*given, "--output", out, "--shard-rows", 2, "--workers", 1) == expected
    table = parquet.read_table(out) if end == "parquet" else feather.read_table(out)
    assert table.num_rows == len(PREDICTIONS)
    first = table.slice(0, 1).to_pylist()[0]
    texts = EVENTS[0]["references"]
    single = SemF1("static").score(PREDICTIONS[0]["summary"], texts)
    assert (first["id"], first["sem-f1.f1"]) == (PREDICTIONS[0]["id"], single.f1)
    assert json.loads(first["sem-f1.sentences"])[0] == single.sentences[0].to_dict()
    assert isinstance(first["rouge.rouge1.f1"], float)


def test_shards_of_every_form(files, score, tmp_path):
    pytest.importorskip("pyarrow")
    expected = score(*files)
    for form in ("jsonl", "jsonl.gz", "parquet", "arrow"):
        out = tmp_path / form.replace(".", "-")
        given = [*files, "--output", f"{out}/", "--format", form]
        assert score(*given, "--shard-rows", 4, "--workers", 1) == expected
        assert sorted(one.name for one in out.glob("part*")) == [
            f"part-0000{number}.{form}" for number in range(2)
        ]
        assert score(*given, "--resume") == expected  # a run that ended is told again
    lines = gzip.decompress((tmp_path / "jsonl-gz" / "part-00001.jsonl.gz").read_bytes())
    assert lines == (tmp_path / "jsonl" / "part-00001.jsonl").read_bytes()


def test_packed_files_are_put_together(files, score, tmp_path):
    score(*files, "--output", tmp_path / "o.jsonl.gz", "--shard-rows", 3, "--workers", 1)
    score(*files, "--output", tmp_path / "o.jsonl", "--workers", 1)
    packed = gzip.decompress((tmp_path / "o.jsonl.gz").read_bytes())
    assert packed == (tmp_path / "o.jsonl").read_bytes()


def test_rows_that_fail_are_left_out_of_the_means(jsonl, files, score, tmp_path, capsys):
    wrong = [
        {"id": "unknown", "summary": "Nobody asked.", "system": "a"},
        {"id": "bare", "summary": "Nothing to compare with.", "system": "a"},
        {"id": "storm", "system": "a"},
        PREDICTIONS[1],
    ]
    bare = {"id": "bare", "references": []}
    files[3] = jsonl("d2.jsonl", [*EVENTS, bare])
    expected = score(*files)
    files[1] = jsonl("p2.jsonl", [*PREDICTIONS, *wrong])
    out = tmp_path / "o.jsonl"
    assert run(["score", *files, "--output", str(out), *USUAL, "--json"]) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out) == expected
    assert "4 of 11 predictions failed, the first at" in printed.err
    reasons = [row["reason"] for row in read(tmp_path / "o.jsonl.errors.jsonl")]
    assert reasons == [
        f"id 'unknown' is not in {files[3]}",
        f"id 'bare' has no references in {files[3]}",
        '"summary" is missing (keys here: "id", "system")',
        f"duplicate id '{PREDICTIONS[1]['id']}' of system "
        f"'{PREDICTIONS[1]['system']}' (first in line 2)",
    ]
    assert len(read(out)) + len(reasons) == len(PREDICTIONS) + len(wrong)
    strict = score(*files, "--output", tmp_path / "s.jsonl", "--strict", code=2)
    assert strict.startswith(f"commonground: {files[1]}, line 8: id 'unknown' is not in ")
    assert not list(tmp_path.glob("s.*"))


@pytest.mark.parametrize(
    ("kinds", "has", "other"), [("nNn", "has", "none"), ("Nnn", "has no", "one")]
)
def test_rows_with_and_without_a_system_do_not_mix(jsonl, score, tmp_path, kinds, has, other):
    rows = [
        {"id": str(number), "summary": "Rain fell.", "references": ["It rained."]}
        | ({"system": "a"} if kind == "N" else {})
        for number, kind in enumerate(kinds)
    ]
    path = jsonl("mixed.jsonl", rows)
    line = f'commonground: {path}, line 2: {has} "system", and {path}, line 1 has {other}'
    given = ["--predictions", path, "--output", tmp_path / "out.jsonl", "--workers", 1]
    assert score(*given, code=2) == f"{line}; none of 3 rows is done\n"
    assert score(*given, "--strict", code=2) == f"{line}\n"
    assert [one.name for one in tmp_path.iterdir()] == ["mixed.jsonl"]
    score("--predictions", path, code=2)  # as in memory


@pytest.mark.parametrize("which", [1, 3])
def test_results_do_not_go_where_rows_are_read(files, score, tmp_path, which):
    for name, out, how in [
        ("", "out.jsonl", "go into"),
        ("", "", "go into"),
        ("[dp]*.jsonl", "picked.jsonl", "be among"),
        ("[dp]*.jsonl", "", "be among"),
        ("**/[dp]*.jsonl", "new/", "be among"),
    ]:
        read, output = tmp_path / name, tmp_path / out
        told = score(*files[:which], read, *files[which + 1 :], "--output", output, code=2)
        assert f"{output}: results cannot {how} {read}, which is an input" in told
    assert len(list(tmp_path.iterdir())) == 2


def test_without_references_it_says_how_to_give_them(files, score, tmp_path):
    told = score(*files[:2], "--output", tmp_path / "out.jsonl", code=1)
    assert 'there is no --references, and "references" is missing' in told
    assert (tmp_path / "out.jsonl").read_bytes() == b""


def test_a_data_set_that_is_wrong_ends_the_run(jsonl, files, score, tmp_path):
    files[3] = jsonl("d3.jsonl", [*EVENTS, EVENTS[0]])
    told = score(*files, "--output", tmp_path / "o.jsonl", code=2)
    assert "duplicate id 'storm' (first in line 1)" in told
    assert not list(tmp_path.glob("o.*"))


@pytest.mark.parametrize("letter", ["\u2028", "\u2029", "\x85", "\U0001f600"])
def test_ids_of_any_letters(jsonl, score, tmp_path, letter):
    own = [{"id": f"a{letter}b", "summary": "It rained.", "references": ["Rain fell."]}]
    given = jsonl("own.jsonl", [*own, {"id": f"c{letter}d"}])
    score("--predictions", given, "--output", tmp_path / "o/")
    assert [json.loads(line)["id"] for line in (tmp_path / "o/part-00000.jsonl").open("rb")] == [
        f"a{letter}b"
    ]
    assert [json.loads(line)["id"] for line in (tmp_path / "o/_errors.jsonl").open("rb")] == [
        f"c{letter}d"
    ]


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (["--per-item", "i.jsonl", "--output", "o.jsonl"], "write the same rows"),
        (["--workers", "2"], "--workers requires --output"),
        (["--resume"], "--resume requires --output"),
        (["--format", "parquet"], "--format requires --output"),
        (["--output", "o.txt"], "a file name must end in"),
        (["--output", "o.jsonl", "--engine", "spark"], "unknown engine 'spark'"),
        (["--output", "o.jsonl", "--shard-rows", "0"], "--shard-rows must be 1 or more"),
        (["--output", "p.jsonl"], "is an input file"),
        (["--predictions", "none-*.jsonl", "--output", "o.jsonl"], "matches no file"),
    ],
)
def test_wrong_options_are_one_line(files, score, tmp_path, monkeypatch, more, told):
    monkeypatch.chdir(tmp_path)
    line = score(*files, *more, code=2)
    assert told in line and line.count("\n") == 1
    assert {one.name for one in tmp_path.iterdir()} == {"p.jsonl", "d.jsonl"}


def test_other_settings_are_not_mixed_in(files, score, tmp_path):
    given = [*files, "--output", f"{tmp_path}/o/", "--shard-rows", 3, "--workers", 1]
    score(*given)
    told = score(*given, "--resume", "--thresholds", "45-75", code=2)
    assert "other settings (sem-f1.labels 35-65, now 45-75)" in told
    told = score(*given, "--resume", "--stemmer", code=2)
    assert "other settings (rouge.stem no, now porter)" in told


def test_nothing_of_the_user_is_lost(jsonl, files, score, tmp_path):
    rows = [{**PREDICTIONS[0], "references": ["It rained."]}]
    failed = jsonl("o.jsonl.errors.jsonl", rows)
    told = score("--predictions", failed, "--output", tmp_path / "o.jsonl", code=2)
    assert "o.jsonl.errors.jsonl: is an input file" in told
    assert read(tmp_path / "o.jsonl.errors.jsonl") == rows
    notes = jsonl("notes.jsonl", [{"my": "notes"}])
    assert "--overwrite replaces it" in score(*files, "--output", notes, code=2)
    assert read(tmp_path / "notes.jsonl") == [{"my": "notes"}]
    score(*files, "--output", notes, "--overwrite")
    assert len(read(tmp_path / "notes.jsonl")) == len(PREDICTIONS)
