package io.weir.transport.answer;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class HttpDateTest {

    private Instant now = Instant.parse("1994-11-06T08:49:37.999Z");

    @Test
    void theDateIsThatOfRfc9110AndFollowsTheClock() {
        HttpDate date = new HttpDate(new Clock() {
            @Override
            public ZoneId getZone() {
                return ZoneOffset.ofHours(5);
            }

            @Override
            public Clock withZone(ZoneId zone) {
                throw new UnsupportedOperationException();
            }

            @Override
            public Instant instant() {
                return now;
            }
        });
        assertThat(new String(date.bytes(), US_ASCII)).isEqualTo("Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n");
        byte[] same = date.bytes();
        assertThat(date.bytes()).isSameAs(same);
        now = now.plusMillis(1);
        assertThat(new String(date.bytes(), US_ASCII)).isEqualTo("Date: Sun, 06 Nov 1994 08:49:38 GMT\r\n");
    }
}
