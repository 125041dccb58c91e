"""XML files from elsewhere: no entities, and one line for every error."""

from pathlib import Path
from typing import Final
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from commonground.errors import InputError

# The parser's errors for a truncated file.
_CUT_OFF: Final = (
    expat.errors.XML_ERROR_NO_ELEMENTS,
    expat.errors.XML_ERROR_UNCLOSED_TOKEN,
    expat.errors.XML_ERROR_UNCLOSED_CDATA_SECTION,
    expat.errors.XML_ERROR_PARTIAL_CHAR,
)


def read_xml(path: Path) -> Element:
    """Return the root element of a file.

    Element types, with which every DUCView file starts, are ignored. Entities are refused, since
    they can expand a small file into a huge one; no other file is opened.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: {(error.strerror or str(error)).lower()}") from None
    # The parser of xml.etree would expand entities.
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
        where = f"line {error.lineno}, column {error.offset + 1}"
        raise InputError(f"{path}, {where}: {what} ({reason})") from None
    except InputError:
        raise
    except (LookupError, ValueError) as error:  # an unknown encoding
        raise InputError(f"{path}: is not XML that can be read ({error})") from None
    return builder.close()


def attribute(element: Element, name: str, path: Path) -> str:
    """Return an attribute that must be there, with single spaces."""
    value = element.get(name)
    if value is None:
        raise InputError(f"{path}: a <{element.tag}> has no {name}")
    return " ".join(value.split())
