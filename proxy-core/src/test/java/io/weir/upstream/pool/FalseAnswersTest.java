package io.weir.upstream.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class FalseAnswersTest {

    private long now = TimeUnit.DAYS.toNanos(1);
    private final NodeFaults.FalseAnswers answers = new NodeFaults.FalseAnswers(() -> now);

    private void pass(long minutes) {
        now += TimeUnit.MINUTES.toNanos(minutes);
    }

    private boolean falls() {
        boolean fell = false;
        for (int i = 0; i < NodeFaults.FalseAnswers.MAX; i++) {
            fell |= answers.add();
        }
        return fell;
    }

    @Test
    void oneFalseAnswerNowAndThenCostsNothing() {
        for (int i = 0; i < 20; i++) {
            assertThat(answers.add()).isFalse();
            pass(6);
        }
        assertThat(answers.leftOutNanos()).isNotPositive();
    }

    @Test
    void severalWithinTheWindowLeaveTheNodeOutForAMinute() {
        assertThat(answers.add()).isFalse();
        pass(4);
        assertThat(answers.add()).isFalse();
        pass(4);
        assertThat(answers.add()).isTrue();
        assertThat(answers.leftOutNanos()).isEqualTo(NodeFaults.FalseAnswers.FIRST_NANOS);
        assertThat(answers.add()).as("of a call under way then").isFalse();
        pass(1);
        assertThat(answers.leftOutNanos()).isNotPositive();
    }

    @Test
    void repeatedFalseAnswersDoubleTheTimeUpToAnHour() {
        long expected = 1;
        for (int i = 0; i < 10; i++) {
            assertThat(falls()).isTrue();
            assertThat(answers.leftOutNanos()).isEqualTo(TimeUnit.MINUTES.toNanos(expected));
            pass(expected);
            expected = Math.min(60, 2 * expected);
        }
    }

    @Test
    void anHourWithoutFalseAnswersResetsTheTime() {
        falls();
        pass(1);
        falls();
        pass(2 + 60);
        falls();
        assertThat(answers.leftOutNanos()).isEqualTo(NodeFaults.FalseAnswers.FIRST_NANOS);
    }
}
