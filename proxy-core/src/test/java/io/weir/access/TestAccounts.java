package io.weir.access;

import com.codahale.metrics.MetricRegistry;
import io.weir.metrics.Meters;
import io.weir.upstream.budget.UnitLedger;

/** Accounts of API keys. */
public final class TestAccounts {

    private TestAccounts() {}

    /** Returns accounts whose meters nobody reads. */
    public static KeyAccounts create() {
        return create(new Meters(new MetricRegistry()));
    }

    /** Returns the account of a key, whose use is counted. */
    public static KeyAccount of(String key, Meters meters) {
        return create(meters).of(key);
    }

    private static KeyAccounts create(Meters meters) {
        return new KeyAccounts(meters, UnitLedger.inMemory(System::currentTimeMillis));
    }
}
