package io.weir.access;

import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The account of an API key, by the key's name: what was refused to it. Thread-safe. */
public final class KeyAccount {

    /** The account of callers of which nothing is counted. */
    public static final KeyAccount NONE = new KeyAccount("", null);

    private final String name;
    private final @Nullable Meters meters;

    /** @param meters null if nothing is counted */
    KeyAccount(String name, @Nullable Meters meters) {
        this.name = name;
        this.meters = meters;
    }

    /** Counts a request or call that the key may not make. */
    public void refused(KeyRefusal reason) {
        if (meters != null) {
            meters.counter(Meter.KEY_REFUSALS, name, reason.name().toLowerCase(Locale.ROOT))
                    .inc();
        }
    }
}
