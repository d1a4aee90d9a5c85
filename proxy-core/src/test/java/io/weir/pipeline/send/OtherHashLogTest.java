package io.weir.pipeline.send;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class OtherHashLogTest {

    @Test
    void itIsSaidOnceASecond() {
        AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 10);
        OtherHashLog log = new OtherHashLog("net", nanos::get);
        assertThat(log.warn("a")).isTrue();
        assertThat(log.warn("a")).isFalse();
        nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(999));
        assertThat(log.warn("b")).isFalse();
        nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(1));
        assertThat(log.warn("b")).isTrue();
    }
}
