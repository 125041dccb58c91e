"""Random command lines: every command, with options of the right and of the wrong kind."""

import gzip
import json
import shutil
from pathlib import Path

from typer.main import get_command

from commonground import Pyramid
from commonground.cli.app import app

EXAMPLES = Path(__file__).parents[1] / "examples"
LEFT = "The dam at Alder broke on Monday. Nobody was hurt. The mayor thanked the firemen.\n"
RIGHT = "On Monday the dam at Alder broke. No one was hurt, the mayor said.\n"

# Servers run until they are stopped, and fetching needs the network.
LEFT_OUT = (("serve",), ("models", "fetch"), ("benchmark", "judge"))

NUMBERS = ("0", "-1", "1", "2", "3", "1.5", "nan", "inf", "-inf", "1e400", "9" * 400, "", "x", "٣")
WORDS = (
    "",
    " ",
    "x",
    "-",
    "--",
    "rouge",
    "sem-f1",
    "minilm",
    "words",
    "n" * 300,
    "a\nb",
    "é",
    "%s",
)
WORDS += ("../x", "rouge.rouge1.f1", "edua-g", "a=b", "1,2", "0.5,nan", ",", "cpu", "\udcff")
GOOD = ("a.txt", "b.txt", "events.jsonl", "outputs.jsonl", "pyramid.json", "scores.csv", "labels")
ODD_FILES = (
    *("missing.txt", "empty.txt", "blank.txt", "bom.txt", "utf16.txt", "latin.txt", "binary.txt"),
    *(
        "crlf.txt",
        "folder",
        "broken.link",
        "loop.link",
        "n" * 300,
        "no/such/folder/x",
        "",
        ".",
        "/",
    ),
    *("/dev/null", "damaged.jsonl.gz", "damaged.parquet", "damaged.arrow", "x.csv", "cr.csv"),
    *("deep.json", "scalar.json", "nan.jsonl", "half.jsonl", "huge.json", "nul\0.txt", "-x.txt"),
    *("emoji.txt", "long-line.txt", "config.json", "x.pyr", "bomb.xml", "one.jsonl", "\udcff.txt"),
)
OUTPUTS = ("out.jsonl", "out.json", "out.html", "out.csv", "out/", "out.exe", "folder", "a.txt")
OUTPUTS += ("no/such/folder/x", "/dev/null", "n" * 300, "", "out.parquet", "out.zip", "out.png")


# A right command line for each command; few rows and texts, since each takes time.
RIGHT_LINES = {
    "overlap": "a.txt b.txt",
    "verify": "a.txt b.txt",
    "generate": "a.txt b.txt --method extract",
    "define words": "a.txt b.txt",
    "define topics": "a.txt b.txt",
    "define facets": "a.txt b.txt",
    "define graph": "a.txt b.txt",
    "score": "--predictions one.jsonl --references events.jsonl --metric rouge",
    "pyramid build": "a.txt b.txt -o new.json",
    "pyramid show": "pyramid.json",
    "pyramid score": "pyramid.json a.txt",
    "pyramid compare": "pyramid.json pyramid.json",
    "pyramid correct": "new.json comment --summary a.txt --words Good --by T",
    "agreement correlation": "scores.csv --gold human-raw",
    "agreement systems": "scores.csv",
    "agreement compare": "scores.csv",
    "agreement labels": "labels/sentences.csv",
    "agreement references": "scores.csv",
    "agreement machine": "labels/sentences.csv --thresholds 25-75",
    "benchmark validate": "events.jsonl",
    "benchmark stats": "events.jsonl",
    "benchmark filter": "events.jsonl --words 3 -o new.jsonl",
    "benchmark import": "x.csv -o new.jsonl",
    "benchmark run": "events.jsonl --outputs outputs.jsonl --metric rouge -o run",
    "group": "a.txt b.txt -o new.jsonl",
    "models list": "--json",
    "models verify": "minilm",
}


def lay_out(folder):
    """Fill a folder with right and with odd files."""
    for name, text in {
        "a.txt": LEFT,
        "b.txt": RIGHT,
        "empty.txt": "",
        "blank.txt": " \n\t\n",
        "-x.txt": LEFT,
        "bom.txt": "\ufeff" + LEFT,
        "crlf.txt": LEFT.replace(" ", "\r\n"),
        "emoji.txt": "😀 " * 9,
        "long-line.txt": "word " * 3000,
        "x.csv": "id,text\n1,=1+1\n",
        "cr.csv": "a,b\n1\r2,3\n",
        "deep.json": "[" * 100_000,
        "scalar.json": "3",
        "nan.jsonl": '{"id": NaN}\n',
        "half.jsonl": '{"id": "a", "summ',
        "huge.json": "9" * 5000,
        "config.json": "[]",
        "x.pyr": "<Pyramid><x></Pyramid>",
        "one.jsonl": '{"id": "bridge", "summary": "Rain."}\n',
        "bomb.xml": '<!DOCTYPE a [<!ENTITY b "c"><!ENTITY d "&b;&b;">]><a>&d;</a>',
    }.items():
        (folder / name).write_text(text, encoding="utf-8", newline="")
    for name, data in {
        "utf16.txt": LEFT.encode("utf-16"),
        "latin.txt": b"caf\xe9\n",
        "binary.txt": b"\0\1" * 99,
        "damaged.jsonl.gz": gzip.compress(b"{}" * 99)[:-9],
        "damaged.parquet": b"PAR1",
        "damaged.arrow": b"ARROW1",
    }.items():
        (folder / name).write_bytes(data)
    (folder / "folder").mkdir()
    (folder / "broken.link").symlink_to("nowhere")
    (folder / "loop.link").symlink_to("loop.link")
    for name in ("events.jsonl", "outputs.jsonl", "scores.csv"):
        shutil.copy(EXAMPLES / "study" / name, folder)
    shutil.copytree(EXAMPLES / "study" / "labels", folder / "labels")
    pyramid = Pyramid.from_units(["The dam broke.", "Nobody was hurt."], [2, 1]).to_dict()
    (folder / "pyramid.json").write_text(json.dumps(pyramid))


def commands(group=None, before=()):
    """Yield every command with its words."""
    group = group or get_command(app)
    for name in group.list_commands(None):
        command = group.get_command(None, name)
        words = (*before, name)
        if hasattr(command, "list_commands"):
            yield from commands(command, words)
        elif words not in LEFT_OUT:
            yield words, command


def random_case(words, command, random):
    """Return a right command line with changes, or one of up to five options of any kind."""
    right = RIGHT_LINES.get(" ".join(words), "").split()
    if right and random.random() < 0.6:
        for _ in range(random.randrange(3)):
            right[random.randrange(len(right))] = random.choice((*ODD_FILES, *WORDS, *NUMBERS))
        return [*words, *right, *_options(command, random, random.choice((0, 1, 1, 2)))]
    arguments, line = [], [*words, *_options(command, random, random.randrange(6))]
    for argument in (one for one in command.params if one.param_type_name == "argument"):
        count = random.choice((0, 1, 1, 2, 3)) if argument.nargs == -1 else 1
        arguments += [_file(random) for _ in range(count)]
    if random.random() < 0.1:
        arguments.append(random.choice(WORDS))
    return [*line, *arguments]


def _options(command, random, count):
    """Yield some options with a value of the right or of a wrong kind."""
    options = [one for one in command.params if one.param_type_name == "option"]
    for option in random.sample(options, min(len(options), count)):
        if option.name in ("help", "engine", "address", "workers", "shard_rows", "base_url"):
            continue  # worker processes, clusters and endpoints have tests of their own
        yield random.choice(option.opts)
        if not option.is_flag:
            yield _value(option, random)


def _file(random):
    return random.choice(GOOD if random.random() < 0.6 else ODD_FILES)


def _value(option, random):
    chance = random.random()
    declared = getattr(option, "type_descriptor", None)  # of newer versions of Typer
    kind = str(declared.annotation if declared else option.type).lower()
    if chance < 0.08:
        return random.choice(WORDS)
    if "int" in kind or "float" in kind:
        return random.choice(NUMBERS)
    names = " ".join((option.name, option.help or "")).lower()
    if any(word in names for word in ("write", "output", "html", "plot", "csv")):
        return random.choice(OUTPUTS)
    if "path" in kind or "file" in kind or "file" in names or "folder" in names or "data" in names:
        return _file(random)
    return random.choice(WORDS)
