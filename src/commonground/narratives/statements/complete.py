"""Whether what is left of a sentence is complete: its root has its subject, its verbs an object."""

from collections.abc import Sequence

from commonground.narratives.statements.edges import is_mark
from commonground.narratives.statements.tree import Root, Tree

_OBJECTS = frozenset(("dobj", "attr", "acomp", "oprd", "ccomp", "xcomp"))


def complete(tree: Tree, root: Root, kept: Sequence[bool]) -> bool:
    """Whether a cut has all that its root and its verbs cannot do without."""
    return _begins_well(tree, root, kept) and not any(
        stays and (_lost_object(tree, token, kept) or _says_nothing(tree, token, kept))
        for token, stays in enumerate(kept)
    )


def _begins_well(tree: Tree, root: Root, kept: Sequence[bool]) -> bool:
    """Without a subject, what stands before the verb may be one that the parser missed."""
    if any(tree.tags[n] == "TO" and tree.deps[n] == "aux" for n in root.children[root.token]):
        return False  # "Those who pay to park": no finite verb
    if root.subject is not None:
        return kept[root.subject]
    return all(kept[n] or is_mark(tree, n) for n in root.children[root.token] if n < root.token)


def _says_nothing(tree: Tree, noun: int, kept: Sequence[bool]) -> bool:
    """Whether "is a man who ..." has lost all that it told."""
    own = tree.children[noun]
    told = [n for n in own if tree.deps[n] not in ("det", "cc", "conj") and not is_mark(tree, n)]
    vague = any(tree.texts[n].lower() in ("a", "an") for n in own)
    return tree.deps[noun] == "attr" and vague and bool(told) and not any(kept[n] for n in told)


def _lost_object(tree: Tree, verb: int, kept: Sequence[bool]) -> bool:
    """Whether a verb shared the object of another one that went: "They repair and sell clocks"."""
    if not tree.tags[verb].startswith("VB"):
        return False
    if any(tree.deps[n] in _OBJECTS for n in tree.children[verb]):
        return False
    return any(
        tree.deps[n] == "conj"
        and not kept[n]
        and any(tree.deps[m] == "dobj" for m in tree.children[n])
        and not any(
            tree.deps[m] in ("prep", "advmod", "nsubj") for m in tree.children[verb] if m > verb
        )
        for n in tree.children[verb]
    )
