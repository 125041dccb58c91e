"""Words that decide to which facet a phrase belongs."""

from typing import Final

_PEOPLE = """
    people person man woman men women boy girl child children family families resident citizen
    voter worker employee staff crew passenger driver pilot sailor officer police policeman
    policewoman firefighter soldier troop guard doctor nurse patient surgeon teacher student pupil
    parent mother father son daughter brother sister husband wife neighbour neighbor friend witness
    victim suspect defendant prisoner judge jury lawyer attorney prosecutor mayor governor president
    minister senator lawmaker legislator congressman congresswoman official spokesman spokeswoman
    spokesperson leader chief director manager owner founder chairman boss engineer scientist
    researcher expert analyst author editor reviewer reporter journalist actor singer player coach
    fan protester demonstrator activist supporter opponent critic rebel militant terrorist gunman
    attacker thief refugee migrant immigrant tourist visitor customer user buyer seller farmer
    fisherman hunter villager crowd team committee council government administration company firm
    court party union army agency authority authorities department ministry parliament congress
    guest host rescuer senate board republican democrat conservative liberal
"""
PEOPLE: Final = frozenset(_PEOPLE.split())
"""Nouns for people and for bodies that act like people."""

_SAYING = """
    say tell announce state claim argue warn deny admit confirm report promise urge ask demand
    accuse blame criticise criticize condemn praise reply respond explain declare insist believe
    think know want plan decide agree refuse vow vote hope fear suggest propose
"""
SAYING: Final = frozenset(_SAYING.split())
"""Verbs whose subject is somebody."""

PLACING: Final = frozenset(
    ("in", "at", "near", "inside", "outside", "on", "across", "along", "under", "behind", "around")
)
"""Prepositions of place."""

_NO_PLACES = """
    statement interview case way fact order time year month week day hour minute moment end
    beginning start result speech letter report wake response addition vote move part name event
    position condition future past process meantime past number amount change situation bid effort
    attempt sense basis issue question matter subject topic
"""
NO_PLACES: Final = frozenset(_NO_PLACES.split())
"""Nouns that stand after such a preposition without being places."""

MEANS: Final = frozenset(("by", "with", "through", "via"))
"""Prepositions of means and manner."""

_NO_MANNER = """
    only early likely daily weekly monthly yearly really nearly recently finally reportedly
    allegedly apparently possibly probably certainly clearly actually especially particularly
    mainly mostly largely partly fully highly currently previously initially originally eventually
    immediately shortly lately formerly normally usually generally typically rarely hardly barely
    merely simply exactly approximately roughly relatively extremely additionally consequently
    unfortunately fortunately similarly increasingly supposedly ultimately family
"""
NO_MANNER: Final = frozenset(_NO_MANNER.split())
"""Words in -ly that say when, how surely or how much, not how."""
