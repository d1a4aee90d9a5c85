package io.weir.transport.answer;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** The Date header, rebuilt once a second. Thread-safe. */
final class HttpDate {

    private static final DateTimeFormatter FORMAT = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private final Clock clock;
    private volatile Line line;

    HttpDate(Clock clock) {
        this.clock = clock;
        this.line = line(clock.millis() / 1000);
    }

    /** Returns the header with its line end. Callers must not modify it. */
    byte[] bytes() {
        long second = clock.millis() / 1000;
        Line known = line;
        if (known.second != second) {
            known = line(second);
            line = known;
        }
        return known.bytes;
    }

    private static Line line(long second) {
        String date = FORMAT.format(Instant.ofEpochSecond(second));
        return new Line(second, ("Date: " + date + "\r\n").getBytes(US_ASCII));
    }

    private static final class Line {
        private final long second;
        private final byte[] bytes;

        Line(long second, byte[] bytes) {
            this.second = second;
            this.bytes = bytes;
        }
    }
}
