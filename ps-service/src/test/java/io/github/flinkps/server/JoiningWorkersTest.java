package io.github.flinkps.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class JoiningWorkersTest {
    private final JoiningWorkers joining = new JoiningWorkers();

    @Test
    void theLowestIsThatOfThoseWhoHaveNotJoined() {
        assertThat(joining.lowest()).isEqualTo(WorkerClocks.INFINITE);
        joining.add(3, 7);
        joining.add(1, 5);
        joining.add(2, 5);
        joining.remove(1);
        joining.remove(1);
        assertThat(joining.lowest()).isEqualTo(5);
        joining.remove(2);
        assertThat(joining.lowest()).isEqualTo(7);
        joining.clear();
        assertThat(joining.lowest()).isEqualTo(WorkerClocks.INFINITE);
        assertThat(joining.clock(3)).isEqualTo(WorkerClocks.INFINITE);
    }

    /** Answers a request that is sent again as it was answered before. */
    @Test
    void whoAsksAgainIsToldTheSame() {
        joining.add(3, 7);
        joining.add(3, 4);
        assertThat(joining.clock(3)).isEqualTo(7);
        assertThat(joining.lowest()).isEqualTo(7);
    }
}
