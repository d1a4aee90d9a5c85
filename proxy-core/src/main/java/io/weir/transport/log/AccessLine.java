package io.weir.transport.log;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Collection;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A writer of JSON lines in printable ASCII. Confined to one thread. */
final class AccessLine {

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern(
                    "yyyy-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private final StringBuilder out;

    AccessLine(StringBuilder out) {
        this.out = out;
    }

    void begin(long timeMillis) {
        out.append("{\"time\":\"");
        TIME.formatTo(Instant.ofEpochMilli(timeMillis), out);
        out.append('"');
    }

    void end() {
        out.append("}\n");
    }

    /** Writes a text, unless it is null. */
    void text(String name, @Nullable String value) {
        if (value != null) {
            name(name);
            quote(value);
        }
    }

    void texts(String name, Collection<String> values) {
        name(name);
        char separator = '[';
        for (String value : values) {
            out.append(separator);
            quote(value);
            separator = ',';
        }
        out.append(values.isEmpty() ? "[]" : "]");
    }

    void number(String name, long value) {
        name(name);
        out.append(value);
    }

    /** Writes nanoseconds as milliseconds with three decimals. */
    void millis(String name, long nanos) {
        name(name);
        long micros = Math.max(0, nanos / 1000);
        long fraction = micros % 1000;
        out.append(micros / 1000).append('.');
        out.append(fraction < 100 ? "0" : "").append(fraction < 10 ? "0" : "").append(fraction);
    }

    void flag(String name) {
        name(name);
        out.append(true);
    }

    private void name(String name) {
        out.append(",\"").append(name).append("\":");
    }

    private void quote(String value) {
        out.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c >= ' ' && c < 0x7f) {
                out.append(c);
            } else {
                out.append("\\u").append(String.format(Locale.ROOT, "%04x", (int) c));
            }
        }
        out.append('"');
    }
}
