"""The article of a page: the text that a reader came for, exactly."""

from pathlib import Path

import pytest

from commonground.documents import extract

PAGES = sorted((Path(__file__).parent / "pages").glob("*.html"))
PROSE = (
    "The clock on the town hall stopped at ten past four on Sunday, and nobody has found out why."
)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_article_of_each_layout(page):
    title, text = page.with_suffix(".txt").read_text("utf-8").split("\n\n", 1)
    found = extract(page.read_bytes())
    assert (found.kind, found.title) == ("html", title)
    assert found.text == text.rstrip("\n")


def test_there_are_many_layouts():
    assert len(PAGES) >= 12


def body(content, head=""):
    return extract(f"<!DOCTYPE html><html><head>{head}</head><body>{content}".encode())


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (
            "<p>Rain &amp; snow<br>fell.</p><ul><li>one<li>two</ul>",
            "Rain & snow\nfell.\n\none\n\ntwo",
        ),
        ("<p>a<script>alert(1)</script>b <b>c</b>d</p>", "ab cd"),
        ("<p>Before<!-- hidden -->after", "Beforeafter"),
        ('<p>Seen.<p style="color: red; DISPLAY : none">Not seen.', "Seen."),
        ("<p>Seen.<p hidden>Not seen.", "Seen."),
        ("<nav>Home</nav><p>Seen.", "Seen."),
        ("<pre>one\n  two</pre>", "one\ntwo"),
        (
            "<table><tr><td>Monday<td>rain<tr><td>Friday<td>snow</table>",
            "Monday\train\n\nFriday\tsnow",
        ),
        ("<p>first<br><br>second", "first\n\nsecond"),
        ("<button>Buy</button><p>Seen.<select><option>1</select>", "Seen."),
    ],
)
def test_a_small_page_has_all_its_visible_text(content, text):
    assert body(content).text == text


@pytest.mark.parametrize(
    "line",
    [
        "By Ann Marlowe",
        "Published 3 June 2024 at 14.05",
        "Advertisement",
        "4 min read",
        "12 comments",
        "Photo: Ann Marlowe",
        "© 2024 The Harbour Post",
        "Read more: the clock that ran backwards",
        "Follow us on Facebook",
        "Related: why clocks stop",
        "We use cookies to improve this page.",
    ],
)
def test_lines_that_are_no_part_of_the_article(line):
    paragraphs = [f"<p>{PROSE} ({number})</p>" for number in range(4)]
    page = body("".join([*paragraphs[:2], f"<p>{line}</p>", *paragraphs[2:]]))
    assert page.text == "\n\n".join(f"{PROSE} ({number})" for number in range(4))


@pytest.mark.parametrize(
    "line",
    [
        "Copies were sold in the market square by noon.",
        "Cars will not be admitted.",
        "By Monday the water had fallen.",
        "Share prices fell by four per cent after that.",
        "Published figures are lower, and nobody explained it.",
    ],
)
def test_short_paragraphs_stay(line):
    page = body(f"<p>{PROSE}</p><p>{line}</p><p>{PROSE}</p><p>{PROSE}</p>")
    assert line in page.text.split("\n\n")


def test_what_holds_half_of_the_page_is_never_furniture():
    content = f'<div class="sidebar comments share">{f"<p>{PROSE}</p>" * 5}</div>'
    assert body(content).text == "\n\n".join([PROSE] * 5)


@pytest.mark.parametrize(
    ("head", "content", "title"),
    [
        ("<title>Rain floods two roads | The Post</title>", "<p>x", "Rain floods two roads"),
        ("<title>Rain</title>", "<h1>Heavy <em>rain</em></h1><p>x", "Heavy rain"),
        ("<title>Rain</title>", "<h1>One</h1><h1>Two</h1><p>x", "Rain"),
        ('<title>t</title><meta property="og:title" content="Rain">', "<p>x", "Rain"),
        (
            "<title>A long story about a well-known man - Post</title>",
            "<p>x",
            "A long story about a well-known man",
        ),
        ("", "<p>x", ""),
    ],
)
def test_the_title(head, content, title):
    assert body(content, head).title == title


def test_a_copied_fragment_is_a_page_and_a_sentence_about_tags_is_not():
    assert extract(b"<div><p>Rain.</p><p>Snow.</p></div>").text == "Rain.\n\nSnow."
    assert extract(b"a < b <p> no page").text == "a < b <p> no page"
    assert extract(b"<p> is the tag of a paragraph").text == "<p> is the tag of a paragraph"


NESTED = {
    "deep": "<div>" * 4_000 + "Rain.",
    "tables": "<table><tr><td>" * 1_500 + "Rain.",
    "never closed": "<p><i>" * 30_000 + "Rain.",
    "closed too often": "Rain." + "</div></p></b>" * 60_000,
    "comments": "<!-- x -->" * 40_000 + "Rain.",
    "comment after comment": "Rain.<!--" + "<!-- a " * 60_000,
    "attributes": "<a " + "x=1 " * 100_000 + ">Rain.</a>",
    "scripts": "<script>x</script>" * 40_000 + "Rain.",
}


@pytest.mark.parametrize("name", NESTED)
def test_large_and_nested_pages_take_linear_time(name):
    """With time that grows with the square of the size, one of these takes minutes."""
    assert body(NESTED[name]).text == "Rain."


@pytest.mark.parametrize("start", ["<!--", "<", "<!", "<?", "<a ", "<a b='", "</", "<![CDATA["])
def test_what_never_ends_takes_no_time(start):
    """If each start searched the rest of the page, this would take hours."""
    page = start * (900_000 // len(start))
    assert body(f"<p>It fell.</p>{page}").text.startswith("It fell.")
