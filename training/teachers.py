"""The teachers: a masked encoder that sees text and claim together, and a causal language model."""

from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer
from torch import nn

from training.batches import Batch
from training.heads import Answers, Heads
from training.packing import Packer, Special


class Teacher(nn.Module):
    """A pretrained body with the reader's heads.

    Args:
        folder: A model in the layout of Hugging Face, with tokenizer.json.
        layers: The number of layers to keep; 0 keeps all.
        frozen: How many of the first layers stay as they are.
    """

    def __init__(self, folder: Path, layers: int = 0, frozen: int = 0) -> None:
        super().__init__()
        from transformers import AutoConfig, AutoModel

        config = AutoConfig.from_pretrained(folder)
        if layers:
            config.num_hidden_layers = layers
        self.causal = config.model_type != "mpnet"
        extra = {} if self.causal else {"add_pooling_layer": False}
        self.body: Any = AutoModel.from_pretrained(
            folder, config=config, dtype=torch.float32, **extra
        )
        self.heads = Heads(config.hidden_size)
        self.body.get_input_embeddings().weight.requires_grad_(False)
        for layer in self.body.layers[:frozen] if self.causal else ():
            layer.requires_grad_(False)

    def forward(self, batch: Batch) -> Answers:
        if self.causal:
            hidden = self.body(
                input_ids=batch.ids,
                attention_mask=batch.mask()[:, None],
                position_ids=batch.positions,
                use_cache=False,
            ).last_hidden_state
        else:
            hidden = self.body(input_ids=batch.ids, attention_mask=batch.mask().long())
            hidden = hidden.last_hidden_state
        return self.heads(hidden, batch)


def packer(folder: Path, causal: bool) -> tuple[Packer, int]:
    """The packer of a teacher, and the id that pads its sequences."""
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    if not causal:
        start, end = tokenizer.token_to_id("<s>"), tokenizer.token_to_id("</s>")
        special = Special((start,), (end, end), (), (end,))
        return Packer(tokenizer, special, "crossed"), tokenizer.token_to_id("<pad>")

    def ids(text: str) -> tuple[int, ...]:
        return tuple(tokenizer.encode(text, add_special_tokens=False).ids)

    special = Special(
        ids("Text:\n"), ids("\n"), ids("\nClaim:"), ids("\nVerdict:"), ids("\nAgain:")
    )
    return Packer(tokenizer, special, "causal", " "), 0
