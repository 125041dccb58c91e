"""A language model behind an endpoint, asked about several events at once."""

from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

from commonground.errors import InputError
from commonground.overlap._generators._endpoint import Endpoint, Patience
from commonground.overlap._generators._prompts import DEFAULT_LEVEL, messages
from commonground.overlap._generators._writer import Texts, Written

MAX_TOKENS = 300


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
        self._endpoint = Endpoint(base_url, model, max_tokens=max_tokens, patience=patience)
        self._max_tokens = max_tokens

    @property
    def settings(self) -> Mapping[str, str]:
        """The model, where it is, and what it is asked; a service may change without notice."""
        return {
            "method": "llm",
            "model": f"{self._model}@{self._endpoint.host}",
            "prompt": f"cg1-{self._level}",
            "max": str(self._max_tokens),
        }

    def write(self, events: Iterable[Texts]) -> Iterator[tuple[int, Written]]:
        """A summary for each event, as the answers come."""
        waiting = enumerate(events)
        running: dict[Future[Written], int] = {}
        pool = ThreadPoolExecutor(self._concurrency, thread_name_prefix="commonground-llm")
        try:
            failed: BaseException | None = None
            while True:
                while failed is None and len(running) < self._concurrency:
                    number, texts = next(waiting, (-1, ()))
                    if number < 0:
                        break
                    running[pool.submit(self._ask, texts)] = number
                if not running:
                    break
                done, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in sorted(done, key=running.__getitem__):
                    number = running.pop(future)
                    error = future.exception()
                    if error is None:
                        yield number, future.result()
                    failed = failed or error
            if failed is not None:
                raise failed
        finally:
            pool.shutdown(wait=False, cancel_futures=True)

    def _ask(self, texts: Texts) -> Written:
        return self._endpoint.ask(messages(texts, self._level))
