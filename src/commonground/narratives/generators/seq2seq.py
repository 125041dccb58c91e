"""Sequence-to-sequence models from the hub, such as the papers' BART, T5 and Pegasus."""

import importlib.util
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final

from commonground import models
from commonground.errors import InputError, MissingExtraError, ModelError, check_known, shortened
from commonground.narratives.generators.writer import Texts, Tokens, Written, shares, unfinished
from commonground.text import plain

DEVICES: Final = ("auto", "cpu", "cuda")
PRESETS: Final = ("papers",)

# As in papers 003 and 004: concatenated narratives, these lengths, otherwise model defaults.
MIN_TOKENS: Final = 10
MAX_TOKENS: Final = 300

# Summarisation settings that older models keep in config.json, where newer libraries ignore them.
_TASK: Final = ("num_beams", "length_penalty", "no_repeat_ngram_size", "early_stopping")
_UNBOUNDED: Final = 100_000  # tokenizers without a limit give a huge one
_DEFAULT_ROOM: Final = 1024  # tokens, if neither tokenizer nor model has a limit


class Seq2Seq:
    """A sequence-to-sequence model whose weights are safetensors; needs `[hub]`.

    Args:
        model: `bart`, `t5` or `pegasus`, a folder, or a name on the hub (`organisation/model`)
            that is already downloaded.
        device: "cpu", "cuda", or "auto" (a GPU if there is one).
        batch: Events per batch. Larger batches are faster on a GPU, but rounding may depend on
            the other events in the batch.
        preset: "papers" replays a published baseline: the narratives in the given order, and too
            long an input cut at its end.
    """

    def __init__(
        self, model: str, *, device: str = "auto", batch: int = 1, preset: str | None = None
    ) -> None:
        if batch < 1:
            raise InputError(f"batch must be at least 1, not {batch}")
        if preset is not None:
            check_known("preset of models that write", PRESETS, preset)
        self.given_order = preset == "papers"
        folder = Path(model).expanduser()
        if model not in models.WRITERS and model.count("/") != 1 and not folder.is_dir():
            raise InputError(
                f"{model}: is neither a folder nor a name on the hub (organisation/model)"
            )
        if importlib.util.find_spec("transformers") is None:
            raise MissingExtraError(f"the method {model!r}", "hub")
        located = models.locate(model) if model in models.WRITERS else models.locate_folder(model)
        self._batch = batch
        self._device = _device(device)
        self._options, self._prefix = _generation(located.folder)
        self._tokenizer, self._model = _loaded(located.folder, self._device)
        self._room = _room(self._tokenizer, self._model.config)
        # Only the last part of a path: signatures must not depend on the machine.
        name = folder.name if folder.is_dir() else model
        self._shown = f"{name}@{located.fingerprint[:8]}"

    @property
    def settings(self) -> Mapping[str, str]:
        """The model, its generation settings, libraries and device."""
        import torch
        import transformers

        beams = self._options.get("num_beams", self._model.generation_config.num_beams)
        return {
            "method": "seq2seq",
            "model": self._shown,
            **({"preset": "papers"} if self.given_order else {}),
            "tokens": f"{MIN_TOKENS}-{MAX_TOKENS}",
            "beams": str(beams or 1),
            "batch": str(self._batch),
            "lib": f"transformers-{transformers.__version__},torch-{torch.__version__}",
            "device": self._device,
            "dtype": str(self._model.dtype).removeprefix("torch."),
        }

    def write(self, events: Iterable[Texts]) -> Iterator[tuple[int, Written]]:
        """Yield a summary for each event, in batches."""
        numbered = enumerate(events)
        while batch := list(islice(numbered, self._batch)):
            written = self._written([texts for _, texts in batch])
            yield from zip((number for number, _ in batch), written, strict=True)

    def _written(self, events: Sequence[Texts]) -> list[Written]:
        import torch

        inputs, warnings = zip(*(self._input(texts) for texts in events), strict=True)
        encoded = self._tokenizer(
            list(inputs),
            return_tensors="pt",
            padding=True,
            truncation=True,
            max_length=self._room,
            return_token_type_ids=False,
        ).to(self._device)
        with torch.inference_mode():
            rows = self._model.generate(**encoded, **self._options)
        return [
            self._finished(row.tolist(), int(read.sum()), warning)
            for row, read, warning in zip(rows, encoded["attention_mask"], warnings, strict=True)
        ]

    def _finished(self, row: list[int], read: int, warning: str | None) -> Written:
        """Decode a row of tokens, without an incomplete last sentence."""
        text = self._text(row)
        # The first token only starts the decoder.
        tokens = Tokens(read, sum(token != self._tokenizer.pad_token_id for token in row[1:]))
        if self._cut_off(row[1:]):
            text, warning = unfinished(text, self._options["max_length"], warning)
        return Written(text, tokens, warning)

    def _cut_off(self, written: list[int]) -> bool:
        """Whether the text reached the length limit before its end."""
        ends = self._model.generation_config.eos_token_id
        ends = set(ends) if isinstance(ends, list) else {ends}
        end = next((index for index, token in enumerate(written) if token in ends), None)
        if end is None:
            return True
        # BART and Pegasus are forced to write the end token at the limit.
        forced = self._model.generation_config.forced_eos_token_id is not None
        return forced and end + 2 == self._options["max_length"]

    def _input(self, texts: Texts) -> tuple[str, str | None]:
        """Join the narratives; cut those that are too long, and return a warning."""
        whole = self._prefix + " ".join(" ".join(text.split()) for text in texts)
        total = len(self._tokenizer(whole, verbose=False)["input_ids"])
        if total <= self._room:
            return whole, None
        warning = f"input cut to {self._room} of {total} tokens, the limit of the model"
        if self.given_order:
            return whole, warning  # the tokenizer cuts the end
        parts = [
            self._tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"]
            for text in texts
        ]
        apart = len(texts) + 2 + len(self._tokenizer(self._prefix)["input_ids"])
        lengths = shares([len(ids) for ids in parts], self._room - apart)
        kept = [
            self._tokenizer.decode(ids[:length], skip_special_tokens=True)
            for ids, length in zip(parts, lengths, strict=True)
        ]
        return self._prefix + " ".join(kept), warning

    def _text(self, row: Any) -> str:
        text = self._tokenizer.decode(row, skip_special_tokens=True)
        # Pegasus writes <n> for a line break, which the papers replace by a space.
        return " ".join(plain(text.replace("<n>", " ")).split())


def _device(wanted: str) -> str:
    import torch

    if wanted not in DEVICES:
        raise InputError(f"--device must be one of {', '.join(DEVICES)}, not {wanted!r}")
    if wanted == "cuda" and not torch.cuda.is_available():
        raise InputError("--device cuda: torch finds no CUDA device here; take --device cpu")
    return "cuda" if wanted != "cpu" and torch.cuda.is_available() else "cpu"


def _generation(folder: Path) -> tuple[dict[str, Any], str]:
    """Return generation options and the prefix of the input (such as "summarize: ")."""
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        task = (config.get("task_specific_params") or {}).get("summarization") or {}
        if not isinstance(task, dict):
            raise ValueError
    except (OSError, ValueError, AttributeError, RecursionError):
        raise ModelError(f"{folder / 'config.json'} is missing or is not JSON") from None
    own = {} if (folder / "generation_config.json").is_file() else config
    options = {
        name: value for name in _TASK if (value := task.get(name, own.get(name))) is not None
    }
    lengths = {"min_length": MIN_TOKENS, "max_length": MAX_TOKENS, "do_sample": False}
    return options | lengths, str(task.get("prefix") or "")


def _loaded(folder: Path, device: str) -> tuple[Any, Any]:
    try:
        from transformers import AutoModelForSeq2SeqLM, AutoTokenizer
        from transformers.utils.logging import disable_progress_bar

        disable_progress_bar()
        safe = {"local_files_only": True, "trust_remote_code": False}
        tokenizer = AutoTokenizer.from_pretrained(str(folder), **safe)
        model = AutoModelForSeq2SeqLM.from_pretrained(str(folder), use_safetensors=True, **safe)
        return tokenizer, model.to(device).eval()
    except Exception as error:  # the library may raise anything
        reason = shortened(str(error)) or type(error).__name__
        raise ModelError(f"the model in {folder} does not load: {reason}") from error


def _room(tokenizer: Any, config: Any) -> int:
    """Return the maximum tokens of an input."""
    names = ("max_position_embeddings", "n_positions")
    known = [tokenizer.model_max_length, *(getattr(config, name, None) for name in names)]
    limits = [int(n) for n in known if isinstance(n, int | float) and 0 < n < _UNBOUNDED]
    return min(limits, default=_DEFAULT_ROOM)
