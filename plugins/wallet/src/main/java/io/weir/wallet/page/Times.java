package io.weir.wallet.page;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;

/** Times as a person reads them. Thread-safe. */
final class Times {

    private static final long MINUTE = 60;
    private static final long HOUR = 3600;
    private static final long DAY = 86_400;

    private Times() {}

    /** Returns a time in UTC, to the second. */
    static String of(Instant instant) {
        return DateTimeFormatter.ISO_INSTANT.format(instant.truncatedTo(ChronoUnit.SECONDS));
    }

    /** Returns the span between two times in its two largest units; {@code 0 s} if it is negative. */
    static String span(Instant from, Instant to) {
        long seconds = Math.max(Duration.between(from, to).toSeconds(), 0);
        if (seconds < MINUTE) {
            return seconds + " s";
        }
        if (seconds < HOUR) {
            return seconds / MINUTE + " min " + seconds % MINUTE + " s";
        }
        return seconds < DAY
                ? seconds / HOUR + " h " + seconds % HOUR / MINUTE + " min"
                : seconds / DAY + " d " + seconds % DAY / HOUR + " h";
    }
}
