"""The dependency tree of a sentence and its tensed verbs.

Labels are those of spaCy's English models (ClearNLP style), tags those of the Penn Treebank.
"""

import unicodedata
from collections.abc import Container, Sequence, Set
from typing import TYPE_CHECKING

from commonground.text.lexicon import words

if TYPE_CHECKING:
    from spacy.tokens import Doc


class Tree:
    """The tokens of a parsed sentence as plain lists, which are faster than spaCy's attributes.

    Args:
        doc: The sentence; it has at least one token.
        places: The offset in the sentence of each character of `doc`.
    """

    def __init__(self, doc: "Doc", places: Sequence[int]) -> None:
        tokens = list(doc)
        self.words = [token.lower_ for token in tokens]
        self.tags = [token.tag_ for token in tokens]
        self.labels = [token.dep_ for token in tokens]
        self.heads = [token.head.i for token in tokens]
        self.starts = [places[token.idx] for token in tokens]
        self.ends = [places[token.idx + len(token) - 1] + 1 for token in tokens]
        self.mark = [token.is_punct and token.dep_ != "cc" for token in tokens]
        self.children: list[list[int]] = [[] for _ in self.words]
        for token, head in enumerate(self.heads):
            if head != token:
                self.children[head].append(token)
        self.root = next(token for token, head in enumerate(self.heads) if head == token)

    def below(self, top: int, without: Container[int] = ()) -> list[int]:
        """Return `top` and its descendants, parents first, without the subtrees of `without`."""
        tokens = [top]
        for token in tokens:
            tokens.extend(child for child in self.children[token] if child not in without)
        return tokens

    def child(self, token: int, labels: Set[str]) -> int | None:
        """Return the first child of a token with one of these labels."""
        return next((c for c in self.children[token] if self.labels[c] in labels), None)

    def leans_forward(self, token: int) -> bool:
        """Say whether a token is a mark that belongs to the next word: an opening bracket."""
        if not self.mark[token]:
            return False
        if token == 0 or unicodedata.category(self.words[token][0]) in ("Ps", "Pi"):
            return True
        return self._touches(token, token + 1) and not self._touches(token - 1, token)

    def leans_back(self, token: int) -> bool:
        """Say whether a token belongs to the previous one: other marks, and the n't of "didn't"."""
        if self.mark[token]:
            return not self.leans_forward(token)
        return token > 0 and not self.mark[token - 1] and self._touches(token - 1, token)

    def _touches(self, token: int, following: int) -> bool:
        return following < len(self.words) and self.ends[token] == self.starts[following]


SUBJECT = frozenset(("csubj", "csubjpass", "expl", "nsubj", "nsubjpass"))
AUXILIARY = frozenset(("aux", "auxpass"))
_UNTENSED = frozenset(("VB", "VBG", "VBN"))
_TENSED = frozenset(("MD", "VBD", "VBP", "VBZ"))

# A tensed verb with one of these labels and a subject heads a clause; a clausal subject (csubj)
# does not. The last four labels are mostly parser errors.
_SUBORDINATE = words("acl advcl ccomp parataxis pcomp relcl appos dep xcomp acomp")
# After these a participle is not a mistagged past tense: "They got it done".
_CAUSATIVE = words(
    """
    get gets got gotten getting had has have having hear heard keep keeping keeps kept leave leaves
    leaving left made make makes making saw see seeing seen want wanted wants
    """
)
_BE = words("are is was were 's ’s 're ’re am 'm ’m")
_NEGATIVE = words("barely hardly neither never rarely seldom longer")  # "no longer"


def tensed_verbs(tree: Tree) -> set[int]:
    """Return the verbs that head a clause: tensed, or with a tensed auxiliary, own or shared."""
    tensed: set[int] = set()
    for token in tree.below(tree.root):  # parents first: a conjunct depends on the verb before it
        if _may_head_clause(tree, token) and _is_tensed(tree, token, tensed):
            tensed.add(token)
    return {
        verb
        for verb in tensed
        if not _shares_object(tree, verb, tensed) and not _may_be_negated(tree, verb)
    }


def _may_head_clause(tree: Tree, token: int) -> bool:
    if tree.mark[token]:
        return False
    if tree.labels[token] in _SUBORDINATE:  # without a subject: mostly a mistagged participle
        return tree.child(token, SUBJECT) is not None
    return tree.labels[token] in ("ROOT", "conj")


def _is_tensed(tree: Tree, verb: int, tensed: set[int]) -> bool:
    auxiliaries = {tree.tags[c] for c in tree.children[verb] if tree.labels[c] in AUXILIARY}
    if "TO" in auxiliaries:
        return False
    if tree.tags[verb] in _TENSED or not auxiliaries.isdisjoint(_TENSED):
        return True
    if tree.child(verb, SUBJECT) is None:
        return not auxiliaries and tree.heads[verb] in tensed and _is_parallel(tree, verb)
    if tree.child(verb, {"mark"}) is not None and (auxiliaries or {tree.tags[verb]}) == {"VB"}:
        return True  # a subjunctive: "they asked that he leave", "that it be burned"
    return not auxiliaries and _is_mistagged(tree, verb)


def _is_mistagged(tree: Tree, verb: int) -> bool:
    """Say whether a participle with a subject is a past tense."""
    return (
        tree.tags[verb] == "VBN"
        and tree.labels[verb] != "pcomp"  # "with the work finished"
        and tree.child(verb, {"nsubj"}) is not None
        and tree.words[tree.heads[verb]] not in _CAUSATIVE
    )


def _is_parallel(tree: Tree, verb: int) -> bool:
    """Say whether a conjunct has the form of the verb before it, apart from tagging errors."""
    tag, before = tree.tags[verb], tree.heads[verb]
    if tag == tree.tags[before]:
        return tag in _UNTENSED or tag in _TENSED
    mistagged = (tag, tree.tags[before]) in (("VBN", "VBD"), ("VB", "VBP"))
    return mistagged and tree.words[before] not in _BE


def _may_be_negated(tree: Tree, verb: int) -> bool:
    """Say whether a "not" may also apply to a conjunct: "won't stop and wait"."""
    negated = any(_is_negation(tree, child) for child in _lent(tree, verb))
    return negated and not _conjunctions(tree, verb) <= {"but", "or"}


def shared_auxiliaries(tree: Tree, verb: int) -> list[int]:
    """Return the auxiliaries that a conjunct shares, and the negation unless "but" cancels it."""
    undone = "but" in _conjunctions(tree, verb)
    lent = [c for c in _lent(tree, verb) if not (undone and _is_negation(tree, c))]
    return [token for child in lent for token in tree.below(child)]


def _lent(tree: Tree, verb: int) -> list[int]:
    """Return the auxiliaries and negations of the first verb that a conjunct may share."""
    borrower = verb
    while tree.labels[verb] == "conj" and _is_parallel(tree, verb):
        if tree.child(verb, AUXILIARY | SUBJECT) is not None:
            break
        verb = tree.heads[verb]
    if verb == borrower:
        return []
    return [
        child
        for child in tree.children[verb]
        if child < verb and (tree.labels[child] in AUXILIARY or _is_negation(tree, child))
    ]


def _is_negation(tree: Tree, token: int) -> bool:
    return tree.labels[token] == "neg" or tree.words[token] in _NEGATIVE


def _conjunctions(tree: Tree, verb: int) -> set[str]:
    """Return the conjunctions of a list of verbs: "or" in "buy, rent or lease"."""
    while tree.labels[verb] == "conj":
        verb = tree.heads[verb]
    joined = [verb]
    for conjunct in joined:
        joined.extend(c for c in tree.children[conjunct] if tree.labels[c] == "conj")
    return {
        tree.words[c] for v in joined for c in tree.children[v] if c > v and tree.labels[c] == "cc"
    }


def _shares_object(tree: Tree, verb: int, tensed: set[int]) -> bool:
    """Say whether a conjunct shares its object with the verb before it: "wrote and *sent* it"."""
    if tree.labels[verb] != "conj" or tree.child(verb, AUXILIARY | SUBJECT) is not None:
        return False
    if tree.heads[verb] not in tensed or not _is_bare(tree, tree.heads[verb]):
        return False
    while _is_bare(tree, verb) and (following := tree.child(verb, {"conj"})) is not None:
        verb = following
    return tree.child(verb, {"dobj"}) is not None


def _is_bare(tree: Tree, verb: int) -> bool:
    """Say whether only a coordinated verb follows a verb."""
    return all(c < verb or tree.labels[c] in ("cc", "conj", "punct") for c in tree.children[verb])
