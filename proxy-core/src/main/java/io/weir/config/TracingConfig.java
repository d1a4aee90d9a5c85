package io.weir.config;

import io.weir.api.setting.About;
import io.weir.api.setting.Setting;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The traces of calls. Immutable.
 *
 * @param sample the share of the calls that are traced, from 0 to 1, unless the client has decided
 */
public record TracingConfig(
        @About("URL of the collector, used as it is, mostly with `/v1/traces`; null traces nothing.")
        @Setting(form = Forms.CollectorUrl.class)
        @Nullable
        String endpoint,

        @About("Share of calls that are traced; a client's valid `traceparent` decides for its own calls.")
        @Setting(value = "1 %", form = Forms.Share.class)
        double sample,

        @About("Headers of requests to the collector, such as `Authorization`; never shown.")
        @Setting(value = "{}", form = Headers.class)
        Map<String, String> headers) {

    public boolean isOn() {
        return endpoint != null;
    }

    /** Names neither the address nor the headers, which may hold credentials. */
    @Override
    public String toString() {
        return "TracingConfig[on=" + isOn() + ", sample=" + sample + "]";
    }
}
