package io.weir.method.params;

import io.weir.jsonrpc.RawJson;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Blocks by what they are to the chain. */
public enum BlockTag {
    /** The head. */
    LATEST,
    /** The first one that the node has. */
    EARLIEST,
    /** The one that is being made. */
    PENDING,
    /** The newest that is unlikely to be replaced. */
    SAFE,
    /** The newest that cannot be replaced. */
    FINALIZED;

    private static final BlockTag[] ALL = values();

    @SuppressWarnings("ImmutableEnumChecker") // It is immutable.
    private final RawJson json = RawJson.of('"' + text() + '"');

    /** As it stands in calls. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** As it stands in calls, in quotes. */
    public RawJson json() {
        return json;
    }

    /** The tag that a JSON string is, written without escapes; or null. */
    static @Nullable BlockTag read(RawJson value) {
        for (BlockTag tag : ALL) {
            if (tag.json.equals(value)) {
                return tag;
            }
        }
        return null;
    }
}
