"""Sentences written for the tests of the overlap: facts told in two ways, and matters apart."""

from dataclasses import dataclass

FACTS = {
    "bridge": (
        "The old bridge over the Tarn was closed on Monday after cracks were found in two pillars.",
        "Cracks in two pillars forced the town to close the old Tarn bridge on Monday.",
    ),
    "ferry": (
        "Until the repair is finished, a ferry carries cyclists and walkers across the river.",
        "A ferry takes walkers and cyclists across the river until the repair is finished.",
    ),
    "cost": (
        "The town council expects the repair to cost four million euros.",
        "Repairing the bridge will cost four million euros, the town council expects.",
    ),
    "mayor": (
        "Mayor Elsbeth Quill apologised to everyone who has to make a detour.",
        "Everyone who has to make a detour received an apology from Mayor Elsbeth Quill.",
    ),
    "school": (
        "The school on the far bank starts half an hour later until Christmas.",
        "Until Christmas, lessons at the school on the far bank begin half an hour later.",
    ),
}

# Nothing in either list says what anything in the other one, or a fact above, says.
ORCHARD = (
    "My grandfather planted forty pear trees on the slope behind the farm.",
    "Bees from the hives next door visit the blossom in April.",
    "Small pears are thinned in June, which feels like waste.",
    "The early sorts are ripe at the end of August.",
    "Laid out on straw, the late ones keep until Easter.",
)
VIOLIN = (
    "She bought her first violin at a flea market when she was a child.",
    "The concert hall applauded for ten minutes after the last movement.",
    "Her teacher made her play scales with closed eyes.",
    "A string broke during the rehearsal of the quartet.",
    "She now records film music in a studio without windows.",
)


def told(names, way):
    """The facts of these names, in the first or second way."""
    return " ".join(FACTS[name][way] for name in names)


# An accident. Narratives may give any of these values, and another one than their neighbour.
VALUES = {
    "deaths": ("number", "nine", "fourteen"),
    "damage": ("number", "12", "30"),
    "inquest": ("date", "Tuesday", "Friday"),
    "built": ("date", "1884", "1902"),
    "inspector": ("name", "Maren Holt", "Dieter Vance"),
    "bishop": ("name", "Agnes Coyle", "Peter Lund"),
    "hospital": ("place", "Bristol", "Leeds"),
    "church": ("place", "Gloucester", "Swindon"),
}
ACCIDENT = (
    (
        "The explosion at the Harrow flour mill killed {deaths} workers.",
        "The blast killed {deaths} workers at the Harrow flour mill.",
    ),
    (
        "Insurers put the damage at {damage} million pounds.",
        "The damage is {damage} million pounds, insurers say.",
    ),
    (
        "The inquest into the deaths will open on {inquest}.",
        "On {inquest} the inquest into the deaths will open.",
    ),
    ("The mill was built in {built} by two brothers.", "Two brothers built the mill in {built}."),
    (
        "Inspector {inspector} found the broken valve in the boiler room.",
        "The broken valve in the boiler room was found by Inspector {inspector}.",
    ),
    # The same name, of another matter.
    (
        "A report on the boiler is expected from {inspector} within a month.",
        "Within a month {inspector} is expected to report on the boiler.",
    ),
    (
        "Bishop {bishop} prayed with the families of the dead.",
        "The families of the dead prayed with Bishop {bishop}.",
    ),
    (
        "The injured were flown to the burns hospital in {hospital}.",
        "A helicopter flew the injured to the burns hospital in {hospital}.",
    ),
    (
        "Doctors from {hospital} say that all of the injured will live.",
        "All of the injured will live, doctors from {hospital} say.",
    ),
    (
        "A service for the dead was held in {church}.",
        "In {church} a service was held for the dead.",
    ),
    (
        "The owners closed the mill until a new boiler is fitted.",
        "Until a new boiler is fitted, the owners have closed the mill.",
    ),
    (
        "Neighbours brought blankets and soup to the night shift.",
        "The night shift was given soup and blankets by neighbours.",
    ),
)


@dataclass(frozen=True)
class Accounts:
    """Narratives of the accident, and for each the values that it gives, by name."""

    texts: tuple[str, ...]
    values: tuple[dict[str, str], ...]

    def disputed(self, *kinds):
        """The values of these kinds, or of all, of which narratives give two."""
        return {
            value
            for name, (kind, *both) in VALUES.items()
            if (not kinds or kind in kinds)
            and {one[name] for one in self.values if name in one} == set(both)
            for value in both
        }


def accounts(random, fewest=2, most=3, kind=None):
    """Narratives that share facts, each in its own words, order and values, with matters apart.

    Where a kind is given, the first two differ in a value of that kind at least.
    """
    facts = random.sample(ACCIDENT, random.randint(2, 4))
    odd = random.choice([name for name, (its, *_) in VALUES.items() if its == kind] or [None])
    if odd is not None and not any(_holds(fact[0], odd) for fact in facts):
        facts[0] = random.choice([fact for fact in ACCIDENT if _holds(fact[0], odd)])
    texts, values = [], []
    for place in range(random.randint(fewest, most)):
        given = {name: random.choice(both + both[:1]) for name, (_, *both) in VALUES.items()}
        if odd is not None and place < 2:
            given[odd] = VALUES[odd][1 + place]
        sentences = [random.choice(fact).format(**given) for fact in facts]
        sentences += random.sample(ORCHARD + VIOLIN, random.randint(0, 1))
        random.shuffle(sentences)
        texts.append(random.choice((" ", "\n", "\n\n", "\n\n- ")).join(sentences))
        told_of = {name for name in VALUES if any(_holds(fact[0], name) for fact in facts)}
        values.append({name: given[name] for name in sorted(told_of)})
    return Accounts(tuple(texts), tuple(values))


def _holds(wording, name):
    return f"{{{name}}}" in wording
