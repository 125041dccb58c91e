"""XML from strangers: read to a tree, with no entities and with the place of every fault."""

from pathlib import Path
from typing import Final
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from commonground.errors import InputError

# What the parser complains of when a file ends too early.
_CUT_OFF: Final = (
    expat.errors.XML_ERROR_NO_ELEMENTS,
    expat.errors.XML_ERROR_UNCLOSED_TOKEN,
    expat.errors.XML_ERROR_UNCLOSED_CDATA_SECTION,
    expat.errors.XML_ERROR_PARTIAL_CHAR,
)


def read_xml(path: Path) -> Element:
    """The root element of a file.

    A list of element types, which every DUCView file starts with, is passed over; entities of
    one's own are refused, as they can make a small file a huge one. Nothing else is opened.

    Raises:
        InputError: With the file, line and column where it is cut off or damaged.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: {(error.strerror or str(error)).lower()}") from None
    # Not xml.etree's own parser, which expands entities.
    builder = TreeBuilder()
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = builder.start
    parser.EndElementHandler = builder.end
    parser.CharacterDataHandler = builder.data

    def refuse(*_: object) -> None:
        raise InputError(f"{path}, line {parser.CurrentLineNumber}: XML entities are not accepted")

    parser.EntityDeclHandler = refuse
    parser.SkippedEntityHandler = refuse
    try:
        parser.Parse(content, True)
    except expat.ExpatError as error:
        reason = expat.ErrorString(error.code)
        what = "is cut off" if reason in _CUT_OFF else "is not XML"
        place = f"line {error.lineno}, column {error.offset + 1}"
        raise InputError(f"{path}, {place}: {what} ({reason})") from None
    except (LookupError, ValueError) as error:  # an encoding nobody knows
        if isinstance(error, InputError):
            raise
        raise InputError(f"{path}: is not XML that can be read ({error})") from None
    return builder.close()
