"""Names in prose: without titles, of the same one, of places that hold others.

"Sen. McCain", "John McCain" and "McCain's" are one person, "the FBI" and "Federal Bureau of
Investigation" one agency. Where a doubt remains, names are held to be the same.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from unicodedata import combining, normalize

from rapidfuzz.distance import JaroWinkler


def _names(text: str) -> frozenset[str]:
    return frozenset(" ".join(name.split()) for name in text.split(","))


REGIONS = _names(
    """
    africa, asia, europe, north america, south america, latin america, central america, oceania,
    antarctica, middle east, balkans, scandinavia, caribbean, baltics, gulf,
    afghanistan, albania, algeria, andorra, angola, argentina, armenia, australia, austria,
    azerbaijan, bahamas, bahrain, bangladesh, barbados, belarus, belgium, belize, benin, bhutan,
    bolivia, bosnia, bosnia and herzegovina, botswana, brazil, brunei, bulgaria, burkina faso,
    burundi, cambodia, cameroon, canada, chad, chile, china, colombia, congo, costa rica, croatia,
    cuba, cyprus, czech republic, denmark, djibouti, dominican republic, ecuador, egypt,
    el salvador, england, eritrea, estonia, eswatini, ethiopia, fiji, finland, france, gabon,
    gambia, georgia, germany, ghana, greece, greenland, guatemala, guinea, guyana, haiti, honduras,
    hungary, iceland, india, indonesia, iran, iraq, ireland, israel, italy, ivory coast, jamaica,
    japan, jordan, kazakhstan, kenya, kosovo, kuwait, kyrgyzstan, laos, latvia, lebanon, lesotho,
    liberia, libya, liechtenstein, lithuania, luxembourg, madagascar, malawi, malaysia, maldives,
    mali, malta, mauritania, mauritius, mexico, moldova, monaco, mongolia, montenegro, morocco,
    mozambique, myanmar, burma, namibia, nepal, netherlands, new zealand, nicaragua, niger, nigeria,
    north korea, north macedonia, northern ireland, norway, oman, pakistan, palestine, panama,
    papua new guinea, paraguay, peru, philippines, poland, portugal, qatar, romania, russia, rwanda,
    saudi arabia, scotland, senegal, serbia, sierra leone, singapore, slovakia, slovenia, somalia,
    south africa, south korea, south sudan, spain, sri lanka, sudan, suriname, sweden, switzerland,
    syria, taiwan, tajikistan, tanzania, thailand, togo, tunisia, turkey, turkmenistan, uganda,
    ukraine, united arab emirates, united kingdom, united states, uruguay, uzbekistan, venezuela,
    vietnam, wales, yemen, zambia, zimbabwe,
    alabama, alaska, arizona, arkansas, california, colorado, connecticut, delaware, florida,
    hawaii, idaho, illinois, indiana, iowa, kansas, kentucky, louisiana, maine, maryland,
    massachusetts, michigan, minnesota, mississippi, missouri, montana, nebraska, nevada,
    new hampshire, new jersey, new mexico, north carolina, north dakota, ohio, oklahoma, oregon,
    pennsylvania, rhode island, south carolina, south dakota, tennessee, texas, utah, vermont,
    virginia, west virginia, wisconsin, wyoming, ontario, quebec, british columbia, alberta,
    bavaria, catalonia, andalusia, brittany, normandy, provence, sicily, sardinia, tuscany,
    queensland, new south wales, victoria, tasmania, crimea, siberia, kashmir, punjab, west bank,
    gaza, gaza strip
    """
)
"""Continents, countries, states of the United States and other large regions, in lower case."""


def one_may_hold_the_other(one: str, other: str) -> bool:
    """Whether just one of two names is a large place; the other may then lie in it."""
    return (one in REGIONS) != (other in REGIONS)


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_TITLES = _words(
    """
    mr mrs ms miss mx dr prof professor sir dame lord lady rev reverend father sister brother
    president vice former ex acting prime minister chancellor king queen prince princess pope
    sen senator rep representative congressman congresswoman gov governor mayor councillor
    councilman councilwoman alderman secretary ambassador judge justice attorney general gen
    colonel col major maj captain capt lieutenant lt sergeant sgt corporal cpl private officer
    detective inspector constable sheriff chief deputy commissioner commander cmdr admiral adm
    director chairman chairwoman chair ceo coach nurse saint
    """
)
_SUFFIXES = frozenset(("jr", "sr", "ii", "iii", "iv", "md", "phd"))
_COMPANY = _words(
    """
    inc corp corporation co company ltd limited llc plc group holdings gmbh ag sa
    """
)
_SMALL = _words(
    """
    the of and for in on at to a an de la du des von van & s
    """
)
_ALIASES = {
    "us": "united states",
    "usa": "united states",
    "america": "united states",
    "united states of america": "united states",
    "uk": "united kingdom",
    "britain": "united kingdom",
    "great britain": "united kingdom",
    "la": "los angeles",
    "nyc": "new york",
    "new york city": "new york",
    "dc": "washington",
    "washington dc": "washington",
    "holland": "netherlands",
    "czechia": "czech republic",
    "un": "united nations",
    "eu": "european union",
}
# First names that one person goes by.
_SHORT = {
    short: long
    for long, shorts in {
        "william": "bill billy will liam", "robert": "bob bobby rob", "richard": "dick rick rich",
        "james": "jim jimmy jamie", "john": "jack johnny jon", "joseph": "joe joey",
        "michael": "mike mick", "thomas": "tom tommy", "charles": "charlie chuck",
        "edward": "ed eddie ted", "elizabeth": "liz beth betty", "margaret": "maggie meg peggy",
        "katherine": "kate katie kathy cathy", "anthony": "tony", "benjamin": "ben",
        "daniel": "dan danny", "david": "dave", "donald": "don", "andrew": "andy drew",
        "christopher": "chris", "matthew": "matt", "nicholas": "nick", "samuel": "sam",
        "stephen": "steve steven", "susan": "sue", "timothy": "tim", "patricia": "pat patty",
        "alexander": "alex", "kenneth": "ken", "ronald": "ron", "gregory": "greg",
        "jennifer": "jen jenny", "deborah": "debbie deb", "bernard": "bernie", "mitchell": "mitch",
    }.items()
    for short in shorts.split()
}  # fmt: skip
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")


@lru_cache(maxsize=4096)
def parts(name: str) -> tuple[str, ...]:
    """The words of a name that tell it from others, in lower case.

    Example:
        >>> parts("Former Sen. John McCain Jr.'s"), parts("the U.S."), parts("Ford Motor Co.")
        (('john', 'mccain'), ('united', 'states'), ('ford', 'motor'))
    """
    # One writer has "Zoë", another "Zoe".
    name = "".join(sign for sign in normalize("NFKD", name) if not combining(sign))
    plain = re.sub(r"['’]s\b|['’]$", "", name).replace(".", "" if _dotted(name) else " ")
    words = [word.lower() for word in _WORD.findall(plain)]
    kept = [word for word in words if word not in _SUFFIXES]
    while len(kept) > 1 and (kept[0] in _TITLES or kept[0] == "the"):
        kept = kept[1:]
    while len(kept) > 1 and kept[-1] in _COMPANY:
        kept = kept[:-1]
    return tuple(_ALIASES.get(" ".join(kept), " ".join(kept)).split())


def is_title(name: str) -> bool:
    """Whether nothing but titles is in it: "Senator", "the Prime Minister"."""
    return all(word.lower() in _TITLES or word.lower() in _SMALL for word in _WORD.findall(name))


def same_name(one: str, other: str) -> bool:
    """Whether two names of organisations or places can be of the same one.

    One may be short for the other: some of its words ("Toyota" for "Toyota Motor"), or its
    initials ("WHO" for "World Health Organization").
    """
    first, second = parts(one), parts(other)
    if not first or not second:
        return True
    if first == second or set(first) <= set(second) or set(second) <= set(first):
        return True
    return _initials(first, second) or _initials(second, first)


def same_person(one: str, other: str) -> bool:
    """Whether two names can be of one person: surnames alike, first names not at odds.

    Example:
        >>> same_person("Sen. McCain", "John McCain"), same_person("John McCain", "Cindy McCain")
        (True, False)
    """
    first, second = parts(one), parts(other)
    if not first or not second:
        return True
    if len(first) == 1 or len(second) == 1:
        # One word is a surname, or a first name among friends.
        short, long = sorted((first, second), key=len)
        return any(_alike(short[0], word) for word in long)
    if not _alike(first[-1], second[-1]):
        return False
    return _same_first(first[0], second[0]) or first[0] in second or second[0] in first


def fullest(names: Sequence[str]) -> str:
    """The name that says most of several for the same one: most words, then the longest."""
    return max(names, key=lambda name: (len(parts(name)), len(name), name))


def _dotted(name: str) -> bool:
    """Whether full stops belong to initials written together: "U.S.", not "Sen. McCain"."""
    return re.fullmatch(r"(?:the )?(?:\w\.)+\w?\.?(?:['’]s)?", name, re.IGNORECASE) is not None


def _initials(short: tuple[str, ...], long: tuple[str, ...]) -> bool:
    if len(short) != 1 or len(long) < 2:
        return False
    every = "".join(word[0] for word in long)
    main = "".join(word[0] for word in long if word not in _SMALL)
    return short[0] in (every, main)


def _same_first(one: str, other: str) -> bool:
    if len(one) == 1 or len(other) == 1:
        return one[0] == other[0]
    long = _SHORT.get(one, one), _SHORT.get(other, other)
    return long[0] == long[1] or _alike(one, other)


def _alike(one: str, other: str) -> bool:
    """The same word, or another spelling of it: "Zelensky", "Zelenskyy"; "Gaddafi", "Qaddafi"."""
    if one == other:
        return True
    if min(len(one), len(other)) < 5:
        return False
    return bool(JaroWinkler.similarity(one, other, prefix_weight=0.0) >= 0.9)
