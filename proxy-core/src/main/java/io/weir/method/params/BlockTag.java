package io.weir.method.params;

import io.weir.jsonrpc.RawJson;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Name of a block by its role in the chain. */
public enum BlockTag {
    /** The head. */
    LATEST,
    /** The first block that the node has. */
    EARLIEST,
    /** The block in the making. */
    PENDING,
    /** The newest block that is unlikely to be replaced. */
    SAFE,
    /** The newest block that cannot be replaced. */
    FINALIZED;

    private static final BlockTag[] ALL = values();

    @SuppressWarnings("ImmutableEnumChecker") // It is immutable.
    private final RawJson json = RawJson.of('"' + text() + '"');

    /** Returns the tag as text, as in calls. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the tag in quotes, as in calls. */
    public RawJson json() {
        return json;
    }

    /** Returns the tag of a JSON string without escapes; null if it is none. */
    public static @Nullable BlockTag read(RawJson value) {
        for (BlockTag tag : ALL) {
            if (tag.json.equals(value)) {
                return tag;
            }
        }
        return null;
    }
}
