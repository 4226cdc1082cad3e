package io.github.flinkps.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CutLedgerTest {
    private final CutLedger ledger = new CutLedger(3);

    private int released() {
        int count = 0;
        while (ledger.pollReleased() >= 0) {
            count++;
        }
        return count;
    }

    @Test
    void isCompleteWhenAllHaveComeOrFinished() {
        assertThat(ledger.marker(0, 10, 1, 0)).isEmpty();
        ledger.marker(2, 10, 1, 0);
        assertThat(ledger.isDeferred(0)).isTrue();
        assertThat(ledger.isDeferred(1)).isFalse();
        assertThat(ledger.complete(worker -> false)).isNull();
        assertThat(ledger.complete(worker -> worker == 1)).isEqualTo(new CutLedger.Complete(1, 0));
        ledger.frozen(1);
        assertThat(released()).isEqualTo(2);
        assertThat(ledger.isEmpty()).isTrue();
    }

    /** A worker that has finished may send its marker when the cut is frozen without it. */
    @Test
    void aLateMarkerOfAFinishedWorkerFreezesNothingAgain() {
        ledger.marker(0, 10, 4, 2);
        ledger.marker(1, 10, 4, 2);
        ledger.frozen(4);
        assertThat(ledger.marker(2, 10, 4, 2)).isEmpty();
        assertThat(ledger.isDeferred(2)).isFalse();
        assertThat(ledger.isEmpty()).isTrue();
        assertThat(ledger.complete(worker -> true)).isNull();
    }

    /** The ledger does not look again at workers before the first one that is missing. */
    @Test
    void isCompleteInWhateverOrderMarkersCome() {
        ledger.marker(1, 10, 1, 0);
        assertThat(ledger.complete(worker -> false)).isNull();
        ledger.marker(0, 10, 1, 0);
        assertThat(ledger.complete(worker -> false)).isNull();
        assertThat(ledger.complete(worker -> worker == 2)).isNotNull();
        ledger.abort(1);
        ledger.marker(2, 10, 2, 0);
        assertThat(ledger.complete(worker -> false)).isNull();
    }

    @Test
    void theBaseIsTheNewestCutThatAllKnowToBeComplete() {
        ledger.marker(0, 10, 9, 7);
        ledger.marker(1, 10, 9, 5);
        ledger.marker(2, 10, 9, 8);
        assertThat(ledger.complete(worker -> false)).isEqualTo(new CutLedger.Complete(9, 5));
    }

    /** Owners differ in whether its marker is in when the last one comes. */
    @Test
    void aFinishedWorkerHasNoSayInTheBase() {
        ledger.marker(0, 10, 9, 7);
        ledger.marker(1, 10, 9, 8);
        ledger.marker(2, 10, 9, 5);
        assertThat(ledger.complete(worker -> worker == 2)).isEqualTo(new CutLedger.Complete(9, 7));
    }

    /**
     * Changes between the two bases are forgotten once the first cut is frozen; all rows are there
     * still.
     */
    @Test
    void theBaseNeverGoesBack() {
        ledger.marker(0, 10, 6, 5);
        assertThat(ledger.complete(worker -> true)).isEqualTo(new CutLedger.Complete(6, 5));
        ledger.frozen(6);
        ledger.marker(1, 10, 7, 2);
        assertThat(ledger.complete(worker -> true)).isEqualTo(new CutLedger.Complete(7, 5));
        ledger.frozen(7);
        ledger.marker(1, 10, 8, 0);
        assertThat(ledger.complete(worker -> true)).isEqualTo(new CutLedger.Complete(8, 0));
    }

    @Test
    void aWorkerThatSkipsACutGivesItUp() {
        ledger.marker(0, 10, 1, 0);
        ledger.marker(1, 10, 1, 0);
        assertThat(ledger.marker(2, 10, 2, 0)).containsExactly(1L);
        assertThat(ledger.abort(1)).isTrue();
        assertThat(released()).isEqualTo(2);
        assertThat(ledger.isDeferred(2)).isTrue();
        assertThat(ledger.pending()).containsExactly(2L);
    }

    @Test
    void anAbortBeforeTheFirstMarkerIsRemembered() {
        assertThat(ledger.abort(3)).isFalse();
        ledger.marker(0, 10, 3, 0);
        assertThat(ledger.isDeferred(0)).isFalse();
        assertThat(ledger.isEmpty()).isTrue();
    }

    @Test
    void onlyThoseWhoHaveNotComeAreSentOnToTheBarrier() {
        ledger.marker(0, 11, 1, 0);
        ledger.marker(2, 10, 1, 0);
        assertThat(ledger.blocking(1, clock -> clock < 11)).isEqualTo(1);
        assertThat(ledger.blocking(1, clock -> clock < 10)).isZero();
        assertThat(ledger.blocking(0, clock -> true)).isZero();
        ledger.marker(1, 9, 2, 0);
        assertThat(ledger.blocking(0, clock -> clock < 10)).isEqualTo(2);
        ledger.abort(2);
        assertThat(ledger.blocking(0, clock -> true)).isZero();
    }

    @Test
    void aCutWaitsForItsMarkersFromItsFirstMarkerOn() {
        ledger.marker(0, 10, 1, 0);
        assertThat(ledger.expired(100, 10)).isEmpty(); // from here on
        assertThat(ledger.expired(109, 10)).isEmpty();
        assertThat(ledger.expired(110, 10)).containsExactly(1L);
    }
}
