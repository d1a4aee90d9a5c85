package io.weir.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SourceMarksTest {

    private final SourceMarks marks = SourceMarks.of(List.of("a", "b"));

    @Test
    void aRevokedMarkIsWorthlessAndTheNextOneIsNot() {
        int before = marks.of("a");
        assertThat(marks.isValid(before)).isTrue();
        marks.revoke("a");
        assertThat(marks.isValid(before)).isFalse();
        assertThat(marks.isValid(marks.of("a"))).isTrue();
    }

    @Test
    void otherNodesKeepTheirMarks() {
        int other = marks.of("b");
        marks.revoke("a");
        assertThat(marks.isValid(other)).isTrue();
        assertThat(marks.of("b")).isEqualTo(other).isNotEqualTo(SourceMarks.NONE);
    }

    @Test
    void anUnknownNodeHasNoMarkAndNothingToLose() {
        assertThat(marks.of("c")).isEqualTo(SourceMarks.NONE);
        marks.revoke("c");
        assertThat(marks.isValid(SourceMarks.NONE)).isTrue();
    }

    @Test
    void aResultOfATierMayBeOfAnyNode() {
        int before = marks.ofTiers();
        assertThat(marks.isValid(before)).isTrue();
        assertThat(before).isNotIn(SourceMarks.NONE, marks.of("a"), marks.of("b"));
        marks.revoke("b");
        assertThat(marks.isValid(before)).isFalse();
        assertThat(marks.isValid(marks.ofTiers())).isTrue();
    }

    @Test
    void noMarkComesBackBeforeManyRevocations() {
        Set<Integer> seen = new HashSet<>();
        for (int i = 0; i < (1 << 16) - 1; i++) {
            assertThat(seen.add(marks.of("b"))).as("after %d revocations", i).isTrue();
            marks.revoke("b");
        }
        assertThat(marks.of("b")).isEqualTo(SourceMarks.of(List.of("a", "b")).of("b"));
        assertThat(marks.isValid(marks.of("a"))).isTrue();
    }
}
