"""Training and prediction, the same for every network."""

import random
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import nn

from training.batches import Batch, batches, prefetched
from training.heads import hard_loss, soft_loss
from training.items import Claim
from training.packing import Packed
from training.predictions import Predictions

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
torch.backends.cuda.enable_cudnn_sdp(False)  # its gradients overflow with masks of any shape
_HEADS_FASTER = 5

Targets = tuple[torch.Tensor, torch.Tensor]
"""A teacher's probabilities: of the classes of each claim, and of each word."""


@dataclass(frozen=True, slots=True)
class Stream:
    """Sequences to train on; with `targets` a teacher's answers count, else the labels."""

    packed: Sequence[Packed]
    targets: Predictions | None = None


def fit(
    network: nn.Module,
    streams: Sequence[Stream],
    claims: Sequence[Claim],
    *,
    epochs: int,
    rate: float,
    tokens: int,
    causal: bool = False,
    pad: int = 0,
    seed: int = 0,
    name: str = "",
) -> None:
    """Train with AdamW, warm-up and linear decay, in bfloat16 on a GPU."""
    rng = random.Random(seed)
    torch.manual_seed(seed)
    weights = [weight for weight in network.parameters() if weight.requires_grad]
    optimizer = torch.optim.AdamW(
        _groups(network, rate), lr=rate, weight_decay=0.01, fused=DEVICE == "cuda"
    )
    plan = _plan(streams, tokens, rng)
    total = len(plan) * epochs
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min((step + 1) / (0.08 * total + 1), (total - step) / total)
    )
    network.train()
    started = time.monotonic()
    known: list[tuple[Batch, Targets | None]] = []  # collated once, for all epochs
    for epoch in range(epochs):
        summed, skipped = torch.zeros((), device=DEVICE), 0
        made = iter(known) if epoch else _kept(_made(streams, claims, plan, causal, pad), known)
        for number, (batch, targets) in enumerate(made):
            loss = _loss(network, batch, targets)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            norm = nn.utils.clip_grad_norm_(weights, 1.0)
            if torch.isfinite(norm):  # one overflow in bfloat16 must not spoil the weights
                optimizer.step()
                summed += loss.detach()
            else:
                skipped += 1
            schedule.step()
            if number % 200 == 0:
                seconds = time.monotonic() - started
                print(f"{name} step {number} loss {loss.item():.3f} {seconds:.0f} s", flush=True)
        rng.shuffle(known)
        seconds = time.monotonic() - started
        mean = float(summed) / max(1, len(known) - skipped)
        line = (
            f"{name} epoch {epoch + 1}/{epochs} loss {mean:.3f} skipped {skipped} {seconds:.0f} s"
        )
        print(line, file=sys.stderr, flush=True)
        if skipped > len(known) / 2:
            raise SystemExit(f"{name}: most steps overflowed")


def _groups(network: nn.Module, rate: float) -> list[dict[str, object]]:
    """The heads start from nothing, so they learn faster than the body."""
    new, old = [], []
    for name, weight in network.named_parameters():
        if weight.requires_grad:
            (new if name.startswith("heads.") else old).append(weight)
    return [{"params": old}, {"params": new, "lr": rate * _HEADS_FASTER}]


def _plan(streams: Sequence[Stream], tokens: int, rng: random.Random) -> list[list[int]]:
    """Batches of all streams in random order; a batch has sequences of one stream."""
    plan, offset = [], 0
    for stream in streams:
        groups = batches(stream.packed, tokens, rng)
        plan += [[place + offset for place in group] for group in groups if group]
        offset += len(stream.packed)
    rng.shuffle(plan)
    return plan


def _made(
    streams: Sequence[Stream],
    claims: Sequence[Claim],
    plan: list[list[int]],
    causal: bool,
    pad: int,
) -> Iterator[tuple[Batch, Targets | None]]:
    """The batches of a plan with their targets, on the device."""
    sequences = [sequence for stream in streams for sequence in stream.packed]
    owners = [stream for stream in streams for _ in stream.packed]
    made = prefetched(sequences, claims, plan, causal=causal, pad=pad)
    for group, batch in zip(plan, made, strict=True):
        targets = owners[group[0]].targets
        wanted = None
        if targets is not None:
            classes, words = targets.for_batch(batch)
            wanted = torch.from_numpy(classes).to(DEVICE), torch.from_numpy(words).to(DEVICE)
        yield batch.to(DEVICE), wanted


def _kept(
    made: Iterator[tuple[Batch, Targets | None]], known: list[tuple[Batch, Targets | None]]
) -> Iterator[tuple[Batch, Targets | None]]:
    for one in made:
        known.append(one)
        yield one


def _loss(network: nn.Module, batch: Batch, targets: Targets | None) -> torch.Tensor:
    with torch.autocast(DEVICE, dtype=torch.bfloat16, enabled=DEVICE == "cuda"):
        answers = network(batch)
    return hard_loss(answers, batch) if targets is None else soft_loss(answers, *targets)


@torch.no_grad()
def predict(
    network: nn.Module,
    packed: Sequence[Packed],
    claims: Sequence[Claim],
    *,
    tokens: int,
    causal: bool = False,
    pad: int = 0,
) -> Predictions:
    """The probabilities of all claims in these sequences."""
    network.eval()
    found = Predictions.empty(len(claims))
    groups = [group for group in batches(packed, tokens) if group]
    made = prefetched(packed, claims, groups, causal=causal, pad=pad)
    for batch in made:
        with torch.autocast(DEVICE, dtype=torch.bfloat16, enabled=DEVICE == "cuda"):
            answers = network(batch.to(DEVICE))
        found.add(
            batch,
            answers.classes.softmax(-1).cpu().numpy(),
            answers.words.sigmoid().cpu().numpy(),
        )
    return found
