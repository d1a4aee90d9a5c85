package io.weir.access;

import com.codahale.metrics.MetricRegistry;
import io.weir.metrics.Meters;
import io.weir.upstream.budget.UnitLedger;

/** Accounts of API keys whose meters nobody reads. */
public final class TestAccounts {

    private TestAccounts() {}

    public static KeyAccounts create() {
        return new KeyAccounts(new Meters(new MetricRegistry()), UnitLedger.inMemory(System::currentTimeMillis));
    }
}
