"""Sentences written for the tests of the overlap: facts told in two ways, and matters apart."""

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
        "Repairing it will cost four million euros, the town council expects.",
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
    "She bought her first violin at a flea market when she was nine.",
    "The concert hall applauded for ten minutes after the last movement.",
    "Her teacher made her play scales with closed eyes.",
    "A string broke during the rehearsal of the quartet.",
    "She now records film music in a studio without windows.",
)


def told(names, way):
    """The facts of these names, in the first or second way."""
    return " ".join(FACTS[name][way] for name in names)
