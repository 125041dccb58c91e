"""The `scores_dicts` of REALSumm's repository (neulab/REALSumm), read without running code.

They are pickles of plain values and NumPy numbers. Only these are accepted: a pickle that names any
other class or function is refused, so that reading one cannot run code.
"""

import pickle
import struct
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from commonground.errors import InputError

HUMAN: Final = "litepyramid_recall"
_FOLDER: Final = "scores_dicts"
_NUMBERS: Final = {"f8": "<d", "f4": "<f", "i8": "<q", "i4": "<i"}


def scores_files(path: Path) -> list[Path]:
    """Return the pickles of a file, of the folder `scores_dicts`, or of the repository."""
    if path.is_file():
        return [path] if path.suffix == ".pkl" else []
    return sorted(path.glob("*.pkl")) or sorted((path / _FOLDER).glob("*.pkl"))


def read_scores_dict(path: Path) -> Iterator[tuple[str, str, dict[str, str], dict[str, float]]]:
    """Yield for each document its id, its reference, and texts and human scores by system.

    A system is named after the file and its outputs (`abs_bart_out`), since both files have a
    system of the same name.

    Raises:
        InputError: The file is damaged, names code, or has another form.
    """
    try:
        with path.open("rb") as stream:
            documents = _PlainUnpickler(stream).load()
        for key, document in documents.items():
            systems = {
                f"{path.stem}_{name.removesuffix('.txt')}": one
                for name, one in document["system_summaries"].items()
            }
            yield (
                str(key),
                document["ref_summ"],
                {name: one["system_summary"] for name, one in systems.items()},
                {name: float(one["scores"][HUMAN]) for name, one in systems.items()},
            )
    except _CodeError as error:
        raise InputError(f"{path}: is refused, because it names code ({error})") from None
    except (pickle.UnpicklingError, EOFError, struct.error, IndexError):
        raise InputError(f"{path}: is damaged, or not a pickle") from None
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise InputError(f"{path}: does not have the published form ({error})") from None


class _CodeError(Exception):
    """A pickle names a class or function that is not a number of NumPy."""


class _Dtype:
    """The type of a NumPy number, by its name."""

    def __init__(self, name: str, *_: object) -> None:
        self.form = _NUMBERS[name]

    def __setstate__(self, state: object) -> None:
        """Accept the byte order and the like; all numbers here are little-endian."""


def _scalar(kind: _Dtype, content: bytes) -> float:
    return float(struct.unpack(kind.form, content)[0])


class _PlainUnpickler(pickle.Unpickler):
    _KNOWN: Final[Mapping[str, Any]] = {
        "numpy.dtype": _Dtype,
        "numpy.core.multiarray.scalar": _scalar,
        "numpy._core.multiarray.scalar": _scalar,
    }

    def find_class(self, module: str, name: str) -> Any:
        full = f"{module}.{name}"
        if full not in self._KNOWN:
            raise _CodeError(full)
        return self._KNOWN[full]
