"""Measures of predictions, as the command line has them."""

from typing import Any

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.float64]

_LEAST = 1e-15
"""No probability counts as less, so that one sure mistake is no infinite loss."""


def of_numbers(predicted: npt.NDArray[Any], label: Numbers, weight: Numbers) -> dict[str, float]:
    """The measures of a model of numbers: rmse, mae and r2."""
    off = predicted.astype(float) - label
    mean = _mean(label, weight)
    spread = _mean((label - mean) ** 2, weight)
    squared = _mean(off**2, weight)
    return {
        "rmse": float(np.sqrt(squared)),
        "mae": _mean(np.abs(off), weight),
        "r2": 1 - squared / spread if spread > 0 else float("nan"),
    }


def of_labels(
    predicted: npt.NDArray[Any],
    probabilities: Numbers | None,
    label: npt.NDArray[Any],
    weight: Numbers,
    names: list[str] | None,
) -> dict[str, float]:
    """The measures of a model of labels: accuracy, and logloss and auc where they are defined.

    Args:
        predicted: The likeliest labels.
        probabilities: A column for each label; None if there are none.
        label: As rows have it.
        weight: Of the rows.
        names: The texts of the labels, in the order of the columns; None for numbers from 0 on.

    Raises:
        ValueError: For a label that is none of these.
    """
    labels = 2 if probabilities is None else probabilities.shape[1]
    index = _indices(label, names, labels)
    found = {"accuracy": _mean(index == _indices(predicted, names, labels), weight)}
    if probabilities is None:
        return found
    own = probabilities[np.arange(len(index)), index]
    found["logloss"] = _mean(-np.log(np.clip(own, _LEAST, 1)), weight)
    if labels == 2:
        found["auc"] = _auc(probabilities[:, 1], index, weight)
    return found


def _mean(values: npt.NDArray[Any], weight: Numbers) -> float:
    return float(np.average(values, weights=weight))


def _indices(label: npt.NDArray[Any], names: list[str] | None, labels: int) -> npt.NDArray[np.intp]:
    """Which labels these are."""
    if names is None:
        known: dict[object, int] = {float(n): n for n in range(labels)}
        if labels == 2:
            known[-1.0] = 0
        keys: list[object] = [_number(each) for each in label]
    else:
        numbers = [_number(name) for name in names]
        are_numbers = all(isinstance(each, float) for each in numbers)
        known = {each: n for n, each in enumerate(numbers if are_numbers else names)}
        keys = [_number(each) if are_numbers else str(each) for each in label]
    if unknown := next((each for each in keys if each not in known), None):
        raise ValueError(f"label {unknown!r} is none of the model's: {', '.join(map(str, known))}")
    return np.array([known[each] for each in keys], dtype=np.intp)


def _number(label: object) -> object:
    """A label as a number where it is one."""
    try:
        return float(label)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return label


def _auc(score: Numbers, label: npt.NDArray[np.intp], weight: Numbers) -> float:
    """The area under the ROC curve, ties counting half."""
    values, place = np.unique(score, return_inverse=True)
    up = np.bincount(place, weight * (label == 1), len(values))
    down = np.bincount(place, weight * (label == 0), len(values))
    if up.sum() == 0 or down.sum() == 0:
        return float("nan")
    below = np.cumsum(down) - down
    return float((up * (below + down / 2)).sum() / (up.sum() * down.sum()))
