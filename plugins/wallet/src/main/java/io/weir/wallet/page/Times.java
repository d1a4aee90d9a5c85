package io.weir.wallet.page;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;

/** Times as a person reads them. Thread-safe. */
final class Times {

    private Times() {}

    /** Returns a time in UTC, to the second. */
    static String of(Instant instant) {
        return DateTimeFormatter.ISO_INSTANT.format(instant.truncatedTo(ChronoUnit.SECONDS));
    }

    /** Returns the seconds between two times; 0 if the second is not after the first. */
    static long seconds(Instant from, Instant until) {
        return Math.max(Duration.between(from, until).toSeconds(), 0);
    }
}
