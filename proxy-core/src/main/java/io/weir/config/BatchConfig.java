package io.weir.config;

import io.weir.config.setting.About;
import io.weir.config.setting.Setting;

/** The batching of lookups for one node; only over HTTP. Immutable. */
public record BatchConfig(
        @About("Sends lookups together as one JSON-RPC batch over HTTP while the node is busy.") @Setting("true")
        boolean enabled,

        @About("Calls in one batch.") @Setting(value = "100", range = "1 to 1000")
        int size,

        @About("Longest time that a call waits for others.") @Setting(value = "25 ms", range = "1 ms to 10 s")
        long waitMillis,

        @About("Time after which the calls of an unanswered batch are also asked singly.")
        @Setting(value = "2 s", range = "10 ms to 1 h")
        long timeoutMillis) {}
