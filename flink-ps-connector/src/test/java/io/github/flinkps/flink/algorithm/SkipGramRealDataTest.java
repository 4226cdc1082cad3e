package io.github.flinkps.flink.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.data.RowBatchBuilder;
import io.github.flinkps.testing.RealData;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Vectors of words of real text. */
class SkipGramRealDataTest {
    private static final int LINES = 2000;
    private static final List<String> DIGITS =
            List.of("one", "two", "three", "four", "five", "six", "seven", "eight", "nine");

    private final Map<String, Integer> indices = new HashMap<>();
    private final List<Integer> counts = new ArrayList<>();

    private RowBatch read() throws IOException {
        RowBatchBuilder builder = new RowBatchBuilder();
        try (BufferedReader lines =
                Files.newBufferedReader(RealData.path("text8/text8.split.head"))) {
            for (int i = 0; i < LINES; i++) {
                for (String word : lines.readLine().strip().split(" +")) {
                    int index = indices.computeIfAbsent(word, any -> indices.size());
                    if (index == counts.size()) {
                        counts.add(0);
                    }
                    counts.set(index, counts.get(index) + 1);
                    builder.add(index);
                }
                builder.endRow(0);
            }
        }
        return builder.build();
    }

    @Test
    void digitsAreNearerToEachOtherThanToOtherFrequentWords() throws IOException {
        RowBatch rows = read();
        TrainingModel model = TrainingModels.create("skip-gram", Map.of("factors", "32"));
        TestingTrainer trainer = new TestingTrainer(model, 0.1);
        trainer.train(rows, 500, 4);
        List<Integer> frequent = new ArrayList<>(indices.values());
        frequent.sort(Collections.reverseOrder((a, b) -> counts.get(a) - counts.get(b)));
        List<Integer> digits = DIGITS.stream().map(indices::get).toList();
        double near = 0;
        int pairs = 0;
        double far = 0;
        int others = 0;
        for (int digit : digits) {
            for (int other : frequent.subList(0, 200)) {
                double cosine =
                        FactorizationsTest.cosine(trainer.row(0, digit), trainer.row(0, other));
                if (digits.contains(other)) {
                    near += other == digit ? 0 : cosine;
                    pairs += other == digit ? 0 : 1;
                } else {
                    far += cosine;
                    others++;
                }
            }
        }
        assertThat(pairs).isEqualTo(72);
        assertThat(near / pairs).isGreaterThan(far / others + 0.2);
    }
}
