package io.github.flinkps.benchmarks.results;

import io.github.flinkps.cli.generate.ClickLog;
import io.github.flinkps.cli.generate.GeneratedRows;
import io.github.flinkps.cli.generate.RatingLog;
import java.util.List;

/** The jobs of the table, in its order. */
final class ResultJobs {
    private static final String LIBLINEAR = "published: liblinear, L2, C=1";
    private static final String ADULT =
            "train --format csv --input $DATA/adult/adult.data --test $DATA/adult/adult.test"
                    + " --columns age,workclass,fnlwgt,education,education-num,marital-status,"
                    + "occupation,relationship,race,sex,capital-gain,capital-loss,hours,country,"
                    + "income --label income --label-values '<=50K|<=50K.,>50K|>50K.'"
                    + " --numeric age,fnlwgt,education-num,capital-gain,capital-loss,hours"
                    + " --categorical workclass,education,marital-status,occupation,relationship,"
                    + "race,sex,country --on-bad-row skip";
    private static final List<String> ADULT_FILES = List.of("adult/adult.data", "adult/adult.test");
    private static final List<String> MNIST_FILES =
            List.of("mnist/t10k-images-idx3-ubyte.gz", "mnist/t10k-labels-idx1-ubyte.gz");

    /** The first 8,000 and the last 2,000 digits, each behind a header that says so. */
    private static final List<String> MNIST_PARTS =
            List.of(
                    "images() { gzip -dc $DATA/mnist/t10k-images-idx3-ubyte.gz | tail -c +17; }",
                    "labels() { gzip -dc $DATA/mnist/t10k-labels-idx1-ubyte.gz | tail -c +9; }",
                    "size='\\0\\0\\0\\34\\0\\0\\0\\34'",
                    "(printf '\\0\\0\\10\\3\\0\\0\\37\\100'$size; images | head -c 6272000)"
                            + " > train-images",
                    "(printf '\\0\\0\\10\\1\\0\\0\\37\\100'; labels | head -c 8000) > train-labels",
                    "(printf '\\0\\0\\10\\3\\0\\0\\7\\320'$size; images | tail -c 1568000)"
                            + " > test-images",
                    "(printf '\\0\\0\\10\\1\\0\\0\\7\\320'; labels | tail -c 2000) > test-labels");

    private static final String MNIST =
            "train --format idx --input train-images,train-labels --test test-images,test-labels"
                    + " --classes 10 --features 784 --epochs 15 --tuning off";
    private static final String CLICKS = "train --rows 1000000 --epochs 1";
    private static final String PAIRS = CLICKS + " --interactions --batch-size 256";

    private ResultJobs() {}

    static List<ResultJob> all() {
        return List.of(
                a9a(),
                adult(),
                adultPairs(),
                dna(),
                mnist(),
                mnistHidden(),
                abalone(),
                agaricus(),
                clicks(),
                clickPairs(),
                clickPairsMachine(),
                ratings(),
                words());
    }

    private static ResultJob a9a() {
        return new ResultJob(
                "a9a",
                "a9a",
                "logistic regression",
                List.of("a9a/a9a.libsvm", "a9a/a9a.t.libsvm"),
                List.of(),
                "train --input $DATA/a9a/a9a.libsvm --test $DATA/a9a/a9a.t.libsvm",
                null,
                List.of(
                        Measure.atLeast("accuracy", .8495, LIBLINEAR, .848),
                        Measure.atMost("logloss", .3241, LIBLINEAR, .326)));
    }

    private static ResultJob adult() {
        return new ResultJob(
                "adult",
                "adult, raw CSV",
                "logistic regression",
                ADULT_FILES,
                List.of(),
                ADULT,
                null,
                List.of(
                        Measure.atLeast("accuracy", .8495, LIBLINEAR + ", on a9a", .848),
                        Measure.atMost("logloss", .3241, LIBLINEAR + ", on a9a", .320)));
    }

    private static ResultJob adultPairs() {
        return new ResultJob(
                "adult-fm",
                "adult, raw CSV",
                "factorization machine",
                ADULT_FILES,
                List.of(),
                ADULT
                        + " --numeric-transform standard --algorithm factorization-machine"
                        + " --learning-rate 0.05"
                        + " --initial-accumulator 1 --validation-share 0.1 --patience 2"
                        + " --epochs 30",
                null,
                List.of(
                        Measure.atMost(
                                "logloss",
                                "logistic regression, same shape",
                                (run, shape) -> run.measured("adult", "logloss", shape),
                                "at most .0005 above it",
                                r -> r + .0005)));
    }

    private static ResultJob dna() {
        String source = "published: softmax, L2, C=1";
        return new ResultJob(
                "dna",
                "dna",
                "softmax",
                List.of("dna/dna.scale", "dna/dna.scale.t"),
                List.of(),
                "train --input $DATA/dna/dna.scale --test $DATA/dna/dna.scale.t --algorithm softmax"
                        + " --classes 3 --epochs 60 --l2 0.001 --learning-rate 0.1 --tuning off",
                null,
                List.of(
                        Measure.atLeast("accuracy", .9477, source, .935),
                        Measure.atMost("logloss", .1671, source, .175)));
    }

    private static ResultJob mnist() {
        return new ResultJob(
                "mnist",
                "mnist, first 8,000 / last 2,000",
                "softmax",
                MNIST_FILES,
                MNIST_PARTS,
                MNIST + " --algorithm softmax --learning-rate 0.05 --batch-size 100",
                null,
                List.of(Measure.atLeast("accuracy", .9345, "published: softmax, C=0.1", .925)));
    }

    private static ResultJob mnistHidden() {
        return new ResultJob(
                "mnist-hidden",
                "mnist, first 8,000 / last 2,000",
                "perceptron, 128 hidden units",
                MNIST_FILES,
                MNIST_PARTS,
                MNIST
                        + " --algorithm multi-layer-perceptron --hidden 128 --learning-rate 0.02"
                        + " --batch-size 50",
                null,
                List.of(
                        Measure.atLeast(
                                "accuracy", .9345, "published: softmax, without them", .95)));
    }

    private static ResultJob abalone() {
        return new ResultJob(
                "abalone",
                "abalone, every fifth row tests",
                "linear regression",
                List.of("abalone/abalone_8d_train.libsvm"),
                List.of(
                        "awk 'NR % 5 > 0' $DATA/abalone/abalone_8d_train.libsvm > abalone.train",
                        "awk 'NR % 5 == 0' $DATA/abalone/abalone_8d_train.libsvm > abalone.test"),
                "train --input abalone.train --test abalone.test --algorithm linear-regression"
                        + " --numeric-transform standard --learning-rate 4 --epochs 300"
                        + " --batch-size 100 --cosine-steps 10000 --final-rate-share 0.05"
                        + " --tuning off",
                null,
                List.of(
                        Measure.atMost(
                                "rmse",
                                "computed: ordinary least squares",
                                (run, shape) ->
                                        new LeastSquares(run.file("abalone.train"), 8)
                                                .rmse(run.file("abalone.test")),
                                "at most 1 % above it",
                                r -> 1.01 * r)));
    }

    private static ResultJob agaricus() {
        return new ResultJob(
                "agaricus",
                "agaricus",
                "logistic regression",
                List.of("agaricus/agaricus.txt.train", "agaricus/agaricus.txt.test"),
                List.of(),
                "train --input $DATA/agaricus/agaricus.txt.train"
                        + " --test $DATA/agaricus/agaricus.txt.test --epochs 20"
                        + " --learning-rate 0.5 --tuning off",
                null,
                List.of(Measure.atLeast("accuracy", 1, "known: separable", 1)));
    }

    private static GeneratedRows log(ResultsRun run, boolean interactions) {
        return ClickLog.of(GeneratedRows.cache(), run.rows(CLICKS), 0, interactions);
    }

    private static ResultJob clicks() {
        return new ResultJob(
                "clicks",
                "generated click log, 1 M rows",
                "logistic regression, FTRL",
                List.of(),
                List.of(),
                CLICKS + " --optimizer ftrl --hash-bits 20 --batch-size 1024",
                null,
                List.of(
                        Measure.atMost(
                                "logloss",
                                "known: best reachable",
                                (run, shape) -> log(run, false).best().get("logloss"),
                                "at most .026 above it",
                                r -> r + .026)));
    }

    private static ResultJob clickPairs() {
        return new ResultJob(
                "clicks-pairs",
                "generated click log with interactions",
                "logistic regression",
                List.of(),
                List.of(),
                PAIRS,
                null,
                List.of(
                        Measure.atMost(
                                "logloss",
                                "known: best reachable",
                                (run, shape) -> log(run, true).best().get("logloss"),
                                "none: what to compare with",
                                r -> Double.POSITIVE_INFINITY)));
    }

    private static ResultJob clickPairsMachine() {
        return new ResultJob(
                "clicks-pairs-fm",
                "generated click log with interactions",
                "factorization machine",
                List.of(),
                List.of(),
                PAIRS
                        + " --algorithm factorization-machine --factors 16 --learning-rate 0.02"
                        + " --initial-accumulator 1 --init-std 0.03 --prefetch 0",
                null,
                List.of(
                        Measure.atMost(
                                "logloss",
                                "logistic regression, same shape",
                                (run, shape) -> run.measured("clicks-pairs", "logloss", shape),
                                "at least .015 below it",
                                r -> r - .015)));
    }

    private static ResultJob ratings() {
        return new ResultJob(
                "ratings",
                "generated ratings",
                "matrix factorization",
                List.of(),
                List.of(),
                "train --rows 400000 --algorithm matrix-factorization --factors 4 --mean 3.5"
                        + " --init-std 0.1 --learning-rate 0.05 --batch-size 256 --epochs 5",
                null,
                List.of(
                        Measure.atMost(
                                "rmse",
                                "known: the noise",
                                (run, shape) ->
                                        RatingLog.of(
                                                        GeneratedRows.cache(),
                                                        run.rows("train --rows 400000"),
                                                        0)
                                                .best()
                                                .get("rmse"),
                                "at most 3 % above it",
                                r -> 1.03 * r)));
    }

    private static ResultJob words() {
        return new ResultJob(
                "text8",
                "text8, first 8,000 / last 2,000 lines",
                "skip-gram",
                List.of("text8/text8.split.head"),
                List.of(
                        "head -n 8000 $DATA/text8/text8.split.head > text8.train",
                        "tail -n 2000 $DATA/text8/text8.split.head > text8.test"),
                "train --format text --input text8.train --algorithm skip-gram --factors 32"
                        + " --batch-size 128 --epochs 3 --model text8.model",
                "model neighbours text8.model --test text8.test",
                List.of(
                        new Measure(
                                "multiple",
                                "measured: words as frequent",
                                (run, shape) -> 1,
                                "neighbours near at least twice as often",
                                r -> 2,
                                true)));
    }
}
