package io.weir.transport.http2;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ResetWindowTest {

    private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 1);
    private final ResetWindow window = new ResetWindow(3, 30, clock::get);

    private int admitted(int resets) {
        int admitted = 0;
        for (int i = 0; i < resets; i++) {
            admitted += window.admits() ? 1 : 0;
        }
        return admitted;
    }

    @Test
    void tooManyWithinTheTimeAreNotAdmitted() {
        assertThat(admitted(2)).isEqualTo(2);
        clock.addAndGet(TimeUnit.SECONDS.toNanos(30) - 1);
        assertThat(admitted(5)).isOne();
    }

    @Test
    void anotherWindowBeginsAfterTheTime() {
        assertThat(admitted(5)).isEqualTo(3);
        clock.addAndGet(TimeUnit.SECONDS.toNanos(30));
        assertThat(admitted(5)).isEqualTo(3);
    }
}
