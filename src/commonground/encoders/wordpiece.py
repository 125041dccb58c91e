"""The uncased BERT tokenizer."""

from functools import cache
from importlib import resources

from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

LONGEST_INPUT = 256  # word pieces of all-MiniLM-L6-v2, including special tokens


@cache
def wordpiece_tokenizer() -> Tokenizer:
    """Return a tokenizer that truncates at `LONGEST_INPUT` and never pads."""
    file = resources.files(__package__).joinpath("data/bert-base-uncased-vocab.txt")
    lines = file.read_text("utf-8").split("\n")
    vocabulary = {piece: number for number, piece in enumerate(lines) if piece}
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
