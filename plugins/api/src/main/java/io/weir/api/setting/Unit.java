package io.weir.api.setting;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigValueFactory;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/** The quantity that a number with a unit measures. */
enum Unit {
    /** A duration in milliseconds. */
    DURATION("a duration with a unit, such as 250 ms or 10 s") {
        @Override
        long read(Config holder) {
            return holder.getDuration("v").toMillis();
        }
    },
    /** A size in bytes. */
    SIZE("a size with a unit, such as 64 KiB or 5 MiB") {
        @Override
        long read(Config holder) {
            return holder.getBytes("v");
        }
    };

    // A unit is required: without it, 10 would mean ten milliseconds, which nobody intends.
    private static final Pattern WITH_UNIT = Pattern.compile("\\s*(0|[0-9]+(\\.[0-9]+)?\\s*[A-Za-z]+)\\s*");

    private final String description;

    Unit(String description) {
        this.description = description;
    }

    abstract long read(Config holder);

    String rule() {
        return description;
    }

    String rule(String min, String max) {
        return description + ", from " + min + " to " + max;
    }

    /** Returns the number; empty if the text is not one. */
    OptionalLong parse(String text) {
        if (!WITH_UNIT.matcher(text).matches()) {
            return OptionalLong.empty();
        }
        try {
            return OptionalLong.of(read(ConfigValueFactory.fromAnyRef(text).atKey("v")));
        } catch (ConfigException | ArithmeticException e) {
            return OptionalLong.empty();
        }
    }
}
