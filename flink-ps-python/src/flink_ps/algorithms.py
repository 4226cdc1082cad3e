"""Algorithms for PyFlink, by SQL beneath: made by ``bin/options``.

An algorithm with its options trains a table of PyFlink into a model, a table of a catalog
(:func:`flink_ps.register_catalog`), by ``INSERT``; the model scores tables by ``PS_PREDICT``. What
the algorithms are for stands in docs/models.md of the project.
"""

from typing import ClassVar, Unpack

from flink_ps import options
from flink_ps.estimator import Algorithm


class DeepFm(Algorithm):
    """As wide-and-deep, with the pairs of a factorization machine."""

    name: ClassVar[str] = "deep-fm"
    options_of: ClassVar[type] = options.DeepFmOptions

    def __init__(self, **given: Unpack[options.DeepFmOptions]) -> None:
        super().__init__(given)


class FactorizationMachine(Algorithm):
    """Sparse features whose pairs matter, though most pairs are rare."""

    name: ClassVar[str] = "factorization-machine"
    options_of: ClassVar[type] = options.FactorizationMachineOptions

    def __init__(self, **given: Unpack[options.FactorizationMachineOptions]) -> None:
        super().__init__(given)


class FieldAwareFactorizationMachine(Algorithm):
    """Rows of the same few columns, a feature acting differently towards each other one."""

    name: ClassVar[str] = "field-aware-factorization-machine"
    options_of: ClassVar[type] = options.FieldAwareFactorizationMachineOptions

    def __init__(self, **given: Unpack[options.FieldAwareFactorizationMachineOptions]) -> None:
        super().__init__(given)


class ImplicitMatrixFactorization(Algorithm):
    """What users took, where not taking says little; learns of rows alone."""

    name: ClassVar[str] = "implicit-matrix-factorization"
    options_of: ClassVar[type] = options.ImplicitMatrixFactorizationOptions

    def __init__(self, **given: Unpack[options.ImplicitMatrixFactorizationOptions]) -> None:
        super().__init__(given)


class LinearRegression(Algorithm):
    """Any number from many sparse features."""

    name: ClassVar[str] = "linear-regression"
    options_of: ClassVar[type] = options.LinearRegressionOptions

    def __init__(self, **given: Unpack[options.LinearRegressionOptions]) -> None:
        super().__init__(given)


class LinearSvm(Algorithm):
    """Yes or no where only the decision counts; its score is a margin."""

    name: ClassVar[str] = "linear-svm"
    options_of: ClassVar[type] = options.LinearSvmOptions

    def __init__(self, **given: Unpack[options.LinearSvmOptions]) -> None:
        super().__init__(given)


class LogisticRegression(Algorithm):
    """Yes or no from many sparse features, where probabilities matter."""

    name: ClassVar[str] = "logistic-regression"
    options_of: ClassVar[type] = options.LogisticRegressionOptions

    def __init__(self, **given: Unpack[options.LogisticRegressionOptions]) -> None:
        super().__init__(given)


class MatrixFactorization(Algorithm):
    """Ratings that users gave to items, to guess those they did not give."""

    name: ClassVar[str] = "matrix-factorization"
    options_of: ClassVar[type] = options.MatrixFactorizationOptions

    def __init__(self, **given: Unpack[options.MatrixFactorizationOptions]) -> None:
        super().__init__(given)


class MultiLayerPerceptron(Algorithm):
    """Dense numbers whose effect is not additive."""

    name: ClassVar[str] = "multi-layer-perceptron"
    options_of: ClassVar[type] = options.MultiLayerPerceptronOptions

    def __init__(self, **given: Unpack[options.MultiLayerPerceptronOptions]) -> None:
        super().__init__(given)


class PoissonRegression(Algorithm):
    """Counts: visits, claims, failures."""

    name: ClassVar[str] = "poisson-regression"
    options_of: ClassVar[type] = options.PoissonRegressionOptions

    def __init__(self, **given: Unpack[options.PoissonRegressionOptions]) -> None:
        super().__init__(given)


class SkipGram(Algorithm):
    """Vectors of what comes in sequences; learns of rows alone."""

    name: ClassVar[str] = "skip-gram"
    options_of: ClassVar[type] = options.SkipGramOptions

    def __init__(self, **given: Unpack[options.SkipGramOptions]) -> None:
        super().__init__(given)


class Softmax(Algorithm):
    """One of several classes from many sparse features."""

    name: ClassVar[str] = "softmax"
    options_of: ClassVar[type] = options.SoftmaxOptions

    def __init__(self, **given: Unpack[options.SoftmaxOptions]) -> None:
        super().__init__(given)


class WideAndDeep(Algorithm):
    """Rows of the same columns: single features and a network over their embeddings."""

    name: ClassVar[str] = "wide-and-deep"
    options_of: ClassVar[type] = options.WideAndDeepOptions

    def __init__(self, **given: Unpack[options.WideAndDeepOptions]) -> None:
        super().__init__(given)


__all__ = [
    "DeepFm",
    "FactorizationMachine",
    "FieldAwareFactorizationMachine",
    "ImplicitMatrixFactorization",
    "LinearRegression",
    "LinearSvm",
    "LogisticRegression",
    "MatrixFactorization",
    "MultiLayerPerceptron",
    "PoissonRegression",
    "SkipGram",
    "Softmax",
    "WideAndDeep",
]
