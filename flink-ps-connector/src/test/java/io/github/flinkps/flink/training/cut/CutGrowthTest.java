package io.github.flinkps.flink.training.cut;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.client.CutReport;
import io.github.flinkps.common.StepCounts;
import io.github.flinkps.model.StoredFile;
import io.github.flinkps.model.cut.CutPart;
import io.github.flinkps.model.cut.CutPartition;
import java.util.List;
import org.junit.jupiter.api.Test;

class CutGrowthTest {
    private final CutGrowth growth = new CutGrowth();

    private static CutReport report(long base, long rowBytes, long roundBytes) {
        StoredFile rows = new StoredFile("rows", 1, rowBytes, 0);
        StoredFile round = new StoredFile("round", 1, roundBytes, 0);
        CutPart part =
                new CutPart(
                        List.of(new CutPartition(0, 0, 1, StepCounts.ofRounds(0), 0, rows)),
                        List.of(round),
                        List.of());
        return new CutReport(base, List.of(), List.of(part), 0);
    }

    @Test
    void theFirstCutHasAllRows() {
        assertThat(growth.base(0)).isZero();
        assertThat(growth.base(5)).as("a cut not known").isZero();
    }

    @Test
    void smallIncrementsFollowEachOtherUpToALength() {
        growth.add(1, report(0, 1000, 0));
        for (int cut = 2; cut <= CutGrowth.MOST_CUTS; cut++) {
            assertThat(growth.base(cut - 1)).isEqualTo(cut - 1);
            growth.add(cut, report(cut - 1, 10, 1));
        }
        assertThat(growth.base(CutGrowth.MOST_CUTS)).isZero();
        growth.add(100, report(0, 1000, 0));
        assertThat(growth.base(100)).isEqualTo(100);
    }

    @Test
    void incrementsAreTogetherSmallerThanWhatTheyAddTo() {
        growth.add(1, report(0, 100, 0));
        growth.add(2, report(1, 40, 10));
        assertThat(growth.base(2)).isEqualTo(2);
        growth.add(3, report(2, 49, 1));
        assertThat(growth.base(3)).isZero();
        assertThat(growth.base(2)).as("another chain").isEqualTo(2);
    }

    @Test
    void whatAddsToAnUnknownCutIsUnknown() {
        growth.add(9, report(8, 10, 0));
        assertThat(growth.base(9)).isZero();
    }
}
