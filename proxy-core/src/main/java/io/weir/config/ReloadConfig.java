package io.weir.config;

import io.weir.api.setting.About;
import io.weir.api.setting.Setting;

/** The reload of the configuration while the proxy runs. Immutable. */
public record ReloadConfig(
        @About("Time between two looks at configuration and secret files; a stable change reloads. 0 disables it.")
        @Setting(value = "0 s", range = "0 s to 1 d")
        long watchMillis) {}
