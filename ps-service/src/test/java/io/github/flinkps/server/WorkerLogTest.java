package io.github.flinkps.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.server.WorkerLog.Order;
import org.junit.jupiter.api.Test;

class WorkerLogTest {
    @Test
    void entriesAreTakenOnceAndThoseBelowTheWindowRefused() {
        assertThat(WorkerLog.order(0, 0)).isEqualTo(Order.NEXT);
        assertThat(WorkerLog.order(0, 1)).isEqualTo(Order.EARLY);
        assertThat(WorkerLog.order(5000, 5000)).isEqualTo(Order.NEXT);
        assertThat(WorkerLog.order(5000, 4999)).isEqualTo(Order.DONE);
        assertThat(WorkerLog.order(5000, 5000 - WorkerLog.WINDOW)).isEqualTo(Order.DONE);
        assertThatThrownBy(() -> WorkerLog.order(5000, 4999 - WorkerLog.WINDOW))
                .isInstanceOfSatisfying(
                        PsException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.SEQUENCE_TOO_OLD));
    }
}
