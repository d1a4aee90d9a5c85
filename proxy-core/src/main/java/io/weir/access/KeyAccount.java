package io.weir.access;

import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The account of an API key, by the key's name: what was refused to it, and the place of its use in {@link MethodUsage}. Thread-safe. */
public final class KeyAccount {

    /** The account of callers of which nothing is counted. */
    public static final KeyAccount NONE = new KeyAccount("", -1, null);

    private final String name;
    private final int number;
    private final @Nullable Meters meters;

    /**
     * @param number its own among all accounts; -1 if its use is not counted
     * @param meters null if nothing is counted
     */
    KeyAccount(String name, int number, @Nullable Meters meters) {
        this.name = name;
        this.number = number;
        this.meters = meters;
    }

    String name() {
        return name;
    }

    /** Returns its number among all accounts; -1 if its use is not counted. */
    int number() {
        return number;
    }

    /** Counts a request or call that the key may not make. */
    public void refused(KeyRefusal reason) {
        if (meters != null) {
            meters.counter(Meter.KEY_REFUSALS, name, reason.name().toLowerCase(Locale.ROOT))
                    .inc();
        }
    }
}
