"""A language model behind an endpoint, with concurrent requests."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from queue import SimpleQueue
from threading import Thread
from typing import TypeAlias

from commonground.errors import InputError
from commonground.narratives.generators.endpoint import Endpoint, Patience
from commonground.narratives.generators.prompts import DEFAULT_LEVEL, VERSION, messages
from commonground.narratives.generators.writer import Texts, Written

MAX_TOKENS = 300

_Answer: TypeAlias = tuple[int, Written | Exception]


class Llm:
    """Any OpenAI-compatible endpoint; needs `[llm]`, and the key from the environment.

    Args:
        model: Name of the model at the endpoint.
        base_url: The endpoint, as in "https://host/v1".
        level: Level of detail of the prompt, 1 to 5.
        concurrency: Maximum concurrent requests.
        max_tokens: Maximum tokens of an answer.
        patience: Timeout and number of retries.
    """

    def __init__(
        self,
        model: str,
        base_url: str,
        *,
        level: int = DEFAULT_LEVEL,
        concurrency: int = 4,
        max_tokens: int = MAX_TOKENS,
        patience: Patience | None = None,
    ) -> None:
        if concurrency < 1:
            raise InputError(f"concurrency must be at least 1, not {concurrency}")
        messages([], level)  # checks the level
        self._model = model
        self._level = level
        self._concurrency = concurrency
        self._max_tokens = max_tokens
        self._open = partial(Endpoint, base_url, model, max_tokens=max_tokens, patience=patience)
        with closing(self._open()) as endpoint:  # raises for wrong settings at once
            self._place = endpoint.place

    @property
    def settings(self) -> Mapping[str, str]:
        """The model, its endpoint and its prompt; a service may change without notice."""
        return {
            "method": "llm",
            "model": f"{self._model}@{self._place}",
            "prompt": f"{VERSION}-{self._level}",
            "max": str(self._max_tokens),
        }

    def write(self, events: Iterable[Texts]) -> Iterator[tuple[int, Written]]:
        """Yield a summary for each event, as answers arrive."""
        waiting, answers = enumerate(events), SimpleQueue[_Answer]()
        running, failed = 0, None
        with closing(self._open()) as endpoint:
            while True:
                while failed is None and running < self._concurrency:
                    number, texts = next(waiting, (-1, ()))
                    if number < 0:
                        break
                    asked = (endpoint, messages(texts, self._level), number, answers)
                    # A daemon, so that an interrupt need not wait for the answer.
                    Thread(target=_ask, args=asked, daemon=True).start()
                    running += 1
                if not running:
                    break
                number, answer = answers.get()
                running -= 1
                if isinstance(answer, Written):
                    yield number, answer
                else:
                    failed = failed or answer
        if failed is not None:
            raise failed


def _ask(
    endpoint: Endpoint,
    conversation: Sequence[Mapping[str, str]],
    number: int,
    answers: SimpleQueue[_Answer],
) -> None:
    try:
        answers.put((number, endpoint.ask(conversation)))
    except Exception as error:  # raised again by `write`
        answers.put((number, error))
