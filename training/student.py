"""The student: MiniLM whose sentences look into a text that was encoded before."""

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from training.batches import Batch
from training.heads import Answers, Heads

WIDTH, INNER, LAYERS, ATTENTION_HEADS = 384, 1536, 6, 12
_EPSILON = 1e-12


class Layer(nn.Module):
    """A layer of BERT."""

    def __init__(self) -> None:
        super().__init__()
        self.qkv = nn.Linear(WIDTH, 3 * WIDTH)
        self.out = nn.Linear(WIDTH, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, eps=_EPSILON)
        self.up = nn.Linear(WIDTH, INNER)
        self.down = nn.Linear(INNER, WIDTH)
        self.last = nn.LayerNorm(WIDTH, eps=_EPSILON)
        self.drop = nn.Dropout(0.1)

    def projected(self, hidden: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Queries, keys and values: batch x heads x tokens x width of a head."""
        count, length, _ = hidden.shape
        parts = self.qkv(hidden).view(count, length, 3, ATTENTION_HEADS, -1)
        query, key, value = parts.permute(2, 0, 3, 1, 4).unbind(0)
        return query, key, value

    def finish(self, hidden: Tensor, mixed: Tensor) -> Tensor:
        """All that follows attention."""
        mixed = mixed.transpose(1, 2).reshape(hidden.shape)
        hidden = self.norm(hidden + self.drop(self.out(mixed)))
        return self.last(hidden + self.drop(self.down(F.gelu(self.up(hidden)))))

    def forward(self, hidden: Tensor, mask: Tensor) -> Tensor:
        query, key, value = self.projected(hidden)
        dropout = 0.1 if self.training else 0.0
        mixed = F.scaled_dot_product_attention(query, key, value, mask, dropout_p=dropout)
        return self.finish(hidden, mixed)


class Student(nn.Module):
    """MiniLM with the reader's heads."""

    def __init__(self) -> None:
        super().__init__()
        self.word = nn.Embedding(30522, WIDTH)
        self.position = nn.Embedding(512, WIDTH)
        self.side = nn.Embedding(2, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, eps=_EPSILON)
        self.drop = nn.Dropout(0.1)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.heads = Heads(WIDTH)
        # Rare words would be trained on a handful of sentences.
        self.word.weight.requires_grad_(False)

    def embedded(self, ids: Tensor, positions: Tensor, types: Tensor) -> Tensor:
        """The input of the first layer."""
        summed = self.word(ids) + self.position(positions) + self.side(types)
        return self.drop(self.norm(summed))

    def forward(self, batch: Batch) -> Answers:
        hidden = self.embedded(batch.ids, batch.positions, batch.types)
        seen = batch.mask()
        mask = seen[:, None] if seen.ndim == 3 else seen[:, None, None]
        for layer in self.layers:
            hidden = layer(hidden, mask)
        return self.heads(hidden, batch)

    def load_bert(self, weights: dict[str, Tensor]) -> "Student":
        """Start from the weights of all-MiniLM-L6-v2."""
        take = {
            "word.weight": "embeddings.word_embeddings.weight",
            "position.weight": "embeddings.position_embeddings.weight",
            "side.weight": "embeddings.token_type_embeddings.weight",
            "norm.weight": "embeddings.LayerNorm.weight",
            "norm.bias": "embeddings.LayerNorm.bias",
        }
        for number in range(LAYERS):
            ours, theirs = f"layers.{number}.", f"encoder.layer.{number}."
            for one, other in _LAYER_NAMES.items():
                for part in ("weight", "bias"):
                    take[f"{ours}{one}.{part}"] = f"{theirs}{other}.{part}"
        state = {one: weights[other].float() for one, other in take.items()}
        for number in range(LAYERS):
            for part in ("weight", "bias"):
                names = [
                    f"encoder.layer.{number}.attention.self.{side}.{part}"
                    for side in ("query", "key", "value")
                ]
                joined = torch.cat([weights[name].float() for name in names])
                state[f"layers.{number}.qkv.{part}"] = joined
        missing, unexpected = self.load_state_dict(state, strict=False)
        assert not unexpected and all(name.startswith("heads.") for name in missing)
        return self


_LAYER_NAMES = {
    "out": "attention.output.dense",
    "norm": "attention.output.LayerNorm",
    "up": "intermediate.dense",
    "down": "output.dense",
    "last": "output.LayerNorm",
}
