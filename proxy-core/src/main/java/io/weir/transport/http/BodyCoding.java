package io.weir.transport.http;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The encoding of a request body. */
public enum BodyCoding {
    /** Not encoded. */
    IDENTITY,
    /** Compressed with gzip, RFC 1952. */
    GZIP;

    /**
     * Returns the encoding in these Content-Encoding headers. Returns null if it is unsupported, as are several
     * encodings.
     */
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
