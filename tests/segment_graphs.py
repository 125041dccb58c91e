"""Small segment graphs at random, and what is best on them by trying everything."""

from dataclasses import dataclass
from itertools import combinations
from math import fsum

import numpy as np

from commonground.units import SegmentGraph

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
        ranked = sorted(set(zip(self.text, self.sentence)), key=lambda p: (texts[p[0]], p[1]))
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


def compatible_sets(graph, candidates):
    """Every set of compatible candidates, the empty one included."""
    sets = [()]
    for candidate in candidates:
        sets += [
            (*units, candidate) for units in sets if committed(graph, (*units, candidate)) is not None
        ]
    return sets


def is_maximal(graph, candidates, units):
    return not any(
        committed(graph, (*units, candidate)) is not None
        for candidate in candidates
        if candidate not in units
    )


def mean_by_weight(graph, units):
    """AP without weight 1, written out."""
    total = []
    for weight in {len(unit) for unit in units if len(unit) > 1}:
        values = [graph.attraction(unit) for unit in units if len(unit) == weight]
        total.append(fsum(values) / len(values))
    return fsum(total)


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
