package io.github.flinkps.benchmarks.results;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Ordinary least squares with an intercept, by the normal equations, of libsvm rows. */
final class LeastSquares {
    private final int features;
    private final double[] weights;

    /**
     * Fits a linear model to rows.
     *
     * @param features indices are from 0 to this number
     */
    LeastSquares(Path rows, int features) throws IOException {
        this.features = features;
        int size = features + 2;
        double[][] system = new double[size][size + 1];
        for (String line : Files.readAllLines(rows)) {
            double[] x = row(line);
            for (int i = 0; i < size; i++) {
                for (int j = 0; j <= size; j++) {
                    system[i][j] += x[i] * x[j];
                }
            }
        }
        this.weights = solve(system);
    }

    /** Returns the root of the mean squared error on other rows. */
    double rmse(Path rows) throws IOException {
        double squares = 0;
        long count = 0;
        for (String line : Files.readAllLines(rows)) {
            double[] x = row(line);
            double error = -x[weights.length];
            for (int i = 0; i < weights.length; i++) {
                error += weights[i] * x[i];
            }
            squares += error * error;
            count++;
        }
        return Math.sqrt(squares / count);
    }

    /** Returns the features, 1 for the intercept, and the label. */
    private double[] row(String line) {
        double[] x = new double[features + 3];
        String[] parts = line.strip().split("\\s+");
        for (int i = 1; i < parts.length; i++) {
            int colon = parts[i].indexOf(':');
            x[Integer.parseInt(parts[i].substring(0, colon))] =
                    Double.parseDouble(parts[i].substring(colon + 1));
        }
        x[features + 1] = 1;
        x[features + 2] = Double.parseDouble(parts[0]);
        return x;
    }

    /** Solves by Gauss and Jordan; a column of zeros gets weight 0. */
    private static double[] solve(double[][] a) {
        int size = a.length;
        for (int column = 0; column < size; column++) {
            int pivot = column;
            for (int row = column + 1; row < size; row++) {
                pivot = Math.abs(a[row][column]) > Math.abs(a[pivot][column]) ? row : pivot;
            }
            if (Math.abs(a[pivot][column]) < 1e-9) {
                a[column][column] = 1;
                continue;
            }
            double[] swapped = a[column];
            a[column] = a[pivot];
            a[pivot] = swapped;
            for (int row = 0; row < size; row++) {
                double factor = a[row][column] / a[column][column];
                for (int i = column; row != column && i <= size; i++) {
                    a[row][i] -= factor * a[column][i];
                }
            }
        }
        double[] solution = new double[size];
        for (int i = 0; i < size; i++) {
            solution[i] = a[i][size] / a[i][i];
        }
        return solution;
    }
}
