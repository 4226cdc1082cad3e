package io.github.flinkps.harness.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.model.RowBlock;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Tests what {@link Steps} makes of values that are right, and of those that a fault would leave.
 */
class StepsTest {
    private static final int KEYS = 17;
    private static final double RATE = 1.0 / 1024;

    private int pushes = 300;
    private double steps = 300;
    private double means = 300;
    private boolean retained;
    private final int[] decays = new int[KEYS];
    private int[] upToDate;
    private int momentsFrom;
    private int workersOfMoments = 2;

    StepsTest() {
        Arrays.fill(decays, 300);
    }

    private static RowBlock one(double value) {
        return RowBlock.of(new long[] {0}, new float[] {(float) value});
    }

    private Steps taken(ConsistencySpec.Kind kind) {
        Steps taken = new Steps(kind, retained, 2, 2);
        taken.take("pushes", one(pushes));
        taken.take("steps", one(-steps * RATE));
        float[] shares = new float[KEYS];
        Arrays.fill(shares, (float) (-means * RATE / KEYS));
        long[] keys = new long[KEYS];
        float[] shrunk = new float[KEYS];
        for (int i = 0; i < KEYS; i++) {
            keys[i] = i;
            shrunk[i] = (float) (4 * Math.pow(1 - 1.0 / 1024, decays[i]));
        }
        taken.take("means", RowBlock.of(keys, shares));
        taken.take("decays", new RowBlock(keys, shrunk, new float[0][], upToDate, KEYS));
        double moments = 0;
        for (int i = momentsFrom; i < momentsFrom + steps; i++) {
            moments -= RATE * Math.sqrt(100.0 / (100 + Math.floor((double) i / workersOfMoments)));
        }
        taken.take("moments", one(moments));
        return taken;
    }

    private List<String> model(ConsistencySpec.Kind kind) {
        return taken(kind).model();
    }

    @Test
    void stepsThatAreAllThereAreRight() {
        assertThat(model(ConsistencySpec.Kind.ASP)).isEmpty();
        pushes = 550;
        workersOfMoments = 1;
        assertThat(model(ConsistencySpec.Kind.BSP)).isEmpty();
        upToDate = new int[KEYS];
        Arrays.fill(upToDate, 300);
        upToDate[3] = 20;
        decays[3] = 20;
        assertThat(taken(ConsistencySpec.Kind.BSP).cut(new long[] {300, 300})).isEmpty();
    }

    @Test
    void aCutBeforeTheFirstPushIsRight() {
        Steps none = new Steps(ConsistencySpec.Kind.BSP, true, 2, 2);
        assertThat(none.cut(new long[] {0, 0})).isEmpty();
        assertThat(new Steps(ConsistencySpec.Kind.BSP, true, 2, 2).cut(new long[] {5})).isEmpty();
    }

    @Test
    void aStepThatIsLostIsSeen() {
        steps = 299;
        assertThat(model(ConsistencySpec.Kind.ASP))
                .contains(
                        "the sum of means is of 300.00 steps, steps of 299.00",
                        "300.0 pushes make 299 steps");
    }

    /** As where the weight of a worker that pushed nothing there is forgotten. */
    @Test
    void aWrongWeightIsSeen() {
        means = 305;
        assertThat(model(ConsistencySpec.Kind.SSP))
                .containsExactly("the sum of means is of 305.00 steps, steps of 300.00");
    }

    @Test
    void aRowThatDecaysTooOftenOrTooRarelyIsSeen() {
        decays[2] = 320;
        decays[16] = 290;
        assertThat(model(ConsistencySpec.Kind.ASP))
                .anySatisfy(text -> assertThat(text).startsWith("decays has decayed in [300, 300"));
        upToDate = new int[KEYS];
        Arrays.fill(upToDate, 300);
        assertThat(taken(ConsistencySpec.Kind.ASP).cut(new long[] {300}))
                .contains(
                        "row 2 of decays has decayed in 320 steps, and says 300 of 300",
                        "row 16 of decays has decayed in 290 steps, and says 300 of 300");
    }

    /**
     * Values that a worker retained count as a mini-batch of a round, also where it pushes nothing.
     */
    @Test
    void onlyWhatWorkersHeldMakesAStepOfARoundSmaller() {
        workersOfMoments = 1;
        steps = 299.5;
        means = 299.5;
        assertThat(model(ConsistencySpec.Kind.BSP)).containsExactly("steps is of 299.5 steps");
        retained = true;
        assertThat(model(ConsistencySpec.Kind.BSP)).isEmpty();
        means = 300;
        assertThat(model(ConsistencySpec.Kind.BSP)).singleElement().asString().contains("means");
        means = 299.5;
        assertThat(model(ConsistencySpec.Kind.ASP)).contains("steps is of 299.5 steps");
    }

    @Test
    void stepsThatPartitionsCountApartAreSeen() {
        upToDate = decays.clone();
        assertThat(taken(ConsistencySpec.Kind.ASP).cut(new long[] {300, 299}))
                .containsExactly("partitions have counted [300, 299] steps");
    }

    @Test
    void moreStepsThanWereCountedAreSeen() {
        Arrays.fill(decays, 299);
        assertThat(model(ConsistencySpec.Kind.ASP)).contains("steps is of 300 steps of 299");
    }

    /** A schedule that goes on elsewhere, or begins anew. */
    @Test
    void aWrongScheduleIsSeen() {
        workersOfMoments = 1;
        assertThat(model(ConsistencySpec.Kind.ASP)).singleElement().asString().contains("moments");
        workersOfMoments = 2;
        momentsFrom = 100;
        assertThat(model(ConsistencySpec.Kind.ASP)).singleElement().asString().contains("moments");
    }

    @Test
    void valuesThatAreNoNumbersAreSeen() {
        Steps taken = taken(ConsistencySpec.Kind.ASP);
        taken.take("steps", one(Double.NaN));
        taken.take("pushes", one(Double.NaN));
        assertThat(taken.model()).anySatisfy(text -> assertThat(text).contains("NaN"));
    }
}
