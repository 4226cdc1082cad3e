"""Params of stages, made of Java's definitions by ``bin/options``."""

from typing import Self

from flink_ps.ml.stage import Params


class HasFeaturesCols(Params):
    """With the param ``featuresCols``."""

    def set_features_cols(self, *value: str) -> Self:
        """Feature columns, instead of the one of featuresCol."""
        return self._set("featuresCols", value)

    def get_features_cols(self) -> list[str] | None:
        """Feature columns, instead of the one of featuresCol."""
        value: list[str] | None = self._get("featuresCols")
        return value


class HasFeaturesCol(Params):
    """With the param ``featuresCol``."""

    def set_features_col(self, value: str) -> Self:
        """Features column name. Default: features."""
        return self._set("featuresCol", value)

    def get_features_col(self) -> str:
        """Features column name. Default: features."""
        value: str = self._get("featuresCol")
        return value


class HasFactors(Params):
    """With the param ``factors``."""

    def set_factors(self, value: int | None) -> Self:
        """Length of the vectors that are learned."""
        return self._set("factors", value)

    def get_factors(self) -> int | None:
        """Length of the vectors that are learned."""
        value: int | None = self._get("factors")
        return value


class HasHidden(Params):
    """With the param ``hidden``."""

    def set_hidden(self, value: str | None) -> Self:
        """Widths of the hidden layers, separated by commas."""
        return self._set("hidden", value)

    def get_hidden(self) -> str | None:
        """Widths of the hidden layers, separated by commas."""
        value: str | None = self._get("hidden")
        return value


class HasTask(Params):
    """With the param ``task``."""

    def set_task(self, value: str) -> Self:
        """Classification or regression. Default: classification."""
        return self._set("task", value)

    def get_task(self) -> str:
        """Classification or regression. Default: classification."""
        value: str = self._get("task")
        return value


class HasLabelValues(Params):
    """With the param ``labelValues``."""

    def set_label_values(self, *value: str | float) -> Self:
        """All labels, texts or numbers, in the order of raw predictions; needed for texts, and for
        numbers that are not 0, 1, and so on.
        """
        return self._set("labelValues", value)

    def get_label_values(self) -> list[str] | None:
        """All labels, texts or numbers, in the order of raw predictions; needed for texts, and for
        numbers that are not 0, 1, and so on.
        """
        value: list[str] | None = self._get("labelValues")
        return value


class HasRawPredictionCol(Params):
    """With the param ``rawPredictionCol``."""

    def set_raw_prediction_col(self, value: str) -> Self:
        """Raw prediction column name. Default: rawPrediction."""
        return self._set("rawPredictionCol", value)

    def get_raw_prediction_col(self) -> str:
        """Raw prediction column name. Default: rawPrediction."""
        value: str = self._get("rawPredictionCol")
        return value


class HasLabelCol(Params):
    """With the param ``labelCol``."""

    def set_label_col(self, value: str) -> Self:
        """Label column name. Default: label."""
        return self._set("labelCol", value)

    def get_label_col(self) -> str:
        """Label column name. Default: label."""
        value: str = self._get("labelCol")
        return value


class HasMaxIter(Params):
    """With the param ``maxIter``."""

    def set_max_iter(self, value: int | None) -> Self:
        """Maximum number of iterations: passes over the rows; 20 unless set, or by the rows with
        tune.
        """
        return self._set("maxIter", value)

    def get_max_iter(self) -> int | None:
        """Maximum number of iterations: passes over the rows; 20 unless set, or by the rows with
        tune.
        """
        value: int | None = self._get("maxIter")
        return value


class HasTune(Params):
    """With the param ``tune``."""

    def set_tune(self, value: bool) -> Self:
        """Search for options by the rows, in a job that fit runs: scales of columns of numbers, and
        for linear models, factorization machines, networks and ratings with adagrad passes, rows of
        a mini-batch, rate, start and l2; each unless it is set. Default: False.
        """
        return self._set("tune", value)

    def get_tune(self) -> bool:
        """Search for options by the rows, in a job that fit runs: scales of columns of numbers, and
        for linear models, factorization machines, networks and ratings with adagrad passes, rows of
        a mini-batch, rate, start and l2; each unless it is set. Default: False.
        """
        value: bool = self._get("tune")
        return value


class BoundedParams(HasMaxIter, HasTune):
    """With the params of all of these."""


class HasPredictionCol(Params):
    """With the param ``predictionCol``."""

    def set_prediction_col(self, value: str) -> Self:
        """Prediction column name. Default: prediction."""
        return self._set("predictionCol", value)

    def get_prediction_col(self) -> str:
        """Prediction column name. Default: prediction."""
        value: str = self._get("predictionCol")
        return value


class HasWeightCol(Params):
    """With the param ``weightCol``."""

    def set_weight_col(self, value: str | None) -> Self:
        """Weight column name."""
        return self._set("weightCol", value)

    def get_weight_col(self) -> str | None:
        """Weight column name."""
        value: str | None = self._get("weightCol")
        return value


class HasLearningRate(Params):
    """With the param ``learningRate``."""

    def set_learning_rate(self, value: float | None) -> Self:
        """Learning rate of the optimizer; its own default unless set."""
        return self._set("learningRate", value)

    def get_learning_rate(self) -> float | None:
        """Learning rate of the optimizer; its own default unless set."""
        value: float | None = self._get("learningRate")
        return value


class HasGlobalBatchSize(Params):
    """With the param ``globalBatchSize``."""

    def set_global_batch_size(self, value: int | None) -> Self:
        """Rows of a mini-batch, over all workers; 32 unless set, or by the rows with tune."""
        return self._set("globalBatchSize", value)

    def get_global_batch_size(self) -> int | None:
        """Rows of a mini-batch, over all workers; 32 unless set, or by the rows with tune."""
        value: int | None = self._get("globalBatchSize")
        return value


class HasReg(Params):
    """With the param ``reg``."""

    def set_reg(self, value: float | None) -> Self:
        """Regularization parameter; 0 unless set, or by the rows with tune."""
        return self._set("reg", value)

    def get_reg(self) -> float | None:
        """Regularization parameter; 0 unless set, or by the rows with tune."""
        value: float | None = self._get("reg")
        return value


class HasElasticNet(Params):
    """With the param ``elasticNet``."""

    def set_elastic_net(self, value: float) -> Self:
        """ElasticNet parameter: the share of l1 in regularization. Default: 0.0."""
        return self._set("elasticNet", value)

    def get_elastic_net(self) -> float:
        """ElasticNet parameter: the share of l1 in regularization. Default: 0.0."""
        value: float = self._get("elasticNet")
        return value


class HasSeed(Params):
    """With the param ``seed``."""

    def set_seed(self, value: int) -> Self:
        """Seed of the order of mini-batches after the first pass. Default: 0."""
        return self._set("seed", value)

    def get_seed(self) -> int:
        """Seed of the order of mini-batches after the first pass. Default: 0."""
        value: int = self._get("seed")
        return value


class HasOptimizer(Params):
    """With the param ``optimizer``."""

    def set_optimizer(self, value: str | None) -> Self:
        """Name of the optimizer."""
        return self._set("optimizer", value)

    def get_optimizer(self) -> str | None:
        """Name of the optimizer."""
        value: str | None = self._get("optimizer")
        return value


class HasConsistency(Params):
    """With the param ``consistency``."""

    def set_consistency(self, value: str) -> Self:
        """Consistency, which says how far workers may run apart: BSP, SSP, ASP or PREDICATE.
        Default: BSP.
        """
        return self._set("consistency", value)

    def get_consistency(self) -> str:
        """Consistency, which says how far workers may run apart: BSP, SSP, ASP or PREDICATE.
        Default: BSP.
        """
        value: str = self._get("consistency")
        return value


class HasStaleness(Params):
    """With the param ``staleness``."""

    def set_staleness(self, value: int | None) -> Self:
        """For consistency SSP, and needed there: the mini-batches a worker may be ahead of what it
        reads. Must be at least 0.
        """
        return self._set("staleness", value)

    def get_staleness(self) -> int | None:
        """For consistency SSP, and needed there: the mini-batches a worker may be ahead of what it
        reads. Must be at least 0.
        """
        value: int | None = self._get("staleness")
        return value


class HasServers(Params):
    """With the param ``servers``."""

    def set_servers(self, value: int | None) -> Self:
        """Number of parameter servers inside the TaskManagers. Must be between 1 and 4096."""
        return self._set("servers", value)

    def get_servers(self) -> int | None:
        """Number of parameter servers inside the TaskManagers. Must be between 1 and 4096."""
        value: int | None = self._get("servers")
        return value


class HasRemote(Params):
    """With the param ``remote``."""

    def set_remote(self, *value: str) -> Self:
        """Addresses host:port of parameter servers that run already, used instead of servers inside
        the TaskManagers.
        """
        return self._set("remote", value)

    def get_remote(self) -> list[str] | None:
        """Addresses host:port of parameter servers that run already, used instead of servers inside
        the TaskManagers.
        """
        value: list[str] | None = self._get("remote")
        return value


class HasWorkers(Params):
    """With the param ``workers``."""

    def set_workers(self, value: int | None) -> Self:
        """Number of workers; the parallelism of the rows' stream unless set. Must be between 1 and
        2000.
        """
        return self._set("workers", value)

    def get_workers(self) -> int | None:
        """Number of workers; the parallelism of the rows' stream unless set. Must be between 1 and
        2000.
        """
        value: int | None = self._get("workers")
        return value


class HasModelRoot(Params):
    """With the param ``modelRoot``."""

    def set_model_root(self, value: str | None) -> Self:
        """Folder of models and of the registry in which workers find their servers; on storage that
        all processes of a job see. It need not be there yet.
        """
        return self._set("modelRoot", value)

    def get_model_root(self) -> str | None:
        """Folder of models and of the registry in which workers find their servers; on storage that
        all processes of a job see. It need not be there yet.
        """
        value: str | None = self._get("modelRoot")
        return value


class HasInitialModel(Params):
    """With the param ``initialModel``."""

    def set_initial_model(self, value: str | None) -> Self:
        """Directory of a saved model to train on."""
        return self._set("initialModel", value)

    def get_initial_model(self) -> str | None:
        """Directory of a saved model to train on."""
        value: str | None = self._get("initialModel")
        return value


class HasOptions(Params):
    """With the param ``options``."""

    def set_options(self, *value: str) -> Self:
        """Further options, each as name=value."""
        return self._set("options", value)

    def get_options(self) -> list[str]:
        """Further options, each as name=value."""
        value: list[str] = self._get("options")
        return value


class PsParams(
    HasPredictionCol,
    HasWeightCol,
    HasLearningRate,
    HasGlobalBatchSize,
    HasReg,
    HasElasticNet,
    HasSeed,
    HasOptimizer,
    HasConsistency,
    HasStaleness,
    HasServers,
    HasRemote,
    HasWorkers,
    HasModelRoot,
    HasInitialModel,
    HasOptions,
):
    """With the params of all of these."""


class HasNumFeatures(Params):
    """With the param ``numFeatures``."""

    def set_num_features(self, value: int | None) -> Self:
        """Number of features: makes a dense table of them."""
        return self._set("numFeatures", value)

    def get_num_features(self) -> int | None:
        """Number of features: makes a dense table of them."""
        value: int | None = self._get("numFeatures")
        return value


class HasUserCol(Params):
    """With the param ``userCol``."""

    def set_user_col(self, value: str) -> Self:
        """User column name. Default: user."""
        return self._set("userCol", value)

    def get_user_col(self) -> str:
        """User column name. Default: user."""
        value: str = self._get("userCol")
        return value


class HasItemCol(Params):
    """With the param ``itemCol``."""

    def set_item_col(self, value: str) -> Self:
        """Item column name. Default: item."""
        return self._set("itemCol", value)

    def get_item_col(self) -> str:
        """Item column name. Default: item."""
        value: str = self._get("itemCol")
        return value


class HasClasses(Params):
    """With the param ``classes``."""

    def set_classes(self, value: int) -> Self:
        """Number of classes. Default: 2."""
        return self._set("classes", value)

    def get_classes(self) -> int:
        """Number of classes. Default: 2."""
        value: int = self._get("classes")
        return value


class HasSaveInterval(Params):
    """With the param ``saveInterval``."""

    def set_save_interval(self, value: str) -> Self:
        """Time between two versions of the model. Default: 1 min."""
        return self._set("saveInterval", value)

    def get_save_interval(self) -> str:
        """Time between two versions of the model. Default: 1 min."""
        value: str = self._get("saveInterval")
        return value


class HasKeptVersions(Params):
    """With the param ``keptVersions``."""

    def set_kept_versions(self, value: int) -> Self:
        """Newest versions whose files are kept. Default: 10."""
        return self._set("keptVersions", value)

    def get_kept_versions(self) -> int:
        """Newest versions whose files are kept. Default: 10."""
        value: int = self._get("keptVersions")
        return value


class OnlineParams(HasSaveInterval, HasKeptVersions):
    """With the params of all of these."""


class HasWindow(Params):
    """With the param ``window``."""

    def set_window(self, value: int | None) -> Self:
        """Most words between a word and its context."""
        return self._set("window", value)

    def get_window(self) -> int | None:
        """Most words between a word and its context."""
        value: int | None = self._get("window")
        return value


class HasMetricsNames(Params):
    """With the param ``metricsNames``."""

    def set_metrics_names(self, *value: str) -> Self:
        """Names of the metrics to measure, each of which is a column."""
        return self._set("metricsNames", value)

    def get_metrics_names(self) -> list[str] | None:
        """Names of the metrics to measure, each of which is a column."""
        value: list[str] | None = self._get("metricsNames")
        return value


class HasK(Params):
    """With the param ``k``."""

    def set_k(self, value: int) -> Self:
        """Number of the first places. Default: 10."""
        return self._set("k", value)

    def get_k(self) -> int:
        """Number of the first places. Default: 10."""
        value: int = self._get("k")
        return value
