"""A language model behind an endpoint, asked about several events at once."""

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
        model: The model's name there.
        base_url: The endpoint, as in "https://host/v1".
        level: How much detail the prompt has, 1 to 5.
        concurrency: How many requests may be under way at once.
        max_tokens: The most that an answer may have.
        patience: How long to wait and how often to try.
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
        messages([], level)  # complains of a level that there is not
        self._model = model
        self._level = level
        self._concurrency = concurrency
        self._max_tokens = max_tokens
        self._open = partial(Endpoint, base_url, model, max_tokens=max_tokens, patience=patience)
        with closing(self._open()) as endpoint:  # complains of what is wrong before the work
            self._place = endpoint.place

    @property
    def settings(self) -> Mapping[str, str]:
        """The model, where it is, and what it is asked; a service may change without notice."""
        return {
            "method": "llm",
            "model": f"{self._model}@{self._place}",
            "prompt": f"{VERSION}-{self._level}",
            "max": str(self._max_tokens),
        }

    def write(self, events: Iterable[Texts]) -> Iterator[tuple[int, Written]]:
        """A summary for each event, as the answers come."""
        waiting, answers = enumerate(events), SimpleQueue[_Answer]()
        running, failed = 0, None
        with closing(self._open()) as endpoint:
            while True:
                while failed is None and running < self._concurrency:
                    number, texts = next(waiting, (-1, ()))
                    if number < 0:
                        break
                    asked = (endpoint, messages(texts, self._level), number, answers)
                    # A daemon: whoever interrupts the work need not wait for an answer.
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
    except Exception as error:  # raised again where the answers are read
        answers.put((number, error))
