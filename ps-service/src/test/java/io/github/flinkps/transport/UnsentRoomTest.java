package io.github.flinkps.transport;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class UnsentRoomTest {
    private final UnsentRoom room = new UnsentRoom(100);

    @Test
    void aClientThatTakesNothingLeavesHalfToOthers() {
        room.change("greedy", 45);
        assertThat(room.has("greedy", 5)).isTrue();
        assertThat(room.has("greedy", 6)).isFalse();
        assertThat(room.has("other", 55)).isTrue();
        assertThat(room.has("other", 56)).isFalse();
        room.change("other", 40);
        assertThat(room.has("third", 15)).isTrue();
        assertThat(room.has("third", 16)).isFalse();
        room.change("greedy", -45);
        assertThat(room.has("other", 10)).isTrue();
    }

    @Test
    void anAnswerAloneAlwaysHasRoom() {
        assertThat(room.has("one", 1000)).isTrue();
        room.change("one", 1000);
        assertThat(room.has("one", 1)).isFalse();
        room.change("one", -1000);
        assertThat(room.has("one", 1000)).isTrue();
    }

    @Test
    void thoseWhoseNameIsNotAskedShareAll() {
        room.change(null, 60);
        assertThat(room.has(null, 40)).isTrue();
        assertThat(room.has(null, 41)).isFalse();
    }

    @Test
    void whoeverHasMuchMoreThanItsPartIsOver() {
        room.change("greedy", 62);
        assertThat(room.isOver("greedy")).isFalse();
        room.change("greedy", 1);
        assertThat(room.isOver("greedy")).isTrue();
        assertThat(room.isOver("other")).isFalse();
        room.change(null, 50);
        assertThat(room.isOver(null)).as("all together").isTrue();
        assertThat(new UnsentRoom(Long.MAX_VALUE).isOver("one")).isFalse();
    }
}
