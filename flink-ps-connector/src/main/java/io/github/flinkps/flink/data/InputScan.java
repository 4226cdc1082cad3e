package io.github.flinkps.flink.data;

import java.io.IOException;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * A pass over the training rows, before training: statistics of numbers, the labels that are texts,
 * and vocabularies. Test and validation rows are not looked at. What comes of it depends on the
 * input alone. Blocks the calling thread; runs on threads of its own.
 */
public final class InputScan {
    /** Shares of the input, whatever the number of threads. */
    private static final int SHARES = 8;

    /** Most indices of libsvm rows that are scaled, and most words. */
    private static final int MOST_INDICES = 1 << 20;

    /** Most indices of libsvm rows that are scaled unasked: more are hashes or words. */
    private static final int MOST_SCALED_UNASKED = 1 << 14;

    private final List<String> paths;
    private final RowSelection selection;
    private final OnBadRow onBadRow;
    private final Charset encoding;
    private final int buckets;

    /**
     * @param paths files and folders
     * @param selection the training rows, and maybe validation rows
     * @param onBadRow what to do with rows that cannot be read
     * @param encoding of their text
     * @param buckets most buckets of a column
     */
    public InputScan(
            List<String> paths,
            RowSelection selection,
            OnBadRow onBadRow,
            Charset encoding,
            int buckets) {
        this.paths = List.copyOf(paths);
        this.selection = selection.withoutValidating();
        this.onBadRow = onBadRow;
        this.encoding = encoding;
        this.buckets = buckets;
    }

    /**
     * Fills in the scales of {@code transform} and, where labels are not those wanted and not named
     * yet, their names: texts in their natural order, or numbers in theirs, as label 0, 1, ...
     *
     * @throws InputException for an input that cannot be read, for more texts than labels, or a
     *     single one where labels are classes
     */
    public CsvRecipe complete(CsvRecipe draft, NumericTransform transform, Labels labels)
            throws InputException {
        int numeric = draft.numeric().size();
        List<ColumnScan> scans = new ArrayList<>();
        for (int i = 0; i < SHARES; i++) {
            scans.add(new ColumnScan(numeric, i));
        }
        run(
                draft.header(),
                share ->
                        (buffer, from, to, out) -> {
                            CsvParser parser = share.parser(() -> new CsvParser(draft, labels));
                            if (parser.cut(buffer, from, to)) {
                                parser.scanInto(scans.get(share.number()));
                            }
                        });
        List<NumericScale> scales = new ArrayList<>();
        for (int column = 0; column < numeric; column++) {
            int at = column;
            List<ColumnStatistics> parts = scans.stream().map(scan -> scan.numbers(at)).toList();
            scales.add(
                    transform == NumericTransform.AUTO
                            ? ColumnStatistics.merge(parts).ofColumn(logs(scans, column))
                            : scale(parts, transform, true, 0));
        }
        List<CsvFeature> features = new ArrayList<>();
        int next = 0;
        for (CsvFeature feature : draft.features()) {
            features.add(
                    feature.isNumeric()
                            ? CsvFeature.numeric(feature.columns().get(0), scales.get(next++))
                            : feature);
        }
        CsvRecipe scaled = draft.withFeatures(features);
        return draft.label() != null && draft.labelValues().isEmpty()
                ? scaled.withLabelValues(labelValues(draft, scans, labels))
                : scaled;
    }

    private static NumberMoments logs(List<ColumnScan> scans, int column) {
        NumberMoments merged = new NumberMoments();
        scans.forEach(scan -> merged.merge(scan.logs(column)));
        return merged;
    }

    private List<List<String>> labelValues(CsvRecipe draft, List<ColumnScan> scans, Labels labels)
            throws InputException {
        TreeSet<String> texts = new TreeSet<>();
        boolean any = false;
        for (ColumnScan scan : scans) {
            texts.addAll(scan.labels());
            any |= scan.hasTextLabels();
        }
        if (!any) {
            return LabelNames.ofNumbers(texts, labels);
        }
        int allowed = labels.mostTexts();
        if (texts.size() > allowed) {
            throw tooManyTexts(draft, labels, allowed, texts);
        }
        if (texts.size() == 1) {
            throw new InputException(
                    "label column '"
                            + draft.label()
                            + "' holds nothing but "
                            + texts
                            + " in the training rows, which leaves nothing to tell apart; if it"
                            + " is meant so, --label-values names the labels");
        }
        return texts.stream().map(List::of).toList();
    }

    /** Goes through the rows once more, to name the first that has a text too many. */
    private InputException tooManyTexts(
            CsvRecipe draft, Labels labels, int allowed, Set<String> texts) throws InputException {
        String what =
                texts.size()
                        + " texts for "
                        + allowed
                        + " labels: "
                        + texts.stream().limit(5).toList();
        ColumnScan scan = new ColumnScan(draft.numeric().size(), 0);
        CsvParser parser = new CsvParser(draft, labels);
        RowParser finder =
                (buffer, from, to, out) -> {
                    try {
                        if (parser.cut(buffer, from, to)) {
                            parser.scanInto(scan);
                        }
                    } catch (RowProblem e) {
                        return; // a row that is skipped
                    }
                    if (scan.labels().size() > allowed) {
                        throw parser.labelProblem("is one too many: the column holds " + what);
                    }
                };
        TextSource plan = TextSource.of(paths, LibsvmFormat.of(Labels.REAL)).build();
        try {
            read(plan.plan(1).get(0), new ScanFormat(draft.header(), finder), OnBadRow.FAIL);
        } catch (InputException e) {
            return e;
        } catch (IOException e) {
            return new InputException(String.valueOf(e.getMessage()), e);
        }
        return new InputException("label column '" + draft.label() + "' holds " + what);
    }

    /**
     * Returns the numbers that rows have for the labels wanted, where they are others: in ascending
     * order, as label 0, 1, ... Reads until all have been seen.
     *
     * @param format of the rows, with {@link Labels#ANY}
     * @throws InputException for an input that cannot be read
     */
    public List<List<String>> labels(RowFormat format, Labels wanted) throws InputException {
        LabelNumbers numbers = new LabelNumbers(wanted);
        if (wanted.mostTexts() > 0) {
            RowPreview.scan(paths, format, selection, numbers);
        }
        return numbers.names();
    }

    /**
     * Returns rows of idx with names for their labels, as {@link #labels} does.
     *
     * @throws InputException for an input that cannot be read
     */
    public IdxRecipe complete(IdxRecipe draft, Labels wanted) throws InputException {
        LabelNumbers numbers = new LabelNumbers(wanted);
        if (wanted.mostTexts() > 0) {
            RowPreview.scan(new IdxSource(paths, draft.features(), selection, Labels.ANY), numbers);
        }
        return draft.withLabelValues(numbers.names());
    }

    /** The labels of rows, until there are enough. */
    private static final class LabelNumbers implements Predicate<RowBatch> {
        private final Labels wanted;
        private final Set<Float> found = new TreeSet<>();

        LabelNumbers(Labels wanted) {
            this.wanted = wanted;
        }

        @Override
        public boolean test(RowBatch batch) {
            for (float label : batch.labels()) {
                if (!Float.isNaN(label)) {
                    found.add(label + 0f);
                }
            }
            return LabelNames.isOpen(found, wanted);
        }

        List<List<String>> names() {
            return LabelNames.ofNumbers(found.stream().map(LabelNames::text).toList(), wanted);
        }
    }

    /**
     * Returns the scales of indices of libsvm rows by {@link NumericTransform#AUTO}, or none where
     * there are more than {@value #MOST_SCALED_UNASKED}.
     */
    public LibsvmRecipe scaled(Labels labels, int hashBits) throws InputException {
        try {
            return complete(NumericTransform.AUTO, labels, hashBits);
        } catch (InputException e) {
            if (e.getCause() instanceof ManyIndices) {
                return LibsvmRecipe.PLAIN.withLabelValues(labels.names());
            }
            throw e;
        }
    }

    /** Ends a scan of more indices than are scaled. */
    private static final class ManyIndices extends IllegalArgumentException {
        private static final long serialVersionUID = 1L;

        ManyIndices(int most) {
            super(
                    "numeric-transform is for at most "
                            + most
                            + " feature indices; this input has more");
        }
    }

    /** Returns the scales of all indices of libsvm rows, whose labels have their names already. */
    public LibsvmRecipe complete(NumericTransform transform, Labels labels, int hashBits)
            throws InputException {
        int most = transform == NumericTransform.AUTO ? MOST_SCALED_UNASKED : MOST_INDICES;
        List<Map<Long, ColumnStatistics>> scans = new ArrayList<>();
        long[] rows = new long[SHARES];
        for (int i = 0; i < SHARES; i++) {
            scans.add(new TreeMap<>());
        }
        run(
                false,
                share ->
                        (buffer, from, to, out) -> {
                            LibsvmParser parser =
                                    share.parser(
                                            () ->
                                                    new LibsvmParser(
                                                            labels, LibsvmFormat.ANY_INDEX, true));
                            RowBatchBuilder row = share.row();
                            row.clear();
                            parser.parse(buffer, from, to, row);
                            if (row.rows() > 0) {
                                rows[share.number()]++;
                                int number = share.number();
                                scan(row, parser, scans.get(number), number, most);
                            }
                        });
        long all = 0;
        for (long count : rows) {
            all += count;
        }
        TreeSet<Long> indices = new TreeSet<>();
        scans.forEach(scan -> indices.addAll(scan.keySet()));
        Map<Long, NumericScale> scales = new TreeMap<>();
        for (long index : indices) {
            List<ColumnStatistics> parts =
                    scans.stream()
                            .filter(s -> s.containsKey(index))
                            .map(s -> s.get(index))
                            .toList();
            long present = parts.stream().mapToLong(ColumnStatistics::count).sum();
            scales.put(
                    index,
                    transform == NumericTransform.AUTO
                            ? auto(parts, present, all)
                            : scale(parts, transform, present == all, all - present));
        }
        return new LibsvmRecipe(transform, scales, hashBits, labels.names());
    }

    /** Returns the scale of an index that so many of all rows have; most of them: it is dense. */
    private static NumericScale auto(List<ColumnStatistics> parts, long present, long all) {
        NumberMoments merged = ColumnStatistics.merge(parts);
        boolean dense = 2 * present >= all;
        if (dense) {
            merged.addZeros(all - present);
        }
        return merged.auto(dense);
    }

    /**
     * Returns the vocabulary of lines of text: the words that occur so often, the most frequent
     * first, and in their natural order where that is the same.
     *
     * @throws InputException for an input that cannot be read, or without such a word
     */
    public WordsRecipe words(int minCount) throws InputException {
        List<WordCounts> scans = new ArrayList<>();
        for (int i = 0; i < SHARES; i++) {
            scans.add(new WordCounts());
        }
        run(
                false,
                share ->
                        (buffer, from, to, out) ->
                                WordsFormat.split(buffer, from, to, scans.get(share.number())));
        List<String> words = WordCounts.frequent(scans, minCount);
        if (words.isEmpty()) {
            throw new InputException("no word occurs " + minCount + " times");
        }
        if (words.size() > MOST_INDICES) {
            throw new InputException(
                    words.size()
                            + " words occur "
                            + minCount
                            + " times; a vocabulary has at most "
                            + MOST_INDICES
                            + ": ask for a higher min-count");
        }
        return new WordsRecipe(words, minCount);
    }

    /**
     * Reads the sentences of a text.
     *
     * @param consumer takes the rows of one line after the other, from several threads
     */
    public void rows(WordsRecipe recipe, Consumer<RowBatch> consumer) throws InputException {
        run(
                false,
                share -> {
                    RowParser parser = recipe.rowFormat(Labels.REAL, Long.MAX_VALUE).newParser();
                    return (buffer, from, to, out) -> {
                        RowBatchBuilder row = share.row();
                        row.clear();
                        parser.parse(buffer, from, to, row);
                        if (row.rows() > 0) {
                            consumer.accept(row.build());
                        }
                    };
                });
    }

    private static void scan(
            RowBatchBuilder row,
            LibsvmParser parser,
            Map<Long, ColumnStatistics> statistics,
            int share,
            int most) {
        for (int i = 0; i < row.entries(); i++) {
            statistics
                    .computeIfAbsent(row.key(i), index -> new ColumnStatistics(share * 31L + index))
                    .add(parser.exact(i));
        }
        if (statistics.size() > most) {
            throw new ManyIndices(most);
        }
    }

    private NumericScale scale(
            List<ColumnStatistics> parts,
            NumericTransform transform,
            boolean centered,
            long zeros) {
        return switch (transform) {
            case NONE -> NumericScale.NONE;
            case LOG -> NumericScale.LOG;
            case BUCKET -> ColumnStatistics.buckets(parts, buckets);
            case STANDARD, AUTO -> {
                NumberMoments merged = ColumnStatistics.merge(parts);
                merged.addZeros(zeros);
                yield merged.standard(centered);
            }
        };
    }

    /** The state of a share between its lines. */
    private static final class Share {
        private final int number;
        private final RowBatchBuilder row = new RowBatchBuilder();
        private Object parser;

        Share(int number) {
            this.number = number;
        }

        int number() {
            return number;
        }

        RowBatchBuilder row() {
            return row;
        }

        @SuppressWarnings("unchecked")
        <P> P parser(Supplier<P> maker) {
            if (parser == null) {
                parser = maker.get();
            }
            return (P) parser;
        }
    }

    private interface Lines {
        RowParser of(Share share);
    }

    /** Adds no rows: what a line says is kept elsewhere. */
    private record ScanFormat(boolean header, RowParser parser) implements RowFormat {
        private static final long serialVersionUID = 1L;

        @Override
        public String name() {
            return "scan";
        }

        @Override
        public RowParser newParser() {
            return parser;
        }
    }

    private void run(boolean header, Lines lines) throws InputException {
        TextSource plan = TextSource.of(paths, LibsvmFormat.of(Labels.REAL)).build();
        List<List<BlockSplit>> shares = plan.plan(SHARES);
        int threads = Math.min(SHARES, Runtime.getRuntime().availableProcessors());
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            List<Future<?>> done = new ArrayList<>();
            for (int i = 0; i < SHARES; i++) {
                ScanFormat format = new ScanFormat(header, lines.of(new Share(i)));
                List<BlockSplit> splits = shares.get(i);
                done.add(
                        executor.submit(
                                () -> {
                                    read(splits, format, onBadRow);
                                    return null;
                                }));
            }
            for (Future<?> future : done) {
                future.get();
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof InputException input) {
                throw input;
            }
            throw new InputException(String.valueOf(e.getCause().getMessage()), e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InputException("reading the input was interrupted", e);
        } finally {
            executor.shutdownNow();
        }
    }

    private void read(List<BlockSplit> splits, RowFormat format, OnBadRow reaction)
            throws IOException {
        for (BlockSplit split : splits) {
            try (BlockReader reader =
                    new TextBlockReader(split, format.decoded(encoding), selection, reaction)) {
                while (reader.next() != null) {
                    // Its rows have been scanned.
                }
            }
        }
    }
}
