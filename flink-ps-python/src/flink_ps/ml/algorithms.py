"""Stages of Flink ML, made of Java's definitions by ``bin/options``."""

from typing import ClassVar

from flink_ps.ml.params import (
    BoundedParams,
    HasClasses,
    HasFactors,
    HasFeaturesCol,
    HasFeaturesCols,
    HasHidden,
    HasItemCol,
    HasK,
    HasLabelCol,
    HasLabelValues,
    HasMetricsNames,
    HasNumFeatures,
    HasPredictionCol,
    HasRawPredictionCol,
    HasTask,
    HasUserCol,
    HasWeightCol,
    HasWindow,
    OnlineParams,
    PsParams,
)
from flink_ps.ml.stage import Estimator, Evaluator, Model


class DeepFmModel(
    Model,
    HasFeaturesCols,
    HasFeaturesCol,
    HasFactors,
    HasHidden,
    HasTask,
    HasLabelValues,
    HasRawPredictionCol,
    HasPredictionCol,
):
    """The model of DeepFm and OnlineDeepFm."""

    java_name: ClassVar[str] = "io.github.flinkps.flink.ml.DeepFmModel"


class FactorizationMachineModel(
    Model,
    HasFeaturesCol,
    HasFeaturesCols,
    HasNumFeatures,
    HasFactors,
    HasTask,
    HasLabelValues,
    HasRawPredictionCol,
    HasPredictionCol,
):
    """The model of FactorizationMachine and OnlineFactorizationMachine."""

    java_name: ClassVar[str] = "io.github.flinkps.flink.ml.FactorizationMachineModel"


class FieldAwareFactorizationMachineModel(
    Model,
    HasFeaturesCols,
    HasFeaturesCol,
    HasFactors,
    HasTask,
    HasLabelValues,
    HasRawPredictionCol,
    HasPredictionCol,
):
    """The model of FieldAwareFactorizationMachine and OnlineFieldAwareFactorizationMachine."""

    java_name: ClassVar[str] = "io.github.flinkps.flink.ml.FieldAwareFactorizationMachineModel"


class ImplicitMatrixFactorizationModel(Model, HasUserCol, HasItemCol, HasFactors, HasPredictionCol):
    """The model of ImplicitMatrixFactorization and OnlineImplicitMatrixFactorization."""

    java_name: ClassVar[str] = "io.github.flinkps.flink.ml.ImplicitMatrixFactorizationModel"


class LinearRegressionModel(
    Model, HasFeaturesCol, HasFeaturesCols, HasNumFeatures, HasPredictionCol
):
    """The model of LinearRegression and OnlineLinearRegression."""

    java_name: ClassVar[str] = "io.github.flinkps.flink.ml.LinearRegressionModel"


class LinearSvmModel(
    Model,
    HasFeaturesCol,
    HasFeaturesCols,
    HasNumFeatures,
    HasLabelValues,
    HasRawPredictionCol,
    HasPredictionCol,
):
    """The model of LinearSvm and OnlineLinearSvm."""

    java_name: ClassVar[str] = "io.github.flinkps.flink.ml.LinearSvmModel"


class LogisticRegressionModel(
    Model,
    HasFeaturesCol,
    HasFeaturesCols,
    HasNumFeatures,
    HasLabelValues,
    HasRawPredictionCol,
    HasPredictionCol,
):
    """The model of LogisticRegression and OnlineLogisticRegression."""

    java_name: ClassVar[str] = "io.github.flinkps.flink.ml.LogisticRegressionModel"


class MatrixFactorizationModel(Model, HasUserCol, HasItemCol, HasFactors, HasPredictionCol):
    """The model of MatrixFactorization and OnlineMatrixFactorization."""

    java_name: ClassVar[str] = "io.github.flinkps.flink.ml.MatrixFactorizationModel"


class MultiLayerPerceptronModel(
    Model,
    HasFeaturesCol,
    HasFeaturesCols,
    HasNumFeatures,
    HasHidden,
    HasClasses,
    HasTask,
    HasLabelValues,
    HasRawPredictionCol,
    HasPredictionCol,
):
    """The model of MultiLayerPerceptron and OnlineMultiLayerPerceptron."""

    java_name: ClassVar[str] = "io.github.flinkps.flink.ml.MultiLayerPerceptronModel"


class PoissonRegressionModel(
    Model, HasFeaturesCol, HasFeaturesCols, HasNumFeatures, HasPredictionCol
):
    """The model of OnlinePoissonRegression and PoissonRegression."""

    java_name: ClassVar[str] = "io.github.flinkps.flink.ml.PoissonRegressionModel"


class SkipGramModel(Model, HasFeaturesCol, HasFactors, HasWindow, HasPredictionCol):
    """The model of OnlineSkipGram and SkipGram."""

    java_name: ClassVar[str] = "io.github.flinkps.flink.ml.SkipGramModel"


class SoftmaxModel(
    Model,
    HasFeaturesCol,
    HasFeaturesCols,
    HasNumFeatures,
    HasClasses,
    HasLabelValues,
    HasRawPredictionCol,
    HasPredictionCol,
):
    """The model of OnlineSoftmax and Softmax."""

    java_name: ClassVar[str] = "io.github.flinkps.flink.ml.SoftmaxModel"


class WideAndDeepModel(
    Model,
    HasFeaturesCols,
    HasFeaturesCol,
    HasFactors,
    HasHidden,
    HasTask,
    HasLabelValues,
    HasRawPredictionCol,
    HasPredictionCol,
):
    """The model of OnlineWideAndDeep and WideAndDeep."""

    java_name: ClassVar[str] = "io.github.flinkps.flink.ml.WideAndDeepModel"


class DeepFm(
    Estimator[DeepFmModel],
    HasFeaturesCols,
    HasFeaturesCol,
    HasFactors,
    HasHidden,
    HasTask,
    HasLabelValues,
    HasRawPredictionCol,
    HasLabelCol,
    BoundedParams,
    PsParams,
):
    """As wide-and-deep, with the pairs of a factorization machine."""

    java_name: ClassVar[str] = "io.github.flinkps.flink.ml.DeepFm"


class FactorizationMachine(
    Estimator[FactorizationMachineModel],
    HasFeaturesCol,
    HasFeaturesCols,
    HasNumFeatures,
    HasFactors,
    HasTask,
    HasLabelValues,
    HasRawPredictionCol,
    HasLabelCol,
    BoundedParams,
    PsParams,
):
    """Sparse features whose pairs matter, though most pairs are rare."""

    java_name: ClassVar[str] = "io.github.flinkps.flink.ml.FactorizationMachine"


class FieldAwareFactorizationMachine(
    Estimator[FieldAwareFactorizationMachineModel],
    HasFeaturesCols,
    HasFeaturesCol,
    HasFactors,
    HasTask,
    HasLabelValues,
    HasRawPredictionCol,
    HasLabelCol,
    BoundedParams,
    PsParams,
):
    """Rows of the same few columns, a feature acting differently towards each other one."""

    java_name: ClassVar[str] = "io.github.flinkps.flink.ml.FieldAwareFactorizationMachine"


class ImplicitMatrixFactorization(
    Estimator[ImplicitMatrixFactorizationModel],
    HasUserCol,
    HasItemCol,
    HasFactors,
    BoundedParams,
    PsParams,
):
    """What users took, where not taking says little; learns of rows alone."""

    java_name: ClassVar[str] = "io.github.flinkps.flink.ml.ImplicitMatrixFactorization"


class LinearRegression(
    Estimator[LinearRegressionModel],
    HasFeaturesCol,
    HasFeaturesCols,
    HasNumFeatures,
    HasLabelCol,
    BoundedParams,
    PsParams,
):
    """Any number from many sparse features."""

    java_name: ClassVar[str] = "io.github.flinkps.flink.ml.LinearRegression"


class LinearSvm(
    Estimator[LinearSvmModel],
    HasFeaturesCol,
    HasFeaturesCols,
    HasNumFeatures,
    HasLabelValues,
    HasRawPredictionCol,
    HasLabelCol,
    BoundedParams,
    PsParams,
):
    """Yes or no where only the decision counts; its score is a margin."""

    java_name: ClassVar[str] = "io.github.flinkps.flink.ml.LinearSvm"


class LogisticRegression(
    Estimator[LogisticRegressionModel],
    HasFeaturesCol,
    HasFeaturesCols,
    HasNumFeatures,
    HasLabelValues,
    HasRawPredictionCol,
    HasLabelCol,
    BoundedParams,
    PsParams,
):
    """Yes or no from many sparse features, where probabilities matter."""

    java_name: ClassVar[str] = "io.github.flinkps.flink.ml.LogisticRegression"


class MatrixFactorization(
    Estimator[MatrixFactorizationModel],
    HasUserCol,
    HasItemCol,
    HasFactors,
    HasLabelCol,
    BoundedParams,
    PsParams,
):
    """Ratings that users gave to items, to guess those they did not give."""

    java_name: ClassVar[str] = "io.github.flinkps.flink.ml.MatrixFactorization"


class MultiLayerPerceptron(
    Estimator[MultiLayerPerceptronModel],
    HasFeaturesCol,
    HasFeaturesCols,
    HasNumFeatures,
    HasHidden,
    HasClasses,
    HasTask,
    HasLabelValues,
    HasRawPredictionCol,
    HasLabelCol,
    BoundedParams,
    PsParams,
):
    """Dense numbers whose effect is not additive."""

    java_name: ClassVar[str] = "io.github.flinkps.flink.ml.MultiLayerPerceptron"


class OnlineDeepFm(
    Estimator[DeepFmModel],
    HasFeaturesCols,
    HasFeaturesCol,
    HasFactors,
    HasHidden,
    HasTask,
    HasLabelValues,
    HasRawPredictionCol,
    HasLabelCol,
    OnlineParams,
    PsParams,
):
    """DeepFm on tables without end."""

    java_name: ClassVar[str] = "io.github.flinkps.flink.ml.OnlineDeepFm"


class OnlineFactorizationMachine(
    Estimator[FactorizationMachineModel],
    HasFeaturesCol,
    HasFeaturesCols,
    HasNumFeatures,
    HasFactors,
    HasTask,
    HasLabelValues,
    HasRawPredictionCol,
    HasLabelCol,
    OnlineParams,
    PsParams,
):
    """FactorizationMachine on tables without end."""

    java_name: ClassVar[str] = "io.github.flinkps.flink.ml.OnlineFactorizationMachine"


class OnlineFieldAwareFactorizationMachine(
    Estimator[FieldAwareFactorizationMachineModel],
    HasFeaturesCols,
    HasFeaturesCol,
    HasFactors,
    HasTask,
    HasLabelValues,
    HasRawPredictionCol,
    HasLabelCol,
    OnlineParams,
    PsParams,
):
    """FieldAwareFactorizationMachine on tables without end."""

    java_name: ClassVar[str] = "io.github.flinkps.flink.ml.OnlineFieldAwareFactorizationMachine"


class OnlineImplicitMatrixFactorization(
    Estimator[ImplicitMatrixFactorizationModel],
    HasUserCol,
    HasItemCol,
    HasFactors,
    OnlineParams,
    PsParams,
):
    """ImplicitMatrixFactorization on tables without end."""

    java_name: ClassVar[str] = "io.github.flinkps.flink.ml.OnlineImplicitMatrixFactorization"


class OnlineLinearRegression(
    Estimator[LinearRegressionModel],
    HasFeaturesCol,
    HasFeaturesCols,
    HasNumFeatures,
    HasLabelCol,
    OnlineParams,
    PsParams,
):
    """LinearRegression on tables without end."""

    java_name: ClassVar[str] = "io.github.flinkps.flink.ml.OnlineLinearRegression"


class OnlineLinearSvm(
    Estimator[LinearSvmModel],
    HasFeaturesCol,
    HasFeaturesCols,
    HasNumFeatures,
    HasLabelValues,
    HasRawPredictionCol,
    HasLabelCol,
    OnlineParams,
    PsParams,
):
    """LinearSvm on tables without end."""

    java_name: ClassVar[str] = "io.github.flinkps.flink.ml.OnlineLinearSvm"


class OnlineLogisticRegression(
    Estimator[LogisticRegressionModel],
    HasFeaturesCol,
    HasFeaturesCols,
    HasNumFeatures,
    HasLabelValues,
    HasRawPredictionCol,
    HasLabelCol,
    OnlineParams,
    PsParams,
):
    """LogisticRegression on tables without end."""

    java_name: ClassVar[str] = "io.github.flinkps.flink.ml.OnlineLogisticRegression"


class OnlineMatrixFactorization(
    Estimator[MatrixFactorizationModel],
    HasUserCol,
    HasItemCol,
    HasFactors,
    HasLabelCol,
    OnlineParams,
    PsParams,
):
    """MatrixFactorization on tables without end."""

    java_name: ClassVar[str] = "io.github.flinkps.flink.ml.OnlineMatrixFactorization"


class OnlineMultiLayerPerceptron(
    Estimator[MultiLayerPerceptronModel],
    HasFeaturesCol,
    HasFeaturesCols,
    HasNumFeatures,
    HasHidden,
    HasClasses,
    HasTask,
    HasLabelValues,
    HasRawPredictionCol,
    HasLabelCol,
    OnlineParams,
    PsParams,
):
    """MultiLayerPerceptron on tables without end."""

    java_name: ClassVar[str] = "io.github.flinkps.flink.ml.OnlineMultiLayerPerceptron"


class OnlinePoissonRegression(
    Estimator[PoissonRegressionModel],
    HasFeaturesCol,
    HasFeaturesCols,
    HasNumFeatures,
    HasLabelCol,
    OnlineParams,
    PsParams,
):
    """PoissonRegression on tables without end."""

    java_name: ClassVar[str] = "io.github.flinkps.flink.ml.OnlinePoissonRegression"


class OnlineSkipGram(
    Estimator[SkipGramModel], HasFeaturesCol, HasFactors, HasWindow, OnlineParams, PsParams
):
    """SkipGram on tables without end."""

    java_name: ClassVar[str] = "io.github.flinkps.flink.ml.OnlineSkipGram"


class OnlineSoftmax(
    Estimator[SoftmaxModel],
    HasFeaturesCol,
    HasFeaturesCols,
    HasNumFeatures,
    HasClasses,
    HasLabelValues,
    HasRawPredictionCol,
    HasLabelCol,
    OnlineParams,
    PsParams,
):
    """Softmax on tables without end."""

    java_name: ClassVar[str] = "io.github.flinkps.flink.ml.OnlineSoftmax"


class OnlineWideAndDeep(
    Estimator[WideAndDeepModel],
    HasFeaturesCols,
    HasFeaturesCol,
    HasFactors,
    HasHidden,
    HasTask,
    HasLabelValues,
    HasRawPredictionCol,
    HasLabelCol,
    OnlineParams,
    PsParams,
):
    """WideAndDeep on tables without end."""

    java_name: ClassVar[str] = "io.github.flinkps.flink.ml.OnlineWideAndDeep"


class PoissonRegression(
    Estimator[PoissonRegressionModel],
    HasFeaturesCol,
    HasFeaturesCols,
    HasNumFeatures,
    HasLabelCol,
    BoundedParams,
    PsParams,
):
    """Counts: visits, claims, failures."""

    java_name: ClassVar[str] = "io.github.flinkps.flink.ml.PoissonRegression"


class SkipGram(
    Estimator[SkipGramModel], HasFeaturesCol, HasFactors, HasWindow, BoundedParams, PsParams
):
    """Vectors of what comes in sequences; learns of rows alone."""

    java_name: ClassVar[str] = "io.github.flinkps.flink.ml.SkipGram"


class Softmax(
    Estimator[SoftmaxModel],
    HasFeaturesCol,
    HasFeaturesCols,
    HasNumFeatures,
    HasClasses,
    HasLabelValues,
    HasRawPredictionCol,
    HasLabelCol,
    BoundedParams,
    PsParams,
):
    """One of several classes from many sparse features."""

    java_name: ClassVar[str] = "io.github.flinkps.flink.ml.Softmax"


class WideAndDeep(
    Estimator[WideAndDeepModel],
    HasFeaturesCols,
    HasFeaturesCol,
    HasFactors,
    HasHidden,
    HasTask,
    HasLabelValues,
    HasRawPredictionCol,
    HasLabelCol,
    BoundedParams,
    PsParams,
):
    """Rows of the same columns: single features and a network over their embeddings."""

    java_name: ClassVar[str] = "io.github.flinkps.flink.ml.WideAndDeep"


class ClassificationEvaluator(
    Evaluator,
    HasLabelValues,
    HasPredictionCol,
    HasRawPredictionCol,
    HasWeightCol,
    HasLabelCol,
    HasMetricsNames,
):
    """Measures a classification of a table that ends: one row of metrics."""

    java_name: ClassVar[str] = "io.github.flinkps.flink.ml.ClassificationEvaluator"


class RankingEvaluator(Evaluator, HasUserCol, HasPredictionCol, HasK, HasLabelCol, HasMetricsNames):
    """Measures a ranking of a table that ends: one row of metrics."""

    java_name: ClassVar[str] = "io.github.flinkps.flink.ml.RankingEvaluator"


__all__ = [
    "ClassificationEvaluator",
    "DeepFm",
    "DeepFmModel",
    "FactorizationMachine",
    "FactorizationMachineModel",
    "FieldAwareFactorizationMachine",
    "FieldAwareFactorizationMachineModel",
    "ImplicitMatrixFactorization",
    "ImplicitMatrixFactorizationModel",
    "LinearRegression",
    "LinearRegressionModel",
    "LinearSvm",
    "LinearSvmModel",
    "LogisticRegression",
    "LogisticRegressionModel",
    "MatrixFactorization",
    "MatrixFactorizationModel",
    "MultiLayerPerceptron",
    "MultiLayerPerceptronModel",
    "OnlineDeepFm",
    "OnlineFactorizationMachine",
    "OnlineFieldAwareFactorizationMachine",
    "OnlineImplicitMatrixFactorization",
    "OnlineLinearRegression",
    "OnlineLinearSvm",
    "OnlineLogisticRegression",
    "OnlineMatrixFactorization",
    "OnlineMultiLayerPerceptron",
    "OnlinePoissonRegression",
    "OnlineSkipGram",
    "OnlineSoftmax",
    "OnlineWideAndDeep",
    "PoissonRegression",
    "PoissonRegressionModel",
    "RankingEvaluator",
    "SkipGram",
    "SkipGramModel",
    "Softmax",
    "SoftmaxModel",
    "WideAndDeep",
    "WideAndDeepModel",
]
