"""The clauses of a sentence: their words, and which clause depends on which."""

from dataclasses import dataclass, field

from commonground.text.clauses.tree import SUBJECT, Tree, shared_auxiliaries, tensed_verbs

_SEPARATORS = frozenset((",", ";", ":", "-", "--", "–", "—"))
_SENTENCE_ENDS = frozenset("….!?。！？")


@dataclass(slots=True)
class Clause:
    """A tensed verb with its words; the first clause of a sentence is that of the root.

    Attributes:
        verb: The token that heads it.
        host: The index of the clause it is part of; the root clause is its own host.
        depth: 0 for main clauses, also coordinate ones, plus 1 for each subordination.
        words: Its own tokens, in order.
        borrowed: Tokens of other clauses that it repeats: a shared subject, shared auxiliaries,
            or the noun that a relative clause describes.
    """

    verb: int
    host: int
    depth: int
    words: list[int] = field(default_factory=list)
    borrowed: list[int] = field(default_factory=list)


def find_clauses(tree: Tree) -> list[Clause]:
    """Return the clauses of a sentence, root first, parents before children.

    Each token is in the `words` of exactly one clause.
    """
    return _Finder(tree).find()


def _clause_heads(tree: Tree) -> set[int]:
    """Return the tensed verbs and the root; the root alone if there is only one verb phrase."""
    verbs = tensed_verbs(tree)
    fragment = not tree.tags[tree.root].startswith(("MD", "VB"))
    return {tree.root} if fragment and len(verbs) < 2 else verbs | {tree.root}


class _Finder:
    """The state of the search for the clauses of one sentence."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.verbs = _clause_heads(tree)
        self.tops = {self._top(verb): verb for verb in self.verbs}
        self.clauses: list[Clause] = []
        self.number: dict[int, int] = {}  # index of the clause that a verb heads
        self.owner: dict[int, int] = {}  # index of the clause that a token belongs to

    def find(self) -> list[Clause]:
        tree = self.tree
        for token in tree.below(tree.root):
            if token in self.tops:
                self._open(token, self.tops[token])
            else:
                self.owner[token] = self.owner[tree.heads[token]]
        for clause in self.clauses:
            clause.borrowed = self._borrowed(clause)
        self._give_conjunctions_to_hosts()
        self._give_marks_to_neighbours()
        for token in range(len(tree.words)):
            self.clauses[self.owner[token]].words.append(token)
        return self.clauses

    def _top(self, verb: int) -> int:
        """Return the top token of a clause: a preposition belongs to the clause it governs."""
        head = self.tree.heads[verb]
        return head if self.tree.labels[verb] == "pcomp" and head not in self.verbs else verb

    def _open(self, top: int, verb: int) -> None:
        number = len(self.clauses)
        self.number[verb] = self.owner[top] = number
        if number == 0:
            self.clauses.append(Clause(verb, 0, 0))
            return
        first = self._first_conjunct(verb)
        host = self.owner[self.tree.heads[top]]
        depth = self.clauses[host].depth + (self.tree.labels[verb] != "parataxis")
        if first != verb and first in self.number:
            depth = self.clauses[self.number[first]].depth
            if self._subject(verb) is not None:
                host = self.clauses[self.number[first]].host
        self.clauses.append(Clause(verb, host, depth))

    def _first_conjunct(self, verb: int) -> int:
        """Return the first verb of a coordination of clauses."""
        tree = self.tree
        while tree.labels[verb] == "conj" and tree.heads[verb] in self.verbs:
            verb = tree.heads[verb]
        return verb

    def _subject(self, verb: int) -> int | None:
        return self.tree.child(verb, SUBJECT)

    def _borrowed(self, clause: Clause) -> list[int]:
        tree, verb = self.tree, clause.verb
        borrowed: list[int] = []
        first = self._first_conjunct(verb)
        if tree.labels[first] == "relcl" and tree.heads[first] not in self.verbs:
            borrowed += self._phrase(tree.heads[first], before=first)
        if tree.labels[verb] in ("ROOT", "conj") and self._subject(verb) is None:
            borrowed += self._shared_subject(clause)
            borrowed += shared_auxiliaries(tree, verb)
        return sorted(set(borrowed))

    def _shared_subject(self, clause: Clause) -> list[int]:
        """Return the subject of the nearest clause before or above that has one."""
        subject = self._listed_subject(clause.verb)
        while subject is None and clause.host != self.number[clause.verb]:
            clause = self.clauses[clause.host]
            subject = self._listed_subject(clause.verb)
        return [] if subject is None else self._phrase(subject)

    def _listed_subject(self, verb: int) -> int | None:
        """Return the subject of a verb or of the list it is in.

        In "it rose, fell and broke" the parser makes "it rose" a complement of "fell".
        """
        own = self._subject(verb)
        if own is not None:
            return own
        for child in self.tree.children[verb]:
            listed = self.tree.labels[child] == "ccomp" and child < verb and child in self.verbs
            if listed and self.tree.child(child, {"mark"}) is None:
                return self._subject(child)
        return None

    def _phrase(self, noun: int, before: int | None = None) -> list[int]:
        """Return a noun phrase without clauses, appositions and outer commas."""
        tree = self.tree
        apart = {token for token, label in enumerate(tree.labels) if label == "appos"}
        words = sorted(tree.below(noun, apart | self.tops.keys()))
        if before is not None:
            words = [word for word in words if word < before]
        outer = [index for index, word in enumerate(words) if tree.words[word] not in _SEPARATORS]
        return words[outer[0] : outer[-1] + 1] if outer else []

    def _give_conjunctions_to_hosts(self) -> None:
        """Assign the "and" of "says that A and that B" to "says", not to A."""
        tree = self.tree
        for clause in self.clauses:
            verb, governor = clause.verb, self.clauses[clause.host].verb
            if clause.depth and tree.labels[verb] == "conj" and self._subject(verb) is not None:
                for token in tree.children[tree.heads[verb]]:
                    if tree.labels[token] == "cc" and governor < token < verb:
                        self.owner[token] = clause.host

    def _give_marks_to_neighbours(self) -> None:
        """Assign a punctuation mark, or the n't of "didn't", to the clause of its word."""
        tree, last = self.tree, len(self.tree.words) - 1
        for token in range(last - 1, -1, -1):
            if tree.leans_forward(token) and token not in self.verbs:
                self.owner[token] = self.owner[token + 1]
        for token in range(1, last + 1):
            if tree.leans_back(token) and token not in self.verbs:
                self.owner[token] = self.owner[token - 1]
        for number, clause in enumerate(self.clauses):
            self._take_comma(number, clause)
        self._give_end_to_main_clause(last)

    def _take_comma(self, number: int, clause: Clause) -> None:
        """Give the comma to a clause that repeats the word before it: "Ann, who left"."""
        first = min(token for token, owner in self.owner.items() if owner == number)
        if first - 2 in clause.borrowed and self.tree.words[first - 1] == ",":
            self.owner[first - 1] = number

    def _give_end_to_main_clause(self, last: int) -> None:
        """Assign the full stop to the main clause, unless that ends in another mark."""
        tree = self.tree
        ends: list[int] = []
        while _SENTENCE_ENDS.issuperset(tree.words[last]) and last not in self.verbs:
            ends.append(last)
            last -= 1
        main = self._main(self.owner[last])
        word = max(token for token in range(last + 1) if self.owner[token] == main)
        if not tree.mark[word] and not tree.words[word].endswith("."):
            self.owner.update(dict.fromkeys(ends, main))

    def _main(self, number: int) -> int:
        while self.clauses[number].depth > 0:
            number = self.clauses[number].host
        return number
