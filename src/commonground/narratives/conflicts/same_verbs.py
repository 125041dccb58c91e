"""Verbs that tell the same event, whatever their object.

Vectors of bare verbs do not say so: with `minilm` "get" and "receive" have a cosine of .60, "close"
and "shut" .59, but "buy" and "sell" .76 and "win" and "lose" .69. So they are listed.
"""

from typing import Final

_GROUPS: Final = """
    acquire buy purchase / aid assist help / allow let permit / announce declare
    answer reply respond / arrest detain / arrive come / ban forbid outlaw prohibit / begin start
    bring carry take transport / build construct erect / call phone ring telephone
    check examine inspect / choose pick select / close close_down shut shut_down / collect gather
    complete end finish / cry weep / damage harm / decide resolve / delete erase
    demolish pull_down tear_down / deny dispute / depart leave / destroy ruin wreck / die perish
    disappear vanish / disclose hand_over / discover find / dismiss fire sack / dispatch send
    escape flee / fall_over tip_over topple / fix mend repair / flood inundate
    get obtain receive / give grant / halt stop / happen occur take_place / hit strike
    hurl throw toss / hurt injure wound / increase raise / jam stick / kill slay / laud praise
    log record / lower reduce / need require / notice spot / pay_back refund repay
    pledge promise vow / quit resign step_down / renovate restore / rescue save / say state
    scream shout yell / shake tremble / skid slide / speak talk / want wish
"""


def _numbered() -> dict[str, int]:
    groups = (group.split() for line in _GROUPS.splitlines() for group in line.split("/"))
    return {verb.replace("_", " "): number for number, group in enumerate(groups) for verb in group}


_GROUP_OF: Final = _numbered()


def same_verb(one: str, other: str) -> bool:
    """Whether two verbs in their base form, with their particles, tell the same event.

    Example:
        >>> same_verb("close", "shut"), same_verb("buy", "sell")
        (True, False)
    """
    group = _GROUP_OF.get(one)
    return one == other or (group is not None and group == _GROUP_OF.get(other))
