"""Pages that are not what they should be."""

import pytest

from commonground.io import visible_text


@pytest.mark.parametrize("start", ["<!--", "<", "<!", "<?", "<a ", "<a b='", "</", "<![CDATA["])
def test_what_never_ends_takes_no_time_and_is_text(start):
    """Each start used to search the rest of the page: 200 KB took 13 s, this would take hours."""
    page = start * (1_000_000 // len(start))
    assert visible_text(f"<p>It fell.</p>{page}") == f"It fell.\n\n{page.strip()}"


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("a<!-- b --> c <!-- d", "a c <!-- d"),
        ("<p>1 < 2", "1 < 2"),
        ("<script>x = '<!--'</script><p>It fell.</p>", "It fell."),
        ("<p>It fell.</p><!-- <!-- <p>No.</p> -->", "It fell."),
        ("It <b", "It <b"),
    ],
)
def test_what_is_visible(page, text):
    assert visible_text(page) == text
