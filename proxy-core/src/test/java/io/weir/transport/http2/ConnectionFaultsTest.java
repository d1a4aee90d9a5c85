package io.weir.transport.http2;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.Counter;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ConnectionFaultsTest {

    private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 1);
    private final ConnectionFaults faults = new ConnectionFaults(3, 30, clock::get, code -> new Counter());

    private int admitted(int resets) {
        int admitted = 0;
        for (int i = 0; i < resets; i++) {
            admitted += faults.admitsReset() ? 1 : 0;
        }
        return admitted;
    }

    @Test
    void tooManyResetsWithinTheTimeAreNotAdmitted() {
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
