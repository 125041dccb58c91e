"""Open a pyramid file of any format: our JSON, DUCView, PyrEval."""

from pathlib import Path
from typing import Final

from commonground.io import read_json
from commonground.pyramid.formats import ducview, json_file, pyreval
from commonground.pyramid.formats.xml import read_xml
from commonground.pyramid.pyramid import Pyramid

_XML: Final = (".pyr", ".pan")


def read_pyramid(path: str | Path) -> Pyramid:
    """Read a pyramid; its content tells the format, then the suffix.

    `.pyr` and `.pan` are XML: of PyrEval if the root is `<Pyramid>`, otherwise of DUCView.

    Raises:
        InputError: The file is missing, damaged, or of another kind.
    """
    path = Path(path)
    start = _start(path)
    if start.startswith(pyreval.LINE.encode()):
        return Pyramid(*pyreval.parse_lines(path))
    if not start.startswith(b"<") and path.suffix.lower() not in _XML:
        return Pyramid(*json_file.parse(read_json(path), str(path)))
    root = read_xml(path)
    if root.tag == pyreval.TAG:
        return Pyramid(*pyreval.parse(root, path))
    return ducview.pyramid_of(root, path)[0]


def _start(path: Path) -> bytes:
    try:
        with path.open("rb") as stream:
            return stream.read(1000).removeprefix(b"\xef\xbb\xbf").lstrip()
    except OSError:
        return b""  # the reader of the format reports it
