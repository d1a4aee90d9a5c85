package io.weir.transport.http;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The rule for the Content-Type of requests. */
public final class MediaTypes {

    private static final Set<String> JSON =
            Set.of("application/json", "application/json-rpc", "application/jsonrequest");
    private static final Set<String> UTF8 = Set.of("utf-8", "utf8");

    private MediaTypes() {}

    /** Returns whether these Content-Type headers mean JSON in UTF-8. No header means it too. */
    public static boolean isJson(List<String> headers) {
        if (headers.isEmpty()) {
            return true;
        }
        String[] parts = headers.get(0).split(";", -1);
        if (headers.size() > 1 || !JSON.contains(parts[0].strip().toLowerCase(Locale.ROOT))) {
            return false;
        }
        for (int i = 1; i < parts.length; i++) {
            String parameter = parts[i].strip().toLowerCase(Locale.ROOT);
            if (parameter.startsWith("charset=") && !isUtf8(parameter.substring("charset=".length()))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isUtf8(String charset) {
        boolean quoted = charset.length() > 1 && charset.startsWith("\"") && charset.endsWith("\"");
        return UTF8.contains(quoted ? charset.substring(1, charset.length() - 1) : charset);
    }
}
