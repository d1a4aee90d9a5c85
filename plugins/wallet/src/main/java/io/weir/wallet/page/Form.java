package io.weir.wallet.page;

import io.weir.api.AdminPage.Request;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The fields of a form, each there once. Immutable. */
record Form(Map<String, String> fields) {

    private static final String TYPE = "application/x-www-form-urlencoded";
    private static final int MAX_BYTES = 8 * 1024;
    private static final int MAX_FIELDS = 8;

    /** The form that a POST brings, or null where it brings none that can be read. */
    static @Nullable Form of(Request request) {
        String type = request.header("content-type");
        if (type == null
                || !type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT).equals(TYPE)
                || request.body().length > MAX_BYTES) {
            return null;
        }
        Map<String, String> fields = new HashMap<>();
        String body = new String(request.body(), StandardCharsets.UTF_8);
        for (String pair : body.split("&", -1)) {
            int equals = pair.indexOf('=');
            if (equals < 0 || fields.size() >= MAX_FIELDS) {
                return null;
            }
            try {
                String name = URLDecoder.decode(pair.substring(0, equals), StandardCharsets.UTF_8);
                String value = URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8);
                if (fields.put(name, value) != null) {
                    return null;
                }
            } catch (IllegalArgumentException e) {
                return null;
            }
        }
        return new Form(Map.copyOf(fields));
    }

    /** A field's value; empty where it is missing. */
    String field(String name) {
        return fields.getOrDefault(name, "");
    }
}
