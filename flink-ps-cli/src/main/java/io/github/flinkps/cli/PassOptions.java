package io.github.flinkps.cli;

import io.github.flinkps.cli.job.MemoryText;
import io.github.flinkps.cli.report.Amounts;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.flink.service.ValidationSpec;
import io.github.flinkps.flink.training.Shuffle;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Option;

/** How the rows are gone through. */
final class PassOptions {
    private static final List<String> CONSISTENCIES = List.of("bsp", "ssp", "asp");
    private static final List<String> SHUFFLES = List.of("batches", "rows");
    private static final int MOST_ROWS = 1 << 24;
    private static final int MOST_EPOCHS = 1_000_000;
    private static final int MOST_AHEAD = 1 << 16;
    private static final int MOST_EPOCHS_WITH_PATIENCE = 100;
    private static final double DEFAULT_SHARE = .1;

    @Option(
            names = "--epochs",
            paramLabel = "N",
            defaultValue = "5",
            description =
                    "Passes over the rows. Default: ${DEFAULT-VALUE}; without --input 1; with"
                            + " --patience 100.")
    private int epochs;

    @Option(
            names = "--batch-size",
            paramLabel = "ROWS",
            defaultValue = "64",
            description = "Rows of a mini-batch, per worker. Default: ${DEFAULT-VALUE}.")
    private int batchSize;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "0",
            description =
                    "Of the order of mini-batches, of --test-share and of generated rows. Default:"
                            + " ${DEFAULT-VALUE}.")
    private long seed;

    @Option(
            names = "--shuffle",
            paramLabel = "WHAT",
            defaultValue = "batches",
            description =
                    "What later passes put in another order: batches, whose keys the servers then"
                            + " know, or rows, within windows of 32 MiB taken from mini-batches in"
                            + " random order. Default: ${DEFAULT-VALUE}.")
    private String shuffle;

    @Option(
            names = "--row-memory",
            paramLabel = "SIZE",
            description =
                    "Heap of each worker for rows that later passes train again, such as 64m or"
                            + " 1g; the others are kept in temporary files. Default: a quarter of"
                            + " the heap for all workers together.")
    private String rowMemory;

    @Option(
            names = "--validation-share",
            paramLabel = "F",
            description =
                    "Share of the rows, between 0 and 1, that do not train but measure the model"
                        + " after each pass; the model of the best pass is kept. Scales, buckets"
                        + " and words are learned of the other rows. Default: .1 with --patience,"
                        + " else none.")
    private Double validationShare;

    @Option(
            names = "--patience",
            paramLabel = "N",
            description =
                    "End after N passes without a lower loss of the rows that validate; at most"
                            + " --epochs, or 100 unless that is given.")
    private Integer patience;

    @Option(
            names = "--consistency",
            paramLabel = "KIND",
            defaultValue = "bsp",
            description =
                    "bsp: workers go in step; ssp: they may be --staleness mini-batches apart; asp:"
                            + " any number. Default: ${DEFAULT-VALUE}.")
    private String consistency;

    @Option(
            names = "--staleness",
            paramLabel = "S",
            description = "Mini-batches that workers may be apart, for ssp and needed there.")
    private Integer staleness;

    @Option(
            names = "--prefetch",
            paramLabel = "N",
            description =
                    "Mini-batches whose parameters are pulled ahead, for ssp (at most the"
                            + " staleness) and asp. Default: 1.")
    private Integer prefetch;

    @Option(
            names = "--significance-threshold",
            paramLabel = "V",
            description =
                    "Push a row once the mean gradient that has come together for it is longer than"
                            + " V times the row's values, such as .01; hold the rest back and push"
                            + " it at the end. Default: all is pushed at once.")
    private Double significanceThreshold;

    /**
     * Checks them.
     *
     * @param generated whether rows are generated, of which there are enough for one pass
     */
    void check(Usage usage, boolean generated) {
        if (!usage.given("--epochs")) {
            epochs = patience != null ? MOST_EPOCHS_WITH_PATIENCE : generated ? 1 : epochs;
        }
        if (patience != null) {
            usage.between("--patience", patience, 1, MOST_EPOCHS);
            validationShare = validationShare == null ? DEFAULT_SHARE : validationShare;
        }
        usage.require(
                validationShare == null || validationShare > 0 && validationShare < 1,
                "--validation-share must be above 0 and below 1, not " + validationShare);
        usage.require(
                significanceThreshold == null
                        || significanceThreshold >= 0 && significanceThreshold <= Float.MAX_VALUE,
                "--significance-threshold must be a number of at least 0, not "
                        + significanceThreshold);
        usage.between("--epochs", epochs, 1, MOST_EPOCHS);
        usage.between("--batch-size", batchSize, 1, MOST_ROWS);
        shuffle = usage.choice("--shuffle", shuffle, SHUFFLES);
        try {
            rowMemory();
        } catch (IllegalArgumentException e) {
            throw usage.refusal(
                    "--row-memory must be a size such as 64m or 1g, not '" + rowMemory + "'");
        }
        consistency = usage.choice("--consistency", consistency, CONSISTENCIES);
        boolean ssp = consistency.equals("ssp");
        usage.require(
                ssp || staleness == null,
                "--staleness goes with --consistency ssp only, not " + consistency);
        usage.require(!ssp || staleness != null, "--consistency ssp needs --staleness");
        if (ssp) {
            usage.between("--staleness", staleness, 0, Integer.MAX_VALUE);
        }
        if (prefetch != null) {
            usage.between("--prefetch", prefetch, 0, MOST_AHEAD);
            int most = consistency().prefetchLimit();
            usage.require(
                    prefetch <= most,
                    "--prefetch "
                            + prefetch
                            + " does not go with --consistency "
                            + consistency
                            + (ssp ? " --staleness " + staleness : "")
                            + ", which allows "
                            + most);
        }
    }

    ConsistencySpec consistency() {
        return switch (consistency) {
            case "ssp" -> ConsistencySpec.ssp(staleness);
            case "asp" -> ConsistencySpec.asp();
            default -> ConsistencySpec.bsp();
        };
    }

    Shuffle shuffle() {
        return Shuffle.valueOf(shuffle.toUpperCase(Locale.ROOT));
    }

    /** Null unless some rows validate. */
    ValidationSpec validation() {
        return validationShare == null
                ? null
                : new ValidationSpec(
                        validationShare, patience == null ? Integer.MAX_VALUE : patience, epochs);
    }

    /** Returns the memory for rows in bytes, or null unless given. */
    Long rowMemory() {
        return rowMemory == null ? null : MemoryText.bytes(rowMemory);
    }

    /** Null unless given. */
    Integer prefetch() {
        return prefetch;
    }

    /** Null unless given. */
    Double significanceThreshold() {
        return significanceThreshold;
    }

    int epochs() {
        return epochs;
    }

    int batchSize() {
        return batchSize;
    }

    long seed() {
        return seed;
    }

    String describe() {
        return (patience == null ? "" : "at most ")
                + Amounts.of(epochs, "pass", "passes")
                + ", "
                + (staleness == null ? consistency : consistency + "(" + staleness + ")");
    }
}
