"""What a cut must keep: without it the claim would be another one."""

from commonground.narratives.statements.tree import Tree
from commonground.narratives.word_lists import word_list

# Without these a verb or preposition is not complete, or the claim is another one. Readers drop
# them in one cut of thirty.
_HELD = frozenset(
    (
        "neg", "aux", "auxpass", "prt", "expl", "quantmod", "mark", "case", "det", "poss",
        "nsubj", "nsubjpass", "csubj", "csubjpass", "dobj", "attr", "acomp", "oprd", "dative",
        "xcomp", "ccomp", "pobj", "pcomp",
    )
)  # fmt: skip
_CONDITIONS = frozenset(("if", "unless", "until", "provided", "except", "without", "according"))
_SPECIFYING = frozenset(("det", "poss", "nummod"))
_NEED_TWO = frozenset(("between", "both", "together", "respectively", "either", "neither"))
_BEING = frozenset(("is", "are", "was", "were", "be", "been", "being", "'s", "’s"))


def held(tree: Tree, token: int, head: int) -> bool:
    """Whether the claim would be another one without it."""
    if tree.deps[token] in _HELD or tree.words[token] == tree.words[head]:
        return True
    if tree.texts[head].lower() in _BEING and tree.deps[token] in ("prep", "advmod"):
        return True
    if _completes(tree, token, head) or _measures(tree, token, head):
        return True
    if _specifies(tree, token, head) or _joins_in(tree, token, head):
        return True
    if _only_manner(tree, token, head):
        return True
    inside = {tree.texts[token].lower()}
    inside |= {
        tree.texts[n].lower() for n in tree.children[token] if tree.deps[n] in ("mark", "advmod")
    }
    if inside & _CONDITIONS:
        return True
    return len(tree.below[token]) <= 2 and bool(inside & word_list("limits"))


def _completes(tree: Tree, token: int, head: int) -> bool:
    """Whether a preposition right after a verb without object completes it: "pay for the buses"."""
    if tree.deps[token] != "prep" or not tree.tags[head].startswith("VB"):
        return False
    if tree.texts[token].lower() == "as" or _admits_to(tree, token):
        return True
    beside = {tree.deps[n] for n in tree.children[head]}
    return (
        token == head + 1
        and tree.texts[token].lower() in word_list("arguments")
        and not beside & {"dobj", "attr", "acomp", "xcomp", "ccomp", "nsubjpass", "auxpass"}
    )


def _admits_to(tree: Tree, token: int) -> bool:
    """Whether a preposition brings a verb: "confessed on Friday to breaking it"."""
    return tree.texts[token].lower() == "to" and any(
        tree.deps[n] == "pcomp" for n in tree.children[token]
    )


def _measures(tree: Tree, token: int, head: int) -> bool:
    """Whether a number belongs to a measure, as in "12 percent"."""
    return tree.deps[token] == "nummod" and tree.tags[head] == "NN"


def _specifies(tree: Tree, token: int, head: int) -> bool:
    """Whether "of" says which: "Members of the crew", without an article or another word."""
    return (
        tree.texts[token].lower() == "of"
        and tree.tags[head] in ("NN", "NNS")
        and not any(tree.deps[n] in _SPECIFYING for n in tree.children[head])
    )


def _only_manner(tree: Tree, token: int, head: int) -> bool:
    """Whether an adverb is all that a passive verb tells: "is clearly written"."""
    deps = [tree.deps[n] for n in tree.children[head]]
    return (
        tree.deps[token] == "advmod"
        and "auxpass" in deps
        and deps.count("advmod") == 1
        and not {"prep", "agent", "oprd", "xcomp", "ccomp", "advcl", "npadvmod"} & {*deps}
    )


def _joins_in(tree: Tree, token: int, head: int) -> bool:
    """Whether a second thing is needed: "between the river and the road", "both he and she"."""
    if tree.deps[token] != "conj":
        return False
    above = tree.heads[head]
    beside = {tree.texts[n].lower() for n in (*tree.children[head], *tree.children[above], above)}
    return bool(beside & _NEED_TWO)
