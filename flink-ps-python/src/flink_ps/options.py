"""Options of models by algorithm, made of Java's definitions by ``bin/options``."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Annotated, TypedDict

Names = Sequence[str]
"""Several texts."""

Duration = str | timedelta
"""Such as ``"10 s"``."""


class RowOptions(TypedDict, total=False):
    """What a row means."""

    label: Annotated[
        str,
        "Column of the label, which the model learns to predict. Algorithms that learn from "
        "rows alone need none.",
    ]
    label_values: Annotated[
        Names,
        "All texts or numbers of the label, the one for label 0 first. SQL needs them for a "
        "label of text, and for numbers that are not the labels themselves, such as classes "
        "from 1 on.",
    ]
    weight: Annotated[str, "Column of the row's weight; without it rows weigh 1."]
    categorical: Annotated[
        Names,
        "Columns of categories, which are names of something and no amounts. In SQL columns "
        "of text, and users and items of a factorization, are so anyway.",
    ]
    numeric: Annotated[
        str,
        "Scaling of numbers: log (sign(x) log(1 + |x|)), none, standard(mean, deviation), "
        "log(mean, deviation) of the logarithms, or bucket(b1, b2, ..). A bucket makes a "
        "category of the interval that a number lies in. numeric.COLUMN sets the scaling of "
        "one column. Only an INSERT with tune learns one from the data, before training, so "
        "that rows mean the same to every worker, at any time.",
    ]
    hash_bits: Annotated[
        int,
        "Bits of the keys of hashed features. Must be between 1 and 64.",
    ]
    on_bad_row: Annotated[
        str,
        "Treatment of a row that cannot be read, has no label, or a label or number out of "
        "range: the job fails, or the row is skipped and counted.",
    ]
    numeric_columns: Annotated[Mapping[str, str], "As numeric, of columns by their names."]


class OptimizerOptions(TypedDict, total=False):
    """How it learns."""

    optimizer: Annotated[
        str,
        "What steps: adagrad, adam, ftrl, momentum, rmsprop, sgd or one of your own.",
    ]
    beta: Annotated[float, "Slowness of a value's first steps, beta of the paper: ftrl."]
    beta1: Annotated[float, "Decay of the first moment: adam."]
    beta2: Annotated[float, "Decay of the second moment: adam."]
    cosine_steps: Annotated[
        float,
        "Steps in which the learning rate falls like half a cosine; 0: no such schedule: "
        "adagrad, adam, momentum, rmsprop, sgd.",
    ]
    decay: Annotated[float, "Decay of the mean square: rmsprop."]
    epsilon: Annotated[float, "Added to the divisor: adagrad, adam, rmsprop."]
    final_rate_share: Annotated[
        float,
        "Share of the learning rate that is left then, with cosine-steps: adagrad, adam, "
        "momentum, rmsprop, sgd.",
    ]
    initial_accumulator: Annotated[float, "First sum of squares: adagrad."]
    inverse_sqrt_steps: Annotated[
        float,
        "Steps until the learning rate, falling with the root of the steps, is divided by the"
        " root of 2; 0: no such schedule: adagrad, adam, momentum, rmsprop, sgd.",
    ]
    l1: Annotated[
        float,
        "L1 coefficient of the mean objective: adagrad, adam, momentum, rmsprop, sgd. "
        "Strength of the L1 penalty, lambda1 of the paper: ftrl.",
    ]
    l2: Annotated[
        float,
        "L2 coefficient of the mean objective: adagrad, adam, momentum, rmsprop, sgd. "
        "Strength of the L2 penalty, lambda2 of the paper: ftrl.",
    ]
    learning_rate: Annotated[
        float,
        "Learning rate: adagrad, adam, momentum, rmsprop, sgd. Learning rate, alpha of the "
        "paper: ftrl.",
    ]
    momentum: Annotated[float, "Share of the last step that goes on: momentum."]
    nesterov: Annotated[float, "Nesterov's momentum instead of the heavy ball: momentum."]
    step_every: Annotated[
        float,
        "Steps after which the learning rate is multiplied by step-factor, again and again; "
        "0: no such schedule: adagrad, adam, momentum, rmsprop, sgd.",
    ]
    step_factor: Annotated[
        float,
        "Factor of the learning rate, with step-every: adagrad, adam, momentum, rmsprop, sgd.",
    ]
    warmup_steps: Annotated[
        float,
        "Steps for which the learning rate rises in a straight line: adagrad, adam, momentum,"
        " rmsprop, sgd.",
    ]


class JobOptions(TypedDict, total=False):
    """Of the job that trains."""

    servers: Annotated[
        int,
        "Number of parameter servers inside the TaskManagers. Must be between 1 and 4096.",
    ]
    remote: Annotated[
        Names,
        "Addresses host:port of parameter servers that run already, used instead of servers "
        "inside the TaskManagers.",
    ]
    tls_trust: Annotated[
        str,
        "PEM file with the authorities by which servers that run already are known; they are "
        "reached by TLS then. A path on each machine of the job.",
    ]
    tls_certificate: Annotated[
        str,
        "PEM file with the certificate that is shown to these servers.",
    ]
    tls_key: Annotated[str, "PEM file with the private key of that certificate."]
    token_file: Annotated[
        str,
        "File with the line NAME:TOKEN that is shown to these servers, inside TLS, in place "
        "of a certificate.",
    ]
    workers: Annotated[
        int,
        "Number of workers; the parallelism of the rows' stream unless set. Must be between 1"
        " and 2000.",
    ]
    batch_size: Annotated[
        int,
        "Rows of a mini-batch, per worker. Unless set, linear models' grow from 64 to 4096 "
        "(adagrad, ftrl). Must be at least 1.",
    ]
    epochs: Annotated[
        int,
        "Passes over a bounded input; an unbounded one takes 1. Must be at least 1.",
    ]
    consistency: Annotated[
        str,
        "Consistency, which says how far workers may run apart: BSP, SSP, ASP or PREDICATE.",
    ]
    staleness: Annotated[
        int,
        "For consistency SSP, and needed there: the mini-batches a worker may be ahead of "
        "what it reads. Must be at least 0.",
    ]
    read_predicate: Annotated[
        str,
        "For consistency PREDICATE, and needed there: name of the predicate on the servers' "
        "class path.",
    ]
    prefetch: Annotated[
        int,
        "Mini-batches to pull ahead of the one that is computed, as far as the consistency "
        "allows (BSP: none, SSP: the staleness). Must be between 0 and 65536.",
    ]
    seed: Annotated[int, "Seed of the order of mini-batches after the first pass."]
    shuffle: Annotated[
        str,
        "Parts of the input that change places after the first pass. BATCHES: whole mini-"
        "batches, whose keys servers then know. ROWS: rows, within windows of 32 MiB of mini-"
        "batches in random order, whose keys are sent anew.",
    ]
    row_memory: Annotated[
        str,
        "Heap of each worker for rows, and their keys, that later passes train again. Further"
        " rows are kept in files, in the temporary folder of the task (io.tmp.dirs), and read"
        " back for each pass, their keys made anew; the result is the same. Without it, a "
        "quarter of the heap of the TaskManager's JVM, divided by its slots.",
    ]
    validation_share: Annotated[
        float,
        "Share of the rows of a bounded input that do not train but measure the model after "
        "each pass. The model of the pass with the lowest loss is the one that is saved. "
        "Unless set, 0.1 with patience, else none. Must be above 0 and below 1.",
    ]
    patience: Annotated[
        int,
        "Passes without a lower validation loss, after which training ends before all epochs "
        "are through. Unless set all epochs are gone through. Must be at least 1.",
    ]
    timeout: Annotated[
        Duration,
        "The longest wait for servers, or for the slowest worker, before the job fails. Must "
        "be at least 1 ms.",
    ]
    peer_timeout: Annotated[
        Duration,
        "Time after which workers and readers give up a connection to a server that says "
        "nothing, though it is asked, as when its machine has lost its power or cable. Must "
        "be between 1 s and 3600 s.",
    ]
    guarantee: Annotated[
        str,
        "Number of times that a record counts when a job with checkpoints goes on after a "
        "failure. exactly-once: the model goes back to the checkpoint. at-least-once: if all "
        "remote servers still have the model, it stays as it is, and records since the "
        "checkpoint count again. Otherwise, and always with embedded servers, it goes back to"
        " the checkpoint too.",
    ]
    significance_threshold: Annotated[
        float,
        "Least length of a gradient that is pushed, as a multiple of the length of the row's "
        "values. Workers retain a row's shorter gradients, add later ones to them, and keep "
        "them in checkpoints. What is left at the end is pushed. Unless set all is pushed at "
        "once. Must be a number of at least 0.",
    ]
    push_share: Annotated[
        float,
        "Share of a mini-batch's rows that are pushed, above 0 and at most 1. push-choice "
        "says which. Workers retain the others as with significance-threshold. Must be a "
        "number above 0 and at most 1.",
    ]
    push_choice: Annotated[
        str,
        "Rows that are pushed by push-share: LONGEST, those with the longest gradients, or "
        "RANDOM ones.",
    ]
    push_encoding: Annotated[
        str,
        "Form in which gradients travel to servers: FP32 as they are, FP16 or BF16 rounded to"
        " half of their bytes, INT8 to a quarter. Servers add them up as float32.",
    ]
    pull_encoding: Annotated[
        str,
        "Form in which values travel to workers: FP32, FP16, BF16 or INT8. Servers keep float32.",
    ]
    save_interval: Annotated[
        Duration,
        "Time between one saving of the model and the next while it trains; 0: only at the "
        "end, which an unbounded input may never have. Each takes the place of the one before"
        " as a whole. Workers go on meanwhile, so that rows saved early lack what was learned"
        " while the others were saved. The job fails if it cannot be saved. Must be at least "
        "0 s.",
    ]
    start_cut: Annotated[
        str,
        "Directory of a cut, as model list shows it, that the model begins as. It has the "
        "values of the cut, what the optimizer keeps beside them and, but for sgd, the "
        "schedule of the learning rate. Servers and workers may be others in number; rows and"
        " passes begin anew, and so do the job's own cuts. Not with initial-model.",
    ]
    keep_cuts: Annotated[
        int,
        "Cuts of completed checkpoints that are kept of a job that takes checkpoints, the "
        "newest ones, to go back to. Those that Flink's retained checkpoints or cuts that are"
        " kept need, and one more, are kept anyway, and so are those of savepoints. How many "
        "checkpoints Flink retains is what the job's or the TaskManagers' configuration says,"
        " whichever is more. Must be at least 1.",
    ]
    buffer_rows: Annotated[
        int,
        "Rows a worker takes ahead of training before backpressure begins. Must be at least 1.",
    ]
    linger: Annotated[
        Duration,
        "Unbounded input: longest wait for a mini-batch to fill; then it trains with the rows"
        " it has. 0: no limit. Must be at least 0 s.",
    ]
    idle_timeout: Annotated[
        Duration,
        "Unbounded input, not under BSP: time without rows after which the others no longer "
        "wait for a worker; 0: they always wait. Must be at least 0 s.",
    ]
    progress_interval: Annotated[
        Duration,
        "Time between progress records within a pass; 0: only at its end. Must be at least 0 s.",
    ]
    server_owners: Annotated[
        int,
        "For servers inside the TaskManagers: Number of threads that own partitions. Unless "
        "set half of the cores. Must be between 1 and 256.",
    ]
    server_max_frame_bytes: Annotated[
        str,
        "For servers inside the TaskManagers: Size of the largest message taken from a "
        "client, and of the largest answer to it. Unless set 256m. Must be between 65536 and "
        "2147483647.",
    ]
    server_in_flight_bytes: Annotated[
        str,
        "For servers inside the TaskManagers: Memory of a connection for requests that wait, "
        "and for answers that the client does not take. Beyond it requests are answered "
        "THROTTLED, or nothing more is read. Unless set 64m. Must be at least 4194304.",
    ]
    server_max_parked: Annotated[
        int,
        "For servers inside the TaskManagers: Number of requests that may wait at an owner "
        "thread. Further ones are answered THROTTLED. Unless set 4096. Must be between 1 and "
        "1048576.",
    ]
    server_max_connections: Annotated[
        int,
        "For servers inside the TaskManagers: Number of connections at a time. Further ones "
        "are closed at once. Unless set 16384. Must be between 1 and 1048576.",
    ]
    server_max_connections_per_address: Annotated[
        int,
        "For servers inside the TaskManagers: Number of connections of one address at a time."
        " Further ones are closed at once. Unless set 4096. Must be between 1 and 1048576.",
    ]
    server_assembly_bytes: Annotated[
        str,
        "For servers inside the TaskManagers: Memory for messages of which a part has "
        "arrived, over all connections. Beyond it the client that has most of it loses "
        "connections, and tries again. Unless set as much as a quarter of the heap, and of "
        "the direct memory at most. Must be at least 1048576.",
    ]
    server_unsent_bytes: Annotated[
        str,
        "For servers inside the TaskManagers: Memory for answers that clients do not take, "
        "over all connections; half of it for those of one name. Beyond it large requests are"
        " answered THROTTLED. Unless set half of the direct memory. Must be at least 1048576.",
    ]
    server_peer_timeout: Annotated[
        Duration,
        "For servers inside the TaskManagers: Time after which a connection is given up whose"
        " other end has vanished without a word, as when it has lost its power or cable. So "
        "is one that does not go on with a message it has begun. Unless set 10 s. Must be "
        "between 1 s and 3600 s.",
    ]
    server_key_cache_bytes: Annotated[
        str,
        "For servers inside the TaskManagers: Memory of an owner thread for lists of keys "
        "seen before. Unless set an eighth of the heap, over all owner threads. Must be at "
        "least 0.",
    ]
    server_partition_rows: Annotated[
        int,
        "For servers inside the TaskManagers: Number of rows that a partition of a sparse "
        "table may have. A push of further ones is answered TABLE_FULL. Unless set 16777214. "
        "Must be between 1 and 16777214.",
    ]
    server_cut_hold_bytes: Annotated[
        str,
        "For servers inside the TaskManagers: Memory of an owner thread, per model, for "
        "pushes that wait behind a marker. Beyond it pushes are answered THROTTLED. Unless "
        "set an eighth of the heap, at most 256m. Must be at least 1048576.",
    ]
    server_cut_saved_bytes: Annotated[
        str,
        "For servers inside the TaskManagers: Memory of an owner thread, per model, for rows "
        "saved from being overwritten before a cut has copied them. Beyond it pushes, and "
        "what ends rounds of BSP, are answered THROTTLED. What one push or round writes may "
        "come on top. So may the pushes that have waited behind a marker. Unless set an "
        "eighth of the heap. Must be at least 1048576.",
    ]
    server_token_file: Annotated[
        str,
        "For servers inside the TaskManagers: File with a line NAME:TOKEN for each client "
        "that shows a token. Of a server inside a job such clients may read. Unless set none.",
    ]


class DeepFmOptions(RowOptions, OptimizerOptions, JobOptions, total=False):
    """Of deep-fm."""

    fields: Annotated[int, "Number of entries of each row; default: must be given."]
    factors: Annotated[int, "Length of the vectors that are learned; default: 8."]
    hidden: Annotated[
        str,
        "Widths of the hidden layers, separated by commas, such as 64,32; default: 128.",
    ]
    task: Annotated[
        str,
        "Classification (labels 0 and 1) or regression (labels are any numbers); default: "
        "classification.",
    ]
    label_mean: Annotated[
        float,
        "With task regression, what is predicted before training, such as the mean of the "
        "labels; default: 0.",
    ]
    label_unit: Annotated[
        float,
        "With task regression, the unit in which labels are learned, such as their deviation;"
        " learning rate and L2 are for labels in it; default: 1.",
    ]
    init_std: Annotated[float, "Deviation of the random first values; default: 0.01."]
    init_seed: Annotated[int, "Seed of the random first values; default: 1."]
    features: Annotated[
        int,
        "Number of features: indices are 0 to N-1 and weights lie in a dense table; default: "
        "any index goes.",
    ]
    key_bits: Annotated[
        int,
        "Feature indices are below 2 to this power, which makes their lists shorter on the "
        "wire; default: 64.",
    ]
    partitions: Annotated[int, "Partitions of the tables of features; default: 64."]


class FactorizationMachineOptions(RowOptions, OptimizerOptions, JobOptions, total=False):
    """Of factorization-machine."""

    factors: Annotated[int, "Length of the vectors that are learned; default: 8."]
    factor_l2: Annotated[
        float,
        "Weight of half the squared factors in the loss of each row, beside the optimizer's "
        "l2, which holds weights back too; default: 0.",
    ]
    task: Annotated[
        str,
        "Classification (labels 0 and 1) or regression (labels are any numbers); default: "
        "classification.",
    ]
    label_mean: Annotated[
        float,
        "With task regression, what is predicted before training, such as the mean of the "
        "labels; default: 0.",
    ]
    label_unit: Annotated[
        float,
        "With task regression, the unit in which labels are learned, such as their deviation;"
        " learning rate and L2 are for labels in it; default: 1.",
    ]
    init_std: Annotated[float, "Deviation of the random first values; default: 0.01."]
    init_seed: Annotated[int, "Seed of the random first values; default: 1."]
    features: Annotated[
        int,
        "Number of features: indices are 0 to N-1 and weights lie in a dense table; default: "
        "any index goes.",
    ]
    key_bits: Annotated[
        int,
        "Feature indices are below 2 to this power, which makes their lists shorter on the "
        "wire; default: 64.",
    ]
    partitions: Annotated[int, "Partitions of the tables of features; default: 64."]


class FieldAwareFactorizationMachineOptions(RowOptions, OptimizerOptions, JobOptions, total=False):
    """Of field-aware-factorization-machine."""

    fields: Annotated[int, "Number of entries of each row; default: must be given."]
    factors: Annotated[int, "Length of the vectors that are learned; default: 4."]
    factor_l2: Annotated[
        float,
        "Weight of half the squared factors in the loss of each row, beside the optimizer's "
        "l2, which holds weights back too; default: 0.",
    ]
    task: Annotated[
        str,
        "Classification (labels 0 and 1) or regression (labels are any numbers); default: "
        "classification.",
    ]
    label_mean: Annotated[
        float,
        "With task regression, what is predicted before training, such as the mean of the "
        "labels; default: 0.",
    ]
    label_unit: Annotated[
        float,
        "With task regression, the unit in which labels are learned, such as their deviation;"
        " learning rate and L2 are for labels in it; default: 1.",
    ]
    init_std: Annotated[float, "Deviation of the random first values; default: 0.01."]
    init_seed: Annotated[int, "Seed of the random first values; default: 1."]
    features: Annotated[
        int,
        "Number of features: indices are 0 to N-1 and weights lie in a dense table; default: "
        "any index goes.",
    ]
    key_bits: Annotated[
        int,
        "Feature indices are below 2 to this power, which makes their lists shorter on the "
        "wire; default: 64.",
    ]
    partitions: Annotated[int, "Partitions of the tables of features; default: 64."]


class ImplicitMatrixFactorizationOptions(RowOptions, OptimizerOptions, JobOptions, total=False):
    """Of implicit-matrix-factorization."""

    factors: Annotated[int, "Length of the vectors that are learned; default: 8."]
    negatives: Annotated[
        int,
        "Items or words drawn against each one that is there; default: 5.",
    ]
    candidates: Annotated[
        int,
        "Items drawn for a mini-batch, to take negatives from and to rank an item among; "
        "default: 100.",
    ]
    init_std: Annotated[float, "Deviation of the random first values; default: 0.01."]
    init_seed: Annotated[int, "Seed of the random first values; default: 1."]
    key_bits: Annotated[
        int,
        "Feature indices are below 2 to this power, which makes their lists shorter on the "
        "wire; default: 64.",
    ]
    partitions: Annotated[int, "Partitions of the tables of features; default: 64."]


class LinearRegressionOptions(RowOptions, OptimizerOptions, JobOptions, total=False):
    """Of linear-regression."""

    initial_bias: Annotated[float, "Value of the bias before training; default: 0."]
    features: Annotated[
        int,
        "Number of features: indices are 0 to N-1 and weights lie in a dense table; default: "
        "any index goes.",
    ]
    key_bits: Annotated[
        int,
        "Feature indices are below 2 to this power, which makes their lists shorter on the "
        "wire; default: 64.",
    ]
    partitions: Annotated[int, "Partitions of the tables of features; default: 64."]


class LinearSvmOptions(RowOptions, OptimizerOptions, JobOptions, total=False):
    """Of linear-svm."""

    initial_bias: Annotated[float, "Value of the bias before training; default: 0."]
    features: Annotated[
        int,
        "Number of features: indices are 0 to N-1 and weights lie in a dense table; default: "
        "any index goes.",
    ]
    key_bits: Annotated[
        int,
        "Feature indices are below 2 to this power, which makes their lists shorter on the "
        "wire; default: 64.",
    ]
    partitions: Annotated[int, "Partitions of the tables of features; default: 64."]


class LogisticRegressionOptions(RowOptions, OptimizerOptions, JobOptions, total=False):
    """Of logistic-regression."""

    initial_bias: Annotated[float, "Value of the bias before training; default: 0."]
    features: Annotated[
        int,
        "Number of features: indices are 0 to N-1 and weights lie in a dense table; default: "
        "any index goes.",
    ]
    key_bits: Annotated[
        int,
        "Feature indices are below 2 to this power, which makes their lists shorter on the "
        "wire; default: 64.",
    ]
    partitions: Annotated[int, "Partitions of the tables of features; default: 64."]


class MatrixFactorizationOptions(RowOptions, OptimizerOptions, JobOptions, total=False):
    """Of matrix-factorization."""

    factors: Annotated[int, "Length of the vectors that are learned; default: 8."]
    mean: Annotated[
        float,
        "First value of the mean of all ratings, then learned; default: 0.",
    ]
    init_std: Annotated[float, "Deviation of the random first values; default: 0.01."]
    init_seed: Annotated[int, "Seed of the random first values; default: 1."]
    key_bits: Annotated[
        int,
        "Feature indices are below 2 to this power, which makes their lists shorter on the "
        "wire; default: 64.",
    ]
    partitions: Annotated[int, "Partitions of the tables of features; default: 64."]


class MultiLayerPerceptronOptions(RowOptions, OptimizerOptions, JobOptions, total=False):
    """Of multi-layer-perceptron."""

    hidden: Annotated[
        str,
        "Widths of the hidden layers, separated by commas, such as 64,32; default: 128.",
    ]
    task: Annotated[
        str,
        "Classification (labels 0 and 1) or regression (labels are any numbers); default: "
        "classification.",
    ]
    label_mean: Annotated[
        float,
        "With task regression, what is predicted before training, such as the mean of the "
        "labels; default: 0.",
    ]
    label_unit: Annotated[
        float,
        "With task regression, the unit in which labels are learned, such as their deviation;"
        " learning rate and L2 are for labels in it; default: 1.",
    ]
    classes: Annotated[int, "Number of classes; default: 2."]
    init_std: Annotated[
        float,
        "Deviation of the random first values; default: sqrt(2 / features), or 0.1.",
    ]
    init_seed: Annotated[int, "Seed of the random first values; default: 1."]
    features: Annotated[
        int,
        "Number of features: indices are 0 to N-1 and weights lie in a dense table; default: "
        "any index goes.",
    ]
    key_bits: Annotated[
        int,
        "Feature indices are below 2 to this power, which makes their lists shorter on the "
        "wire; default: 64.",
    ]
    partitions: Annotated[int, "Partitions of the tables of features; default: 64."]


class PoissonRegressionOptions(RowOptions, OptimizerOptions, JobOptions, total=False):
    """Of poisson-regression."""

    initial_bias: Annotated[float, "Value of the bias before training; default: 0."]
    features: Annotated[
        int,
        "Number of features: indices are 0 to N-1 and weights lie in a dense table; default: "
        "any index goes.",
    ]
    key_bits: Annotated[
        int,
        "Feature indices are below 2 to this power, which makes their lists shorter on the "
        "wire; default: 64.",
    ]
    partitions: Annotated[int, "Partitions of the tables of features; default: 64."]


class SkipGramOptions(RowOptions, OptimizerOptions, JobOptions, total=False):
    """Of skip-gram."""

    factors: Annotated[int, "Length of the vectors that are learned; default: 64."]
    window: Annotated[
        int,
        "Words to each side that count as neighbours, at most; default: 5.",
    ]
    negatives: Annotated[
        int,
        "Items or words drawn against each one that is there; default: 5.",
    ]
    init_seed: Annotated[int, "Seed of the random first values; default: 1."]
    features: Annotated[
        int,
        "Number of features: indices are 0 to N-1 and weights lie in a dense table; default: "
        "any index goes.",
    ]
    key_bits: Annotated[
        int,
        "Feature indices are below 2 to this power, which makes their lists shorter on the "
        "wire; default: 64.",
    ]
    partitions: Annotated[int, "Partitions of the tables of features; default: 64."]


class SoftmaxOptions(RowOptions, OptimizerOptions, JobOptions, total=False):
    """Of softmax."""

    classes: Annotated[int, "Number of classes; default: must be given."]
    features: Annotated[
        int,
        "Number of features: indices are 0 to N-1 and weights lie in a dense table; default: "
        "any index goes.",
    ]
    key_bits: Annotated[
        int,
        "Feature indices are below 2 to this power, which makes their lists shorter on the "
        "wire; default: 64.",
    ]
    partitions: Annotated[int, "Partitions of the tables of features; default: 64."]


class WideAndDeepOptions(RowOptions, OptimizerOptions, JobOptions, total=False):
    """Of wide-and-deep."""

    fields: Annotated[int, "Number of entries of each row; default: must be given."]
    factors: Annotated[int, "Length of the vectors that are learned; default: 8."]
    hidden: Annotated[
        str,
        "Widths of the hidden layers, separated by commas, such as 64,32; default: 128.",
    ]
    task: Annotated[
        str,
        "Classification (labels 0 and 1) or regression (labels are any numbers); default: "
        "classification.",
    ]
    label_mean: Annotated[
        float,
        "With task regression, what is predicted before training, such as the mean of the "
        "labels; default: 0.",
    ]
    label_unit: Annotated[
        float,
        "With task regression, the unit in which labels are learned, such as their deviation;"
        " learning rate and L2 are for labels in it; default: 1.",
    ]
    init_std: Annotated[float, "Deviation of the random first values; default: 0.01."]
    init_seed: Annotated[int, "Seed of the random first values; default: 1."]
    features: Annotated[
        int,
        "Number of features: indices are 0 to N-1 and weights lie in a dense table; default: "
        "any index goes.",
    ]
    key_bits: Annotated[
        int,
        "Feature indices are below 2 to this power, which makes their lists shorter on the "
        "wire; default: 64.",
    ]
    partitions: Annotated[int, "Partitions of the tables of features; default: 64."]
