"""Words that cannot both be true of one thing: verbs, states, colours and sides, rooms.

Vectors hold them near each other, as they stand in the same places: only lists tell them apart.
In each list a line is a scale, and bars part its sides; words of a side may mean the same.
"""

# Of a matter one side is true for good, so that its day can be told wrongly as well.
_DECISIONS = """
sign approve | veto
accept approve adopt pass endorse | reject refuse decline
survive | die perish drown
acquit clear exonerate | convict
hire appoint | dismiss fire sack
grant | deny refuse withhold
uphold affirm | overturn reverse quash
confess admit | deny
"""
# What may be so on one day and the contrary on another.
_VERBS = """
win | lose
open reopen | close shut closed
begin start commence | end finish stop cease
stay remain | leave quit
arrive | depart
buy purchase acquire | sell
release free | detain imprison jail
allow permit | forbid ban prohibit
rise increase grow climb | fall drop decrease decline sink
support back favour favor | oppose
succeed | fail
lock | unlock
extend | shorten
include | exclude
"""
# What one thing is or is not at a time, and what one person is.
_STATES = """
alive | dead deceased
guilty | innocent
safe harmless | dangerous hazardous unsafe
empty | full
legal lawful | illegal unlawful
present | absent
true | false untrue
sober | drunk drunken intoxicated
married | single unmarried divorced widowed
employed | unemployed jobless
armed | unarmed
conscious awake | unconscious
awake | asleep
vacant unoccupied | occupied
mandatory compulsory obligatory | voluntary optional
temporary | permanent
man male boy gentleman | woman female girl lady
father son brother husband uncle nephew | mother daughter sister wife aunt niece
"""
_QUALITIES = """
white cream ivory beige | black | grey gray silver | red crimson | blue navy | green | brown | pink
yellow golden | black | grey gray | blue navy | green | purple violet | brown | white
left | right
front | rear back
upper | lower
northern north | southern south | eastern east | western west
"""
_ROOMS = """
kitchen | bathroom washroom | bedroom | laundry | cellar basement | attic loft | garage | pantry
cellar basement | roof rooftop | kitchen | garage | attic loft | workshop | storeroom store | dock
office study | canteen cafeteria | classroom | library | gym | kitchen | bathroom washroom | lobby
"""

Sides = dict[str, set[tuple[int, int]]]


def _sides(text: str) -> Sides:
    """For each word, the lines it stands in, each with its side there."""
    found: Sides = {}
    for number, line in enumerate(text.strip().splitlines()):
        for side, words in enumerate(line.split("|")):
            for word in words.split():
                found.setdefault(word, set()).add((number, side))
    return found


DECISIONS, VERBS = _sides(_DECISIONS), _sides(_DECISIONS + (_VERBS + _STATES.lstrip()).lstrip())
STATES = _sides(_STATES)
QUALITIES, ROOMS = _sides(_QUALITIES), _sides(_ROOMS)


def opposite(sides: Sides, one: str, other: str) -> bool:
    """Whether two words stand on different sides of a line, and on the same side of none."""
    first, second = sides.get(one, set()), sides.get(other, set())
    if not first.isdisjoint(second):
        return False
    return not {number for number, _ in first}.isdisjoint(number for number, _ in second)
