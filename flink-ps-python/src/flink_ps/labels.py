"""Labels of frames as models number them."""

from typing import Any

import numpy as np
import numpy.typing as npt


def places(label: npt.NDArray[Any], names: list[str] | None, labels: int) -> npt.NDArray[np.intp]:
    """Which of a model's labels these are.

    Args:
        label: As rows have it.
        names: The texts of the labels, in their order; None for numbers from 0 on.
        labels: How many there are.

    Raises:
        ValueError: For a label that is none of these.
    """
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
