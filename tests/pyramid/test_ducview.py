"""DUCView files: written by hand in the tool's format."""

import pytest

from commonground.errors import InputError
from commonground.pyramid import read_annotation, read_ducview, read_pyramid
from commonground.pyramid.formats.ducview import documents

TYPES = """<?xml version="1.0"?>
<!DOCTYPE pyramid [
 <!ELEMENT pyramid (startDocumentRegEx?,text,scu*)>
 <!ELEMENT text (line*)>
 <!ATTLIST scu uid CDATA #REQUIRED label CDATA #REQUIRED>
]>
"""
HEADER = r"<startDocumentRegEx><![CDATA[[-]*\n S[0-9]+\n[-]*\n]]></startDocumentRegEx>"
LINES = [
    "#2",
    "-----",
    " S1",
    "-----",
    "The ferry ran aground on Saturday.",
    "Nobody was hurt &amp; all are ashore.",
    "-----",
    " S2",
    "-----",
    "On Saturday a ferry hit a rock.",
]
TEXT = "\n".join(LINES).replace("&amp;", "&")


def part(words):
    start = TEXT.index(words)
    escaped = words.replace("&", "&amp;")
    return f'<part label="{escaped}" start="{start}" end="{start + len(words)}"/>'


def contributor(*parts):
    return f'<contributor label="...">{"".join(map(part, parts))}</contributor>'


def scu(uid, label, *contributors):
    return f'<scu uid="{uid}" label="{label}">{"".join(contributors)}</scu>'


def text(lines):
    return "<text>" + "".join(f"<line>{line}</line>\n" for line in lines) + "</text>"


AGROUND = scu(
    7,
    " A ferry ran  aground",
    contributor("a ferry hit a rock"),
    contributor("on Saturday", "The ferry ran aground"),
)
HURT = scu(3, "Nobody hurt", contributor("Nobody was hurt & all are ashore"))
PYRAMID = f"<pyramid>{HEADER}{text(LINES)}{AGROUND}{HURT}</pyramid>"


def written(tmp_path, content, name="p.pyr"):
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    return path


class TestPyramid:
    def test_units_contributors_and_references(self, tmp_path):
        found = read_ducview(written(tmp_path, TYPES + PYRAMID))
        assert found.references == (
            "The ferry ran aground on Saturday.\nNobody was hurt & all are ashore.",
            "On Saturday a ferry hit a rock.",
        )
        assert [(unit.weight, unit.label) for unit in found.units] == [
            (2, "A ferry ran aground"),
            (1, "Nobody hurt"),
        ]
        first, second = found.units[0].contributors
        assert (first.reference, first.text) == (0, "The ferry ran aground on Saturday")
        assert first.spans == ((0, 21), (22, 33))
        assert (second.reference, second.text, second.id) == (1, "a ferry hit a rock", "")
        assert str(found.signature).startswith("PYRAMID|builder:ducview|refs:2|")

    def test_spans_lead_into_the_references(self, tmp_path):
        found = read_ducview(written(tmp_path, PYRAMID))
        for one in (one for unit in found.units for one in unit.contributors):
            source = found.references[one.reference]
            assert " ".join(source[start:end] for start, end in one.spans) == one.text

    def test_offsets_that_do_not_fit_their_words_are_not_passed_on(self, tmp_path):
        shifted = PYRAMID.replace(f'start="{TEXT.index("Nobody")}"', 'start="30"')
        found = read_ducview(written(tmp_path, shifted))
        assert found.units[1].contributors[0].spans == ()

    def test_without_headers_contributors_are_numbered_as_they_come(self, tmp_path):
        lines = [line for line in LINES if not line.startswith(("-", " S"))]
        found = read_ducview(written(tmp_path, f"<pyramid>{text(lines)}{AGROUND}{HURT}</pyramid>"))
        assert found.references == ("", "")
        assert [(one.reference, one.spans) for one in found.units[0].contributors] == [
            (0, ()),
            (1, ()),
        ]

    def test_one_summary_may_contribute_twice(self, tmp_path):
        twice = scu(1, "x", contributor("ran aground"), contributor("on Saturday"))
        found = read_ducview(written(tmp_path, f"<pyramid>{text(LINES)}{twice}</pyramid>"))
        assert [one.reference for one in found.units[0].contributors] == [0, 0]
        assert found.units[0].weight == 2

    def test_it_is_saved_and_loaded_as_any_other(self, tmp_path):
        found = read_pyramid(written(tmp_path, PYRAMID, "P.PYR"))
        found.save(tmp_path / "p.json")
        assert read_pyramid(tmp_path / "p.json") == found

    def test_no_units(self, tmp_path):
        found = read_ducview(written(tmp_path, "<pyramid><text/></pyramid>"))
        assert (found.units, found.references) == ((), ())


class TestAnnotation:
    PEER = (
        f"<annotation>{text(['A ferry is stuck.', 'The crew sang.'])}"
        '<peerscu uid="7" label="(2) A ferry ran aground"><contributor label="A ferry is stuck">'
        '<part label="A ferry is stuck" start="0" end="16"/></contributor>'
        '<contributor label="stuck"><part label="stuck" start="11" end="16"/></contributor>'
        '</peerscu><peerscu uid="3" label="(1) Nobody hurt"></peerscu>'
        '<peerscu uid="0" label="All non-matching SCUs go here"><contributor label="sang">'
        '<part label="The crew sang" start="18" end="31"/></contributor></peerscu></annotation>'
    )

    def test_matches_raw_score_and_count(self, tmp_path):
        content = f"<peerAnnotation>{PYRAMID}{self.PEER}</peerAnnotation>"
        found = read_annotation(written(tmp_path, content, "s.pan"))
        assert found.summary == "A ferry is stuck.\nThe crew sang."
        aground = found.pyramid.units[0]
        assert [(match.unit, match.text) for match in found.matches] == [
            (aground, "A ferry is stuck"),
            (aground, "stuck"),
            (None, "The crew sang"),
        ]
        assert (found.raw, found.unit_count) == (2, 3)
        assert read_pyramid(tmp_path / "s.pan") == found.pyramid

    def test_a_pyramid_alone_is_no_annotation(self, tmp_path):
        with pytest.raises(InputError, match="no peer annotation"):
            read_annotation(written(tmp_path, PYRAMID))

    def test_a_match_to_no_unit_of_the_pyramid_is_an_error(self, tmp_path):
        peer = self.PEER.replace('uid="7"', 'uid="8"')
        content = f"<p>{PYRAMID}{peer}</p>"
        with pytest.raises(InputError, match="peerscu 8 is not a unit"):
            read_annotation(written(tmp_path, content))


class TestBadFiles:
    def test_a_file_cut_off_anywhere_is_one_line_with_file_and_place(self, tmp_path):
        whole = TYPES + PYRAMID
        for length in range(0, len(whole), 97):
            path = written(tmp_path, whole[:length])
            with pytest.raises(InputError) as caught:
                read_ducview(path)
            assert str(caught.value).startswith(f"{path}, line ")
            assert "column" in str(caught.value)
            assert "is cut off" in str(caught.value)
            assert "\n" not in str(caught.value)

    @pytest.mark.parametrize(
        "entity",
        [
            '<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">',
            '<!ENTITY a SYSTEM "file:///etc/hostname">',
            '<!ENTITY % a SYSTEM "other.dtd"> %a;',
        ],
    )
    def test_entities_are_refused(self, tmp_path, entity):
        path = written(tmp_path, f"<!DOCTYPE pyramid [{entity}]><pyramid/>")
        with pytest.raises(InputError, match="line 1: XML entities are not accepted"):
            read_ducview(path)

    def test_entities_of_a_list_elsewhere_are_refused(self, tmp_path):
        path = written(tmp_path, '<!DOCTYPE p SYSTEM "p.dtd"><pyramid>&other;</pyramid>')
        with pytest.raises(InputError, match="entities are not accepted"):
            read_ducview(path)

    @pytest.mark.parametrize(
        ("content", "what"),
        [
            ("no xml", "line 1, column 1: is not XML"),
            ("<pyramid><b></pyramid>", "is not XML"),
            ("<html/>", "is not a DUCView file"),
            ('<?xml version="1.0" encoding="klingon"?><pyramid/>', "is not XML"),
            ('<pyramid><scu label="x"/></pyramid>', "a <scu> has no uid"),
            ('<pyramid><scu uid="1" label="x"><contributor/></scu></pyramid>', "has no parts"),
            (PYRAMID.replace('start="', 'start="x'), "whole numbers"),
            (f"<pyramid>{HURT}{HURT}</pyramid>", "two units have the number 3"),
        ],
    )
    def test_what_is_wrong_is_said(self, tmp_path, content, what):
        path = written(tmp_path, content)
        with pytest.raises(InputError, match=what) as caught:
            read_ducview(path)
        assert str(path) in str(caught.value)

    def test_a_file_that_is_not_there(self, tmp_path):
        with pytest.raises(InputError, match="no such file"):
            read_ducview(tmp_path / "p.pyr")


class TestDocuments:
    def texts(self, text, header=None):
        found = documents(text, header)
        for one in found:
            assert text[one.start :].startswith(one.text)
        return [one.text for one in found]

    def test_nothing_between_them(self):
        assert self.texts("One.\nTwo.") == []

    def test_lines_of_dashes_between_summaries(self):
        assert self.texts("One.\n----\n\nTwo.\nMore.\n----\nThree.") == [
            "One.",
            "Two.\nMore.",
            "Three.",
        ]

    def test_names_between_lines_of_dashes_come_after_a_title(self):
        text = "A title\n---\n D1-A\n---\nOne.\n---\n D1-B\n---\nTwo."
        assert self.texts(text) == ["One.", "Two."]

    @pytest.mark.parametrize("header", [r"== \w+ =+\n", r"={2} .{1,9} ==\s?", "== [A-Z]+[^\n]*"])
    def test_the_files_own_headers(self, header):
        assert self.texts("== ONE ==\nIt rained.\n== TWO ==\nRain.", header) == [
            "It rained.",
            "Rain.",
        ]

    @pytest.mark.parametrize("header", ["(-+)+", "a|b", "[", r"\1", "^-", "x{900}", "zzz"])
    def test_dashes_count_where_the_header_is_not_understood_or_not_there(self, header):
        assert self.texts("One.\n---\nTwo.", header) == ["One.", "Two."]

    def test_a_hostile_header_comes_to_an_end(self):
        assert self.texts("a" * 5000, "a*" * 50 + "b") == []
