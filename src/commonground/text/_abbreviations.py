"""The words that decide what a full stop means, vetted by hand and sorted by what they do.

nupunkt's default model was trained on scanned legal text. Of its 5,865 abbreviations some 700 are
ordinary English words ("so", "week", "tax", "story"), many more are names and scanning errors;
its 709 sentence openers hold names and offices ("Iran", "Senator", "Secretary") that would end a
sentence after "U.S.". A list of what is wrong in it would be too long to review, so the model is
given these lists in place of its own.
"""


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
