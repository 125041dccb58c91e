"""BART, T5 and Pegasus as generators, tiny and with random weights, built on the spot."""

import json
import shutil

import pytest
import torch
import transformers
from tokenizers import Tokenizer, models, pre_tokenizers, processors, trainers
from tokenizers import decoders as decoding

from commonground.cli import run
from commonground.errors import InputError, ModelError
from commonground.narratives.generators import Generator, Seq2Seq
from commonground.narratives.generators.seq2seq import MAX_TOKENS

LEFT = "The ferry ran aground on Saturday. Its captain resigned a day later."
RIGHT = "On Saturday a ferry ran aground off the harbour. Nobody was hurt."
STORIES = [
    LEFT,
    RIGHT,
    "Schools were closed on Monday because the river had risen by two metres overnight.",
    "summarize: the mayor opened the bridge and thanked the workers for their patience.",
]
SPECIAL = ["<pad>", "</s>", "<unk>", "<s>"]
ROOM = 128


@pytest.fixture(scope="module", autouse=True)
def one_thread():
    """Tiny products are not worth a second thread."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(autouse=True)
def short(monkeypatch):
    """Random models do not stop by themselves."""
    monkeypatch.setattr("commonground.narratives.generators.seq2seq.MAX_TOKENS", 40)


def tokenizer_of(kind):
    """Byte pairs for BART, a unigram model for the others, trained on a few sentences."""
    if kind == "bart":
        found = Tokenizer(models.BPE(unk_token="<unk>"))
        found.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        found.decoder = decoding.ByteLevel()
        alphabet = pre_tokenizers.ByteLevel.alphabet()
        trainer = trainers.BpeTrainer(
            vocab_size=400, special_tokens=SPECIAL, initial_alphabet=alphabet, show_progress=False
        )
    else:
        found = Tokenizer(models.Unigram())
        found.pre_tokenizer = pre_tokenizers.Metaspace()
        found.decoder = decoding.Metaspace()
        trainer = trainers.UnigramTrainer(
            vocab_size=120, special_tokens=SPECIAL, unk_token="<unk>", show_progress=False
        )
    found.train_from_iterator(STORIES, trainer)
    start = "<s> $A </s>" if kind == "bart" else "$A </s>"
    marks = [(mark, found.token_to_id(mark)) for mark in ("<s>", "</s>")]
    found.post_processor = processors.TemplateProcessing(single=start, special_tokens=marks)
    found.add_tokens(["<n>"])
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=found,
        model_max_length=ROOM,
        pad_token="<pad>",
        eos_token="</s>",
        unk_token="<unk>",
        bos_token="<s>",
    )


def model_of(kind, vocabulary):
    torch.manual_seed(1)
    marks = {
        "vocab_size": vocabulary,
        "pad_token_id": 0,
        "eos_token_id": 1,
        "decoder_start_token_id": 0,
    }
    tall = {
        "d_model": 32,
        "encoder_layers": 1,
        "decoder_layers": 1,
        "encoder_attention_heads": 2,
        "decoder_attention_heads": 2,
        "encoder_ffn_dim": 32,
        "decoder_ffn_dim": 32,
        "max_position_embeddings": 512,
        "bos_token_id": 3,
        "forced_eos_token_id": 1,
    }
    if kind == "bart":
        config = transformers.BartConfig(**marks, **tall)
        return transformers.BartForConditionalGeneration(config)
    if kind == "pegasus":
        config = transformers.PegasusConfig(**marks, **tall)
        return transformers.PegasusForConditionalGeneration(config)
    config = transformers.T5Config(
        **marks, d_model=32, d_kv=16, d_ff=32, num_layers=1, num_heads=2, n_positions=ROOM
    )
    return transformers.T5ForConditionalGeneration(config)


def saved(kind, folder):
    tokenizer = tokenizer_of(kind)
    tokenizer.save_pretrained(folder)
    model_of(kind, len(tokenizer)).eval().save_pretrained(folder)
    if kind == "t5":
        # As the T5 of the papers keeps it.
        path = folder / "config.json"
        config = json.loads(path.read_text())
        config["task_specific_params"] = {
            "summarization": {"prefix": "summarize: ", "num_beams": 2, "max_length": 200}
        }
        path.write_text(json.dumps(config))
    return folder


@pytest.fixture(scope="module", params=["bart", "t5", "pegasus"])
def folder(request, tmp_path_factory):
    return saved(request.param, tmp_path_factory.mktemp("models") / request.param)


@pytest.fixture(scope="module")
def bart(tmp_path_factory):
    return saved("bart", tmp_path_factory.mktemp("one") / "bart")


@pytest.fixture
def files(tmp_path):
    for name, text in (("left.txt", LEFT), ("right.txt", RIGHT)):
        (tmp_path / name).write_text(text)
    return [str(tmp_path / name) for name in ("left.txt", "right.txt")]


def written(writer, *events):
    return [one for _, one in sorted(writer.write(events))]


def test_it_writes_with_the_papers_lengths(folder):
    writer = Seq2Seq(str(folder), device="cpu")
    assert (writer._options["min_length"], MAX_TOKENS) == (10, 300)
    (found,) = written(writer, (LEFT, RIGHT))
    # The library counts the token that starts the decoder.
    assert 9 <= found.tokens.written <= 39
    assert "<n>" not in found.text
    assert found.warning and "cut off at 40 tokens" in found.warning


def test_it_writes_what_the_library_writes(folder):
    writer = Seq2Seq(str(folder), device="cpu")
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModelForSeq2SeqLM.from_pretrained(folder).eval()
    t5 = folder.name == "t5"
    text = ("summarize: " if t5 else "") + f"{LEFT} {RIGHT}"
    ids = tokenizer(text, return_tensors="pt", return_token_type_ids=False)
    beams = {"num_beams": 2} if t5 else {}
    rows = model.generate(**ids, min_length=10, max_length=40, do_sample=False, **beams)
    expected = tokenizer.decode(rows[0], skip_special_tokens=True).replace("<n>", " ")
    (found,) = written(writer, (LEFT, RIGHT))
    assert found.text == " ".join(expected.split())
    assert writer.settings["beams"] == ("2" if t5 else "1")


def test_the_order_of_narratives_changes_nothing(folder):
    generator = Generator(Seq2Seq(str(folder), device="cpu"), verify="off")
    one, other = generator.find([LEFT, RIGHT]), generator.find([RIGHT, LEFT])
    assert (one.generated, one.signature) == (other.generated, other.signature)
    assert f"|method:seq2seq|model:{folder.name}@" in str(one.signature)


def test_too_long_an_input_is_cut_fairly_and_visibly(folder):
    writer = Seq2Seq(str(folder), device="cpu")
    text, warning = writer._input((" ".join([LEFT] * 40), RIGHT))
    assert warning and f"input cut to {ROOM} of" in warning
    assert len(writer._tokenizer(text)["input_ids"]) <= ROOM
    assert "ferry ran" in text.replace("  ", " ") and "off" in text
    with pytest.warns(UserWarning, match="input cut to"):
        Generator(writer, verify="off").find([" ".join([LEFT] * 40), RIGHT])


def test_the_papers_preset_keeps_the_order_and_cuts_the_end(folder):
    writer = Seq2Seq(str(folder), device="cpu", preset="papers")
    text, warning = writer._input((" ".join([LEFT] * 40), RIGHT))
    assert text.endswith(RIGHT)
    assert f"input cut to {ROOM} of" in warning
    generator = Generator(writer, verify="off")
    assert "|preset:papers|" in str(generator.find([RIGHT, LEFT]).signature)
    plain = Seq2Seq(str(folder), device="cpu")
    (given,) = written(plain, (RIGHT, LEFT))
    assert generator.find([RIGHT, LEFT]).generated == given.text
    with pytest.raises(InputError, match="unknown preset of models that write 'paper'"):
        Seq2Seq(str(folder), preset="paper")


def test_a_text_without_an_end_loses_its_last_sentence(folder):
    writer = Seq2Seq(str(folder), device="cpu")
    ids = writer._tokenizer("Nobody was hurt. The ferry ran", add_special_tokens=False)["input_ids"]
    row = [0, *ids, *[ids[-1]] * (39 - len(ids))]
    whole = writer._text(row)
    assert whole.startswith("Nobody was hurt. The ferry ran")
    found = writer._finished(row, 9, "input cut")
    assert found.text == "Nobody was hurt."
    assert found.warning.startswith("input cut; the model was cut off at 40 tokens; its last")
    # T5 writes the end at the last place because it is there, the others because they must.
    forced = writer._finished([*row[:-1], 1], 9, None)
    assert (forced.warning is None) == (folder.name == "t5")
    ended = writer._finished([*row[:20], 1, 0, 0], 9, None)
    assert ended.warning is None and ended.text == writer._text(row[:20])


def test_the_signature_names_what_computes(bart):
    settings = Seq2Seq(str(bart), device="cpu", batch=2).settings
    assert settings["lib"] == f"transformers-{transformers.__version__},torch-{torch.__version__}"
    assert (settings["device"], settings["dtype"], settings["batch"]) == ("cpu", "float32", "2")


def test_batches_write_what_single_events_do(bart):
    events = [(LEFT, RIGHT), (STORIES[2], STORIES[3]), (RIGHT, STORIES[2])]
    alone = written(Seq2Seq(str(bart), device="cpu"), *events)
    together = written(Seq2Seq(str(bart), device="cpu", batch=2), *events)
    assert [one.text for one in together] == [one.text for one in alone]
    assert [one.tokens.read for one in together] == [one.tokens.read for one in alone]


def test_line_breaks_of_pegasus_become_blanks(bart):
    writer = Seq2Seq(str(bart), device="cpu")
    ids = writer._tokenizer("The ferry ran aground.<n>Nobody was hurt.")["input_ids"]
    assert writer._text(ids) == "The ferry ran aground. Nobody was hurt."


def test_a_data_set_from_the_command_line(bart, tmp_path, capsys):
    source, out = tmp_path / "events.jsonl", tmp_path / "out.jsonl"
    pair = [{"text": LEFT}, {"text": " ".join([RIGHT] * 40)}]
    rows = [{"id": str(number), "narratives": pair} for number in range(3)]
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    words = ["--input", str(source), "--output", str(out), "--device", "cpu", "--batch", "2"]
    assert run(["generate", "--method", str(bart), *words]) == 0
    found = [json.loads(line) for line in out.read_text().splitlines()]
    assert [row["id"] for row in found] == ["0", "1", "2"]
    assert all(row["generated"] and row["statements"] + row["dropped"] for row in found)
    assert "warning:" in capsys.readouterr().err


@pytest.mark.parametrize("missing", ["config.json", "model.safetensors", "tokenizer.json"])
def test_a_folder_with_a_file_missing_is_one_line(bart, tmp_path, files, capsys, missing):
    copy = tmp_path / "bart"
    shutil.copytree(bart, copy)
    (copy / missing).unlink()
    with pytest.raises(ModelError) as caught:
        Seq2Seq(str(copy), device="cpu")
    assert "\n" not in str(caught.value) and str(copy) in str(caught.value)
    assert run(["generate", *files, "--method", str(copy)]) == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_weights_cut_short_are_one_line(bart, tmp_path):
    copy = tmp_path / "bart"
    shutil.copytree(bart, copy)
    weights = copy / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:1000])
    with pytest.raises(ModelError, match="does not load") as caught:
        Seq2Seq(str(copy), device="cpu")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["bart", "t5", "pegasus"])
def test_the_papers_models_say_how_they_are_fetched(name, files, capsys, monkeypatch, tmp_path):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    assert run(["generate", *files, "--method", name]) == 1
    assert f"commonground models fetch {name} --hub" in capsys.readouterr().err


def test_devices(bart):
    with pytest.raises(InputError, match="--device must be one of"):
        Seq2Seq(str(bart), device="tpu")
    if not torch.cuda.is_available():
        with pytest.raises(InputError, match="no CUDA device"):
            Seq2Seq(str(bart), device="cuda")
    with pytest.raises(InputError, match="batch must be at least 1"):
        Seq2Seq(str(bart), batch=0)
