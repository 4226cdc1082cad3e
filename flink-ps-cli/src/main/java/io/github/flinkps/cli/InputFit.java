package io.github.flinkps.cli;

import io.github.flinkps.cli.job.RowsInput;
import io.github.flinkps.flink.algorithm.ModelOption;
import io.github.flinkps.flink.data.CsvRecipe;
import io.github.flinkps.flink.data.FileRecipe;
import io.github.flinkps.flink.data.IdxRecipe;
import java.util.Map;

/**
 * Checks, before the job starts, whether options of the rows and those of the model go together.
 */
final class InputFit {
    private static final int MOST_BITS_COUNTED = 62;

    private InputFit() {}

    /**
     * Refuses tables that have no room for the keys of hashed features.
     *
     * @param bits of the keys
     */
    static void hashed(Usage usage, Map<String, String> options, int bits) {
        String features = options.get(ModelOption.FEATURES.name());
        usage.require(
                features == null
                        || bits <= MOST_BITS_COUNTED && Long.parseLong(features) >= 1L << bits,
                "--features "
                        + features
                        + " is less than the 2^"
                        + bits
                        + " keys of --hash-bits "
                        + bits
                        + ": raise it, lower --hash-bits, or leave --features out");
        String keyBits = options.get(ModelOption.KEY_BITS.name());
        usage.require(
                keyBits == null || Integer.parseInt(keyBits) >= bits,
                "--key-bits "
                        + keyBits
                        + " is less than --hash-bits "
                        + bits
                        + ": raise it, lower --hash-bits, or leave --key-bits out");
    }

    /** Refuses rows of another length than the model's. */
    static void lengths(
            Usage usage, String algorithm, Map<String, String> options, FileRecipe recipe) {
        if (recipe instanceof CsvRecipe csv) {
            int entries = RowsInput.entries(algorithm, options);
            usage.require(
                    entries == RowsInput.ANY || entries == csv.features().size(),
                    RowsInput.entriesOf(algorithm, options)
                            + " wants "
                            + entries
                            + " features of each row; the columns give "
                            + csv.features().size());
        }
        String features = options.get(ModelOption.FEATURES.name());
        if (recipe instanceof IdxRecipe idx && features != null) {
            usage.require(
                    Long.parseLong(features) == idx.features(),
                    "--features "
                            + features
                            + " is not the number of values of a row in the files: "
                            + idx.features());
        }
    }
}
