"""The tokenizer of the BERT family, uncased, from the vocabulary in this folder."""

from functools import cache
from importlib import resources

from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

LONGEST_INPUT = 256  # word pieces, markers included; what all-MiniLM-L6-v2 was made for


@cache
def wordpiece_tokenizer() -> Tokenizer:
    """A tokenizer that cuts at `LONGEST_INPUT` and never pads."""
    text = (
        resources.files(__package__)
        .joinpath("data/bert-base-uncased-vocab.txt")
        .read_text(encoding="utf-8")
    )
    vocabulary = {piece: number for number, piece in enumerate(text.split("\n")) if piece}
    tokenizer = Tokenizer(
        models.WordPiece(vocabulary, unk_token="[UNK]", max_input_chars_per_word=100)
    )
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        special_tokens=[(marker, vocabulary[marker]) for marker in ("[CLS]", "[SEP]")],
    )
    tokenizer.enable_truncation(LONGEST_INPUT)
    return tokenizer
