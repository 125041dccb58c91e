"""Small segment graphs at random, and what is best on them by trying everything."""

from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import fsum

import numpy as np

from commonground.pyramid import SegmentGraph

# Exact builders prove their result to this.
CLOSE = 1e-8

# Segmentations of a sentence of one, two or three clauses; the whole sentence always is one.
SPLITS = {
    1: [["a"]],
    2: [["a b"], ["a", "b"]],
    3: [["a b c"], ["a", "b c"], ["a b", "c"], ["a", "b", "c"]],
}


@dataclass
class Labels:
    """Segments without similarities."""

    text: list
    sentence: list
    segmentation: list
    segment: list
    words: list

    def graph(self, similarity, **options):
        return SegmentGraph.of(
            self.text,
            self.sentence,
            self.segmentation,
            self.segment,
            self.words,
            similarity,
            **options,
        )

    def shuffled(self, rng):
        """The same texts and nodes in another order, and which node went where."""
        order = rng.permutation(len(self.words))
        texts = rng.permutation(max(self.text) + 1)
        # Sentences keep their order within a text; texts do not keep theirs.
        pairs = set(zip(self.text, self.sentence, strict=True))
        ranked = sorted(pairs, key=lambda pair: (texts[pair[0]], pair[1]))
        sentences = {sentence: place for place, (_, sentence) in enumerate(ranked)}
        return order, Labels(
            [int(texts[self.text[node]]) for node in order],
            [sentences[self.sentence[node]] for node in order],
            [self.segmentation[node] for node in order],
            [self.segment[node] for node in order],
            [self.words[node] for node in order],
        )


def random_labels(rng, texts=3, sentences=2, clauses=3):
    """Texts of a few sentences, some with alternative segmentations that share segments."""
    labels = Labels([], [], [], [], [])
    number = 0
    for text in range(texts):
        for _ in range(rng.integers(1, sentences + 1)):
            splits = SPLITS[int(rng.integers(1, clauses + 1))]
            kept = [splits[0], *(split for split in splits[1:] if rng.random() < 0.7)]
            for segmentation, segments in enumerate(kept):
                for segment, words in enumerate(segments):
                    labels.text.append(text)
                    labels.sentence.append(number)
                    labels.segmentation.append(segmentation)
                    labels.segment.append(segment)
                    labels.words.append(f"{number}: {words}")
            number += 1
    return labels


def random_similarity(rng, words, levels=None):
    """Similarities that depend on the words alone; with few levels, many are equal."""
    table = {}
    matrix = np.eye(len(words))
    for first, second in combinations(range(len(words)), 2):
        key = tuple(sorted((words[first], words[second])))
        if key not in table:
            table[key] = rng.integers(1, levels + 1) / levels if levels else rng.random()
        matrix[first, second] = matrix[second, first] = table[key]
    return matrix


def random_graph(rng, levels=None, percentile=60.0, **shape):
    labels = random_labels(rng, **shape)
    return labels.graph(random_similarity(rng, labels.words, levels), percentile=percentile)


def cliques(graph):
    """Every clique of two or more nodes, as tuples."""
    joined = {(int(a), int(b)) for a, b in zip(graph.first, graph.second, strict=True)}
    level = sorted(joined)
    found = []
    while level:
        found += level
        level = [
            (*clique, node)
            for clique in level
            for node in range(clique[-1] + 1, len(graph))
            if all((member, node) in joined for member in clique)
        ]
    return found


def committed(graph, units):
    """The segmentation of each sentence that units use, or nothing if they disagree."""
    options = {}
    nodes = [node for unit in units for node in unit]
    if len(set(nodes)) < len(nodes):
        return None
    for node in nodes:
        segmentation = int(graph.segmentation[node])
        if options.setdefault(int(graph.sentence[node]), segmentation) != segmentation:
            return None
    return options


def segments(graph, units):
    """How many segments a pyramid has: what is not committed is as fine as it can be."""
    sizes = {}
    for sentence, segmentation in zip(graph.sentence, graph.segmentation, strict=True):
        key = int(sentence), int(segmentation)
        sizes[key] = sizes.get(key, 0) + 1
    options = committed(graph, units)
    return sum(
        max(
            size
            for (of, segmentation), size in sizes.items()
            if of == sentence and options.get(sentence, segmentation) == segmentation
        )
        for sentence in {sentence for sentence, _ in sizes}
    )


def is_pyramid(graph, units):
    """Every sentence in one segmentation, every segment of it in one unit, units are cliques."""
    options = committed(graph, units)
    if options is None or set(options) != set(graph.sentence.tolist()):
        return False
    used = {node for unit in units for node in unit}
    wanted = {
        node
        for node in range(len(graph))
        if options[int(graph.sentence[node])] == int(graph.segmentation[node])
    }
    for unit in units:
        graph.attraction(unit)  # an error if two are not joined
    return used == wanted


def contents(graph, units):
    """Units as what they say, to compare graphs whose nodes are in another order."""
    return sorted(tuple(sorted(graph.words[node] for node in unit)) for unit in units)


@dataclass
class Small:
    """A graph small enough to try every set of compatible cliques.

    Sets are tuples of places among the cliques; `maximal` has those nothing can be added to.
    """

    graph: SegmentGraph
    cliques: list
    attraction: list
    sets: list
    maximal: list

    @classmethod
    def of(cls, graph, most=3000):
        """All sets of a graph, or nothing if it has more than so many or none but the empty one."""
        units = cliques(graph)
        if not 0 < len(units) <= 40:
            return None
        clash = [
            sum(
                1 << place
                for place, other in enumerate(units)
                if not compatible(graph, unit, other)
            )
            for unit in units
        ]
        sets = [((), 0)]
        for place in range(len(units)):
            sets += [
                ((*chosen, place), blocked | clash[place])
                for chosen, blocked in sets
                if not blocked >> place & 1
            ]
            if len(sets) > most:
                return None
        everything = (1 << len(units)) - 1
        return cls(
            graph,
            units,
            [graph.attraction(unit) for unit in units],
            [chosen for chosen, _ in sets],
            [chosen for chosen, blocked in sets if blocked == everything],
        )

    def means(self, chosen):
        """AP without weight 1: the mean attraction of each weight, summed."""
        weights = [len(self.cliques[place]) for place in chosen]
        total = []
        for weight in set(weights):
            values = [
                self.attraction[p] for p, w in zip(chosen, weights, strict=True) if w == weight
            ]
            total.append(fsum(values) / len(values))
        return fsum(total)

    def gains(self, chosen, floor):
        """The objective of our own builder."""
        return fsum((len(self.cliques[p]) - 1) * (self.attraction[p] - floor) for p in chosen)

    def weights(self, chosen):
        return sorted(len(self.cliques[place]) for place in chosen)

    def segments(self, chosen):
        return segments(self.graph, [self.cliques[place] for place in chosen])

    def places(self, units):
        """A set of units as places; units of one segment are left out."""
        return tuple(sorted(self.cliques.index(unit) for unit in units if len(unit) > 1))


def compatible(graph, unit, other):
    return unit != other and committed(graph, (unit, other)) is not None


@cache
def small_graphs(seed):
    """Ten graphs, some with many ties and some with similarities below zero."""
    rng = np.random.default_rng(seed)
    found = []
    while len(found) < 10:
        labels = random_labels(rng, texts=int(rng.integers(2, 5)), sentences=2)
        similarity = random_similarity(rng, labels.words, levels=(None, 4, 2)[len(found) % 3])
        if len(found) >= 8:
            similarity = similarity * 1.6 - 0.8
        small = Small.of(labels.graph(similarity, percentile=float(rng.choice([30, 60, 75]))))
        if small is not None:
            found.append(small)
    return found
