"""Laws of reading, whatever the bytes."""

from hypothesis import example, given
from hypothesis import strategies as st

from commonground.documents import Extracted, extract
from commonground.documents.markdown import without_front_matter
from commonground.errors import InputError

STARTS = [
    *(
        b"",
        b"%PDF-1.4\n",
        b"PK\x03\x04",
        b"bplist00",
        b"<!DOCTYPE html>",
        b"<html>",
        b"---\na: b\n---\n",
    ),
    *(b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf", b"[InternetShortcut]\n", b"<!DOCTYPE plist>"),
    b"Content-Type: multipart/related; boundary=a\n\n--a\n",
]
NAMES = st.sampled_from(["", "a.md", "a.html", "a.pdf"])
TAGS = st.sampled_from(
    [
        *("<p>", "</p>", "<div>", "</div>", "<b>", "</b>", "<table>", "<tr>", "<td>", "</table>"),
        *("<!--", "-->", "<script>", "</script>", "<li>", "<ul>", "<br>", "<h1>", "</h1>", "<a>"),
        *("<article>", "</article>", "<title>", "</title>", "<body>", "</body>", "<pre>", "<svg>"),
        *("<select>", "<form>", "</html>", "&", "&amp;", "&#0;", "&#xD800;", "<", ">", "<!", "</"),
    ]
)
WORDS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=40)


def read(content, name=""):
    try:
        return extract(content, name)
    except InputError as error:
        assert "\n" not in str(error)
        return None


@given(st.sampled_from(STARTS), st.binary(max_size=400), NAMES)
def test_any_bytes_are_read_or_refused(start, rest, name):
    found = read(start + rest, name)
    assert found is None or found.text.strip()


@given(st.lists(TAGS | WORDS, max_size=60))
@example(["<p>", "<table>", "<td>", "</p>", "a", "<pre>"])
def test_any_tags_are_read_or_refused(pieces):
    found = read(("<!DOCTYPE html>" + "".join(pieces)).encode())
    assert found is None or "<script>" not in found.text


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\r"), min_size=1))
def test_plain_text_is_unchanged_and_reading_is_idempotent(text):
    found = read(text.encode())
    if found is not None and found.kind == "text" and not text.startswith(("---", "\ufeff")):
        assert found.text == text
        assert read(found.text.encode()) == found


@given(WORDS, WORDS)
def test_an_extract_of_markdown_never_fails(first, second):
    found = read(f"# {first}\n\n{second}".encode(), "a.md")
    assert found is None or isinstance(found, Extracted)


@given(st.dictionaries(st.from_regex(r"[a-z]{1,8}", fullmatch=True), WORDS, min_size=1), WORDS)
def test_front_matter_is_removed(values, text):
    yaml = "".join(f"{key}: {value}\n" for key, value in values.items())
    if "\n" not in "".join(values.values()) and "\x85" not in yaml:
        assert without_front_matter(f"---\n{yaml}---\n{text}")[0] == text.lstrip("\n")
