"""Choosing among legal actions in NumPy: sets of actions as words, logits as rows."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pedro_env import cardset
from pedro_env.typing import FloatArray, Int64Array, IntArray, UInt64Array
from pedro_env.views import Views


def count_legal(words: UInt64Array) -> Int64Array:
    """``(k,)`` the number of actions in each set ``(k, words)``."""
    total = np.zeros(len(words), np.int64)
    for word in words.T:  # a sum over an axis this short costs more than the counting
        total += np.bitwise_count(word)
    return total


def nth_legal(words: UInt64Array, n: Int64Array) -> Int64Array:
    """``(k,)`` the ``n``-th lowest action (from 0, less than the set's count) of each set ``(k, words)``."""
    word, left, first = words[:, 0], n, np.zeros(len(words), np.int64)
    before = np.zeros(len(words), np.int64)
    for place in range(1, words.shape[1]):
        count = np.bitwise_count(words[:, place - 1])
        before += count
        beyond = n >= before
        word = np.where(beyond, words[:, place], word)
        left = left - np.where(beyond, count, 0)
        first += 64 * beyond
    return first + cardset.nth(word, left)


def decide(views: Views, choose: Callable[[Views], IntArray]) -> Int64Array:
    """``(k,)`` a legal action for each decision: ``choose`` is asked only where there is more than one."""
    words = views.legal
    action = nth_legal(words, np.zeros(len(words), np.int64))
    choosing = np.flatnonzero(count_legal(words) > 1)
    if len(choosing):
        action[choosing] = choose(views if len(choosing) == len(words) else views.take(choosing))
    return action


def sample(logits: np.ndarray, uniform: FloatArray) -> Int64Array:
    """``(k,)`` an action of each row ``(k, actions)``, with the probabilities of the logits' softmax.

    ``uniform`` ``(k,)`` in [0, 1) decides.
    """
    return draw(_weights(logits), uniform)


def draw(weights: np.ndarray, uniform: FloatArray) -> Int64Array:
    """``(k,)`` an action of each row ``(k, actions)``, with probabilities in proportion to its weights.

    ``uniform`` ``(k,)`` in [0, 1) decides, by inverting the distribution function.
    """
    below = weights.cumsum(axis=1, dtype=np.float64)
    total = below[:, -1:]
    threshold = np.minimum(uniform[:, None] * total, np.nextafter(total, 0))  # never an action of probability 0
    return (below <= threshold).sum(axis=1)


def softmax(logits: np.ndarray) -> FloatArray:
    """``(k, actions)`` the probabilities that rows of logits stand for."""
    weight = _weights(logits)
    return weight / weight.sum(axis=1, keepdims=True)


def _weights(logits: np.ndarray) -> FloatArray:
    return np.exp(logits.astype(np.float64) - logits.max(axis=1, keepdims=True))
