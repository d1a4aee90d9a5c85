package io.weir.config;

import io.weir.api.setting.About;
import io.weir.api.setting.Setting;

/** The batching of lookups for one node; only over HTTP. Immutable. */
public record BatchConfig(
        @About("Sends lookups together as one JSON-RPC batch over HTTP while the node is busy.") @Setting("true")
        boolean enabled,

        @About("Calls in one batch.") @Setting(value = "100", range = "1 to 1000")
        int size) {}
