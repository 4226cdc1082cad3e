package io.github.flinkps.flink.algorithm;

/**
 * Losses of one number {@code z} against one label, their slopes in {@code z}, and what is
 * predicted. Finite for every finite {@code z}.
 */
enum PointLoss {
    /** {@code log(1 + exp(z)) - label * z}; the score is {@code 1 / (1 + exp(-z))}. */
    LOGISTIC {
        @Override
        double loss(double z, double label) {
            return LogisticRegression.loss(z, label);
        }

        @Override
        double slope(double z, double label) {
            return LogisticRegression.probability(z) - label;
        }

        @Override
        double score(double z) {
            return LogisticRegression.probability(z);
        }
    },

    /** {@code (z - label)^2 / 2}; the score is {@code z}. */
    SQUARED {
        @Override
        double loss(double z, double label) {
            return (z - label) * (z - label) / 2;
        }

        @Override
        double slope(double z, double label) {
            return z - label;
        }

        @Override
        double score(double z) {
            return z;
        }
    },

    /** {@code max(0, 1 - s z)}, {@code s} being 1 for label 1 and -1 for label 0. */
    HINGE {
        @Override
        double loss(double z, double label) {
            return Math.max(0, 1 - (2 * label - 1) * z);
        }

        @Override
        double slope(double z, double label) {
            double sign = 2 * label - 1;
            return sign * z < 1 ? -sign : 0;
        }

        @Override
        double score(double z) {
            return z;
        }
    },

    /**
     * Half the deviance of Poisson's distribution of mean {@code m = exp(z)}: {@code m - label -
     * label * (z - log label)}. Beyond {@code z} = {@value #LARGEST_LOG} it goes on as a straight
     * line and {@code m} stays what it is.
     */
    POISSON {
        @Override
        double loss(double z, double label) {
            double mean = score(z);
            double beyond = Math.max(0, z - LARGEST_LOG);
            double entropy = label > 0 ? label * Math.log(label) - label : 0;
            return mean * (1 + beyond) - label * z + entropy;
        }

        @Override
        double slope(double z, double label) {
            return score(z) - label;
        }

        @Override
        double score(double z) {
            return Math.exp(Math.min(z, LARGEST_LOG));
        }
    };

    /** The logarithm above which counts are not told apart. */
    static final double LARGEST_LOG = 30;

    abstract double loss(double z, double label);

    /** Returns the derivative of the loss by {@code z}; at a kink that of one side. */
    abstract double slope(double z, double label);

    abstract double score(double z);
}
