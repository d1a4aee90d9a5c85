package io.weir.config;

import io.weir.config.setting.About;
import io.weir.config.setting.Setting;

/** The batching of lookups for one node; only over HTTP. Immutable. */
public record BatchConfig(
        @About("Sends lookups together as one JSON-RPC batch over HTTP while the node is busy; a lone one leaves at "
                + "once. Disable it for nodes that answer batches slowly.")
        @Setting("true")
        boolean enabled,

        @About("Calls in one batch. Lower it for nodes that take smaller batches only.")
        @Setting(value = "100", range = "1 to 1000")
        int size,

        @About("Longest time that a call waits for others. Lower it for shorter times of single calls.")
        @Setting(value = "25 ms", range = "1 ms to 10 s")
        long waitMillis,

        @About("Time without an answer after which the calls of a batch are also asked singly, so that one slow call "
                + "does not fail the others. Lower it for nodes that always answer fast.")
        @Setting(value = "2 s", range = "10 ms to 1 h")
        long timeoutMillis) {}
