"""Does this full stop end a sentence? nupunkt decides, on the word before and the word after.

nupunkt's default model was trained on scanned legal text. Of its 5,865 abbreviations some 700 are
ordinary English words ("so", "week", "tax", "story"), many more are names and scanning errors;
its 709 sentence openers hold names and offices ("Iran", "Senator", "Secretary") that would end a
sentence after "U.S.". A list of what is wrong in it would be too long to review, so the model is
given these lists in place of its own.

Those two words are all that the Punkt algorithm looks at, so asking for them alone gives its
answer for the whole text, in linear time (nupunkt's own scan is quadratic on "!!!!" or ".).)"),
and the answers can be kept. nupunkt's parameters are replaced by the vetted lists.
"""

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nupunkt import PunktSentenceTokenizer


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_BEFORE_NAMES = _words(
    """
    mr mrs ms mx messrs mme mlle dr drs prof profs rev hon msgr fr st ste mt ft
    gen gens col cols lt lts capt cpt cmdr comdr cpl sgt sgts maj adm pvt pfc spc brig ens
    gov govs sen sens rep reps pres atty attys supt amb sec asst insp det ald dep
    sr sra srta
    """
)

_AFTER_NAMES = _words(
    """
    jr esq inc corp co cos ltd bros assn assoc intl mfg dept depts univ inst
    ave blvd rd hwy pkwy bldg apt rte cir ct
    ph.d b.sc m.sc ll.b ll.m ed.d m.ed b.ed d.phil m.phil psy.d pharm.d sc.d th.d m.div
    """
)

_STATES = _words(
    """
    ala ariz ark calif cal colo conn del fla ga ill ind kan kans ky la mass md mich minn miss mo
    mont neb nebr nev okla ore pa tenn tex va vt wash wis wyo ont alta sask
    """
)

_DATES = _words("jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues thu thur thurs fri")

_PHRASES = _words("etc al ibid seq resp a.m p.m u.s")

# Whatever follows, the sentence goes on.
NEVER_LAST = _words("vs v cf viz ca approx incl a.k.a e.g i.e")

_LAW = _words(
    """
    admin app'x bankr civ comm'n const crim dist ed eds evid fed rptr stat supp regs rev
    subd subch subsec proc cert gov't dep't att'y int'l ass'n
    """
)

_UNITS = _words("ft hr hrs mi mph lb lbs oz kg km cm mm yr yrs mos tbsp tsp sq cu gal qt avg bn")

_REFERENCES = _words(
    """
    nos figs arts secs ch chs vol vols p pp para paras eq eqs ver pt pts bk ext tel nr rs
    """
)

# Abbreviations only before a number; elsewhere they are words, or too like them.
BEFORE_NUMBERS = _words("no art fig app par prop ex op sat sun wed")

# Abbreviations only with a capital letter of their own: "Wash." is a state, "wash." a verb.
WITH_CAPITAL = _words(
    "mass miss wash ill ind ore cal la pa ga mo mar del mon fed rep reps gen col dep det ens"
)

ABBREVIATIONS = (
    _BEFORE_NAMES
    | _AFTER_NAMES
    | _STATES
    | _DATES
    | _PHRASES
    | NEVER_LAST
    | _LAW
    | _UNITS
    | _REFERENCES
    | BEFORE_NUMBERS
    | WITH_CAPITAL
)

# Words that open a sentence when they are capitalised after an abbreviation: closed classes only,
# without those that also open names ("Will", "May", "First Lady", "No. 1").
OPENERS = _words(
    """
    i you he she it we they one this that these those there here
    who what when where why how which whose whom
    my your his her its our their
    the a an some any many most several few each every all both another other others such none
    much more
    and but or nor so yet if while although though because since unless until whereas whether
    after before once as than
    in on at for from with by during despite under over among between against about according
    through throughout without within to of into onto upon beyond behind below above across along
    amid like unlike given based
    however moreover furthermore meanwhile also still now then thus therefore instead later earlier
    today yesterday tomorrow tonight recently finally even just only not never perhaps maybe indeed
    nevertheless nonetheless otherwise additionally again often sometimes similarly consequently
    accordingly specifically currently previously subsequently eventually ultimately overall
    is are was were do does did has have had can could would should
    mr mrs ms please let yes yeah oh well
    """
)

# What may follow "a.m." and "p.m." with a capital letter inside a sentence.
AFTER_HOURS = _words(
    """
    monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri
    sat sun january february march april may june july august september october november december
    jan feb mar apr jun jul aug sep sept oct nov dec
    et est edt ct cst cdt mt mst mdt pt pst pdt gmt utc bst cet cest ist jst
    eastern central mountain pacific greenwich
    """
)

# Verbs that tie a quoted question or cry to its speaker: "Is it over?" Smith asked.
SPEECH_VERBS = _words(
    """
    said says asked asks told tells wrote writes tweeted tweets replied replies added adds
    answered shouted cried exclaimed declared yelled wondered responded demanded posted joked
    continued asserted insisted quipped
    """
)

# Endings of domain and file names, which look like a word after a missing space.
NAME_ENDINGS = _words(
    "com org net gov edu mil int info biz io ai co uk us eu tv me js ts py md pdf doc docx txt html"
)


# "U.K.", "L.G.B.T.", "EE.UU.": letters with full stops between them.
_ACRONYM = re.compile(r"(?:[^\W\d_]{1,2}\.)+[^\W\d_]{1,2}")
_NUMERAL = re.compile(r"\d|(?:[IVXLC]{2,}|[VX])\b")
_TIME_ZONE = re.compile(r"(?:\s+[A-Z]\w+)?\s+[Tt]ime\b")  # "5 p.m. Hawaii time"
_CONTRACTION = re.compile(r"(?:n['’]t|['’][^\W\d_]{1,2})$")


def ends_sentence(word: str, following: str, then: str) -> bool:
    """Say whether the full stop between two words of one paragraph ends a sentence.

    Args:
        word: The word before the full stop, without it; may be empty.
        following: The word after the full stop and a space, without punctuation.
        then: A few characters of the text after `following`.
    """
    kind = word.lower().replace("’", "'")
    if _is_acronym(word, kind, following):
        return True
    if kind in NEVER_LAST:
        return False
    if kind in ABBREVIATIONS:
        if not _is_abbreviation(word, kind, following):
            return True
        if kind in ("a.m", "p.m"):
            in_time = following.lower() in AFTER_HOURS or _TIME_ZONE.match(then)
            return following[:1].isupper() and not in_time
    elif len(word) == 1 and (word.isupper() or word.islower()):
        # Punkt never ends a sentence at an initial, though "vitamin C. The" does end.
        return opens_sentence(following, then)
    elif _ACRONYM.fullmatch(word):
        kind = "u.s"
    elif word[:1].isdigit() and not any(map(str.isalpha, word)):
        kind = "1"
    else:
        return True
    return _punkt(kind, _alike(following, then))


def opens_sentence(word: str, then: str) -> bool:
    """Say whether a capitalised word shows that a sentence begins with it."""
    if not word[:1].isupper() or (len(word) == 1 and then[:1] == "."):
        return False
    return _CONTRACTION.sub("", word).lower() in OPENERS


def _is_acronym(word: str, kind: str, following: str) -> bool:
    """Tell "Napa, CA. Write" from "ca. 1900", but "MR. HALE" and "NO. 5" from acronyms."""
    if len(word) < 2 or not word.isupper() or "." in word or kind in ("mr", "mrs", "ms", "dr"):
        return False
    return following[:1].isupper() and following[1:2].islower()


def _is_abbreviation(word: str, kind: str, following: str) -> bool:
    if kind in BEFORE_NUMBERS:
        return _NUMERAL.match(following) is not None
    if kind in WITH_CAPITAL:
        return word[0].isupper() and not word.isupper()
    return True


def _alike(following: str, then: str) -> str:
    """One word for all that Punkt cannot tell apart, so that few questions are asked."""
    if opens_sentence(following, then):
        return "The"
    first = following[:1]
    if first.isupper():
        return "Name"
    return "name" if first.islower() else "1"


@lru_cache(maxsize=4096)
def _punkt(word: str, following: str) -> bool:
    return _tokenizer().text_contains_sentbreak(f"{word}. {following}")


@lru_cache(maxsize=1)
def _tokenizer() -> "PunktSentenceTokenizer":
    # Imported on first use: it costs a tenth of a second.
    import nupunkt

    # A tokenizer of our own; the one that nupunkt shares among its callers stays as it is.
    tokenizer = nupunkt.load_default_model()
    model = tokenizer.parameters
    model.abbrev_types = set(ABBREVIATIONS)
    model.sent_starters = set(OPENERS)
    model.collocations = set()
    rates = model.abbrev_break_rates
    model.abbrev_break_rates = {kind: rates[kind] for kind in rates if kind in ABBREVIATIONS}
    return tokenizer
