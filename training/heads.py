"""What every network answers, and how its answers are judged in training."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from training.batches import UNKNOWN, Batch

_WORD_WEIGHT = 2.0
_WEAKEST_WEIGHT = 0.3
_CONTRADICTED_WEIGHT = 2.0
_PARTLY_WORD_WEIGHT = 2.0  # words inside partly stated sentences are the hardest


@dataclass(slots=True)
class Answers:
    """Logits: a row of classes for each claim, one for each word."""

    classes: Tensor
    words: Tensor


class Heads(nn.Module):
    """Class and words from the last hidden states."""

    def __init__(self, width: int, dropout: float = 0.1) -> None:
        super().__init__()
        self.drop = nn.Dropout(dropout)
        self.classes = nn.Linear(width, 4)
        self.words = nn.Linear(width, 1)

    def forward(self, hidden: Tensor, batch: Batch) -> Answers:
        flat = self.drop(hidden.reshape(-1, hidden.shape[-1]))
        tops = flat[batch.class_at]
        pieces = self.words(flat[batch.word_tokens])[:, 0]
        words = _means(pieces[:, None], batch.word_of, len(batch.claim_of_word))[:, 0]
        return Answers(self.classes(tops).float(), words.float())


def _means(rows: Tensor, groups: Tensor, count: int) -> Tensor:
    rows = rows.float()
    sums = torch.zeros(count, rows.shape[1], device=rows.device).index_add_(0, groups, rows)
    sizes = torch.zeros(count, device=rows.device).index_add_(
        0, groups, torch.ones_like(rows[:, 0])
    )
    return sums / sizes.clamp(min=1)[:, None]


def hard_loss(answers: Answers, batch: Batch) -> Tensor:
    """The loss against labels; what is unknown costs nothing."""
    logs = answers.classes.log_softmax(-1)
    inside = (logs + batch.allowed.clamp(min=1e-9).log()).logsumexp(-1)
    weights = 1 + (_CONTRADICTED_WEIGHT - 1) * _only(batch, 2)
    loss = -(weights * inside).mean()
    known = batch.words != UNKNOWN
    if known.any():
        each = F.binary_cross_entropy_with_logits(
            answers.words[known], batch.words[known].float(), reduction="none"
        )
        weight = 1 + (_PARTLY_WORD_WEIGHT - 1) * _only(batch, 1)[batch.claim_of_word[known]]
        loss = loss + _WORD_WEIGHT * (each * weight).sum() / weight.sum()
    return loss + _WEAKEST_WEIGHT * _weakest(answers, batch, known)


def soft_loss(answers: Answers, classes: Tensor, words: Tensor) -> Tensor:
    """The loss against a teacher's probabilities."""
    loss = -(classes * answers.classes.log_softmax(-1)).sum(-1).mean()
    return loss + _WORD_WEIGHT * F.binary_cross_entropy_with_logits(answers.words, words)


def _only(batch: Batch, number: int) -> Tensor:
    """1 for claims that can only have this class."""
    return ((batch.allowed.sum(-1) == 1) & (batch.allowed[:, number] == 1)).float()


def _weakest(answers: Answers, batch: Batch, known: Tensor) -> Tensor:
    """Of a claim that is not stated at least one word is not; no word of it is labelled."""
    count = len(batch.class_at)
    labelled = torch.zeros(count, device=known.device).index_add_(
        0, batch.claim_of_word, known.float()
    )
    low = torch.zeros(count, device=known.device).index_add_(
        0, batch.claim_of_word, (-answers.words).clamp(-15, 15).exp()
    )
    free = (batch.allowed[:, 0] == 0) & (labelled == 0) & (low > 0)
    if not free.any():
        return answers.words.sum() * 0
    weakest = -low[free].log()
    return F.binary_cross_entropy_with_logits(weakest, torch.zeros_like(weakest))
