"""Names of large places, each of which holds many smaller ones."""


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
