package io.weir.access;

import com.codahale.metrics.Counter;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The use of one method of a network by each API key: calls, units and bytes. The meters of a key are registered with its first
 * call. Thread-safe.
 */
public final class MethodUsage {

    private static final @Nullable OfKey[] NONE = {};

    private final Meters meters;
    private final String network;
    private final String method;
    /** By the number of the key's account. An array is never changed once it is here. */
    private volatile @Nullable OfKey[] keys = NONE;

    private record OfKey(Counter calls, Counter units, Counter bytes) {}

    public MethodUsage(Meters meters, String network, String method) {
        this.meters = meters;
        this.network = network;
        this.method = method;
    }

    public void count(KeyAccount account, long units, long bytes) {
        if (account.number() >= 0) {
            OfKey key = of(account);
            key.calls().inc();
            key.units().inc(units);
            key.bytes().inc(bytes);
        }
    }

    /** Counts more bytes of the answer to a call that was counted before. */
    public void countBytes(KeyAccount account, long bytes) {
        if (account.number() >= 0) {
            of(account).bytes().inc(bytes);
        }
    }

    private OfKey of(KeyAccount account) {
        @Nullable OfKey[] known = keys;
        OfKey key = account.number() < known.length ? known[account.number()] : null;
        return key == null ? register(account) : key;
    }

    private synchronized OfKey register(KeyAccount account) {
        int number = account.number();
        @Nullable OfKey[] more = Arrays.copyOf(keys, Math.max(keys.length, number + 1));
        OfKey key = more[number];
        if (key == null) {
            key = new OfKey(
                    meters.counter(Meter.KEY_CALLS, network, account.name(), method),
                    meters.counter(Meter.KEY_UNITS, network, account.name(), method),
                    meters.counter(Meter.KEY_BYTES, network, account.name(), method));
            more[number] = key;
            keys = more;
        }
        return key;
    }
}
