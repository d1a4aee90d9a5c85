package io.weir.transport.coding;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How the body of a request is packed. */
public enum BodyCoding {
    /** It is not. */
    IDENTITY,
    /** With gzip, RFC 1952. */
    GZIP;

    /** What these Content-Encoding headers say; null where that is not understood, several codings among it. */
    public static @Nullable BodyCoding of(List<String> headers) {
        if (headers.isEmpty()) {
            return IDENTITY;
        }
        if (headers.size() > 1) {
            return null;
        }
        return switch (headers.get(0).strip().toLowerCase(Locale.ROOT)) {
            case "gzip", "x-gzip" -> GZIP;
            case "identity", "" -> IDENTITY;
            default -> null;
        };
    }
}
