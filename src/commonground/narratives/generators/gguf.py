"""A language model in a GGUF file on this machine, run by llama.cpp."""

import importlib.util
import logging
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any, Final

from commonground import models
from commonground.errors import InputError, MissingExtraError, ModelError, shortened
from commonground.models import sha256_of
from commonground.narratives.generators.writer import (
    DEFAULT_LEVEL,
    VERSION,
    Texts,
    Tokens,
    Written,
    answered,
    check_temperature,
    messages,
    shares,
    unfinished,
)
from commonground.settings import thread_count
from commonground.text import plain

DEFAULT_MODEL: Final = "smollm2"
_MAGIC: Final = b"GGUF"
_CONTEXT: Final = 8192  # tokens; memory grows with it
_PENALTY: Final = 1.1  # keeps small models from repeating one word for ever
_ROUNDS: Final = 4  # of shortening, since words only approximate tokens

logger = logging.getLogger(__name__)


class Gguf:
    """A GGUF file, or a name of the manifest that is one (`smollm2`); needs `[llm]`.

    Args:
        model: The file or the name.
        level: Level of detail of the prompt, 1 to 5.
        max_tokens: Maximum tokens of a summary.
        context: Maximum tokens of prompt and summary together.
        temperature: How much answers vary; 0 for the most probable one.
    """

    def __init__(
        self,
        model: str = DEFAULT_MODEL,
        *,
        level: int = DEFAULT_LEVEL,
        max_tokens: int = 300,
        context: int = _CONTEXT,
        temperature: float = 0,
    ) -> None:
        messages([], level)  # checks the level
        check_temperature(temperature)
        path, self._name, fingerprint = _needed(model)
        self._server = _loaded(path, context)
        self._shown = f"{self._name}@{fingerprint[:8]}"
        self._level = level
        self._max_tokens = max_tokens
        self._context = context
        self._temperature = temperature

    @property
    def settings(self) -> Mapping[str, str]:
        """The model and its prompt."""
        return {
            "method": "gguf",
            "model": self._shown,
            "prompt": f"{VERSION}-{self._level}",
            "max": str(self._max_tokens),
            "context": str(self._context),
            "penalty": f"{_PENALTY:g}",
            **({"temp": f"{self._temperature:g}"} if self._temperature else {}),
            "lib": f"xllamacpp-{version('xllamacpp')}",
        }

    def write(self, events: Iterable[Texts]) -> Iterator[tuple[int, Written]]:
        """Yield a summary for each event, in order."""
        for number, texts in enumerate(events):
            yield number, self._written(texts)

    def converse(
        self, conversations: Iterable[Sequence[Mapping[str, str]]], seeds: Iterable[int]
    ) -> Iterator[tuple[int, Written]]:
        """Yield the answer to each conversation by its number, in order.

        Raises:
            ModelError: A conversation does not fit the context.
        """
        for number, (conversation, seed) in enumerate(zip(conversations, seeds, strict=True)):
            reply = self._ask(conversation, seed)
            if "error" in reply:
                raise ModelError(f"{self._name}: {_message(reply['error'])}")
            text = plain(str(reply["choices"][0]["message"]["content"] or ""))
            yield number, Written(text, Tokens.of_usage(reply.get("usage")), None)

    def _written(self, texts: Texts) -> Written:
        """Write a summary; shorten narratives that exceed the context."""
        cut, reply, warning = texts, self._ask(messages(texts, self._level)), None
        for _ in range(_ROUNDS):
            if "error" not in reply:
                break
            cut = self._shorter(cut, reply["error"])
            kept, of = sum(map(_count, cut)), sum(map(_count, texts))
            warning = f"input cut to {kept} of {of} words, which fit {self._name}"
            reply = self._ask(messages(cut, self._level))
        if "error" in reply:
            raise ModelError(f"{self._name}: {_message(reply['error'])}")
        return self._finished(reply, warning)

    def _finished(self, reply: Mapping[str, Any], warning: str | None) -> Written:
        """Return the text of a reply without an incomplete last sentence."""
        choice = reply["choices"][0]
        text = plain(str(choice["message"]["content"] or ""))
        if choice.get("finish_reason") == "length":
            text, warning = unfinished(text, self._max_tokens, warning)
        return Written(answered(text), Tokens.of_usage(reply.get("usage")), warning)

    def _shorter(self, texts: Texts, error: Mapping[str, Any]) -> Texts:
        """Shorten the narratives so that prompt and summary fit the context."""
        tokens, context = error.get("n_prompt_tokens"), error.get("n_ctx")
        if not isinstance(tokens, int) or not isinstance(context, int):
            raise ModelError(f"{self._name}: {_message(error)}")
        lengths = [_count(text) for text in texts]
        prompt = sum(_count(part["content"]) for part in messages([""] * len(texts), self._level))
        words = 0.95 * (context - self._max_tokens) * (prompt + sum(lengths)) / tokens
        budget = min(int(words), prompt + sum(lengths) - 1) - prompt  # always shorter
        if budget < len(texts):
            raise ModelError(
                f"{self._name}: its context of {context} tokens is too small for the prompt"
            )
        return tuple(
            " ".join(text.split()[:share])
            for text, share in zip(texts, shares(lengths, budget), strict=True)
        )

    def _ask(self, conversation: Sequence[Mapping[str, str]], seed: int = 0) -> dict[str, Any]:
        request = {
            "messages": list(conversation),
            "max_tokens": self._max_tokens,
            "temperature": self._temperature,
            "repeat_penalty": _PENALTY,
            "seed": seed,
            "cache_prompt": False,  # a cached prompt changes the last digits
            "stream": True,
            "stream_options": {"include_usage": True},
        }
        pieces = SimpleQueue[Mapping[str, Any] | None]()
        logger.info("%s reads", self._name)

        def stream() -> None:
            try:
                self._server.handle_chat_completions(request, pieces.put)
            except Exception as error:  # becomes the reply
                pieces.put({"error": {"message": str(error)}})
            pieces.put(None)

        # In its own thread, so that Ctrl-C works at once.
        Thread(target=stream, daemon=True).start()
        text, reason, usage = "", None, None
        while (piece := pieces.get()) is not None:
            if "error" in piece:
                return {"error": piece["error"]}
            usage = piece.get("usage") or usage
            for choice in piece["choices"]:
                if not text and choice["delta"].get("content"):
                    logger.info("%s writes", self._name)
                text += choice["delta"].get("content") or ""
                reason = choice.get("finish_reason") or reason
        choice = {"message": {"content": text}, "finish_reason": reason}
        return {"choices": [choice], "usage": usage}


def _needed(model: str) -> tuple[Path, str, str]:
    """Return the result of `_file`; report a missing library and a missing file together."""
    if importlib.util.find_spec("xllamacpp") is not None:
        return _file(model)
    missing = MissingExtraError("the method gguf", "llm")
    try:
        _file(model)
    except ModelError as error:
        raise ModelError(f"{missing}; and {error}") from None
    raise missing


def _file(model: str) -> tuple[Path, str, str]:
    """Return the file, its name and its fingerprint."""
    if model in models.manifest():
        located = models.locate(model)
        return next(iter(located.paths.values())), model, located.fingerprint
    path = Path(model).expanduser()
    if not path.is_file():
        raise InputError(f"{model}: no such GGUF file (or, to be fetched first: {DEFAULT_MODEL})")
    try:
        with path.open("rb") as stream:
            if stream.read(len(_MAGIC)) != _MAGIC:
                raise ModelError(f"{path} is not a GGUF file")
        return path, path.stem, sha256_of(path)
    except OSError as error:
        raise ModelError(f"{path} cannot be read: {error.strerror}") from None


def _loaded(path: Path, context: int) -> Any:
    import xllamacpp

    settings = xllamacpp.CommonParams()
    settings.model.path = str(path)
    settings.n_ctx = context
    settings.n_parallel = 1
    settings.verbosity = -1
    settings.warmup = False
    settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = thread_count()
    # The library listens on a local port; a random key keeps others out.
    settings.api_keys = [secrets.token_hex(32)]
    try:
        return xllamacpp.Server(settings)
    except Exception as error:  # the library may raise anything
        raise ModelError(
            f"{path} does not load: it is damaged, incomplete or unknown to this llama.cpp"
        ) from error


def _count(text: str) -> int:
    return len(text.split())


def _message(error: Mapping[str, Any]) -> str:
    return shortened(str(error.get("message", error)))
