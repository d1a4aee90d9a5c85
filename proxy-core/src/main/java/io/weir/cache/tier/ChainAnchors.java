package io.weir.cache.tier;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What the nodes of a network say of blocks that a tier's entries are held to. Thread-safe. */
public interface ChainAnchors {

    /** A block at its place in the chain. */
    record Anchor(long number, String hash) {

        /** As a record of a tier. */
        byte[] bytes() {
            return (number + " " + hash).getBytes(US_ASCII);
        }

        /** The block that a record names; null where it names none. */
        static @Nullable Anchor read(byte @Nullable [] bytes) {
            String text = bytes == null ? "" : new String(bytes, US_ASCII);
            if (!text.matches("[0-9]{1,18} 0x[0-9a-f]{64}")) {
                return null;
            }
            int blank = text.indexOf(' ');
            return new Anchor(Long.parseLong(text.substring(0, blank)), text.substring(blank + 1));
        }
    }

    /** Gives the newest block that is known to be final; null where none can be had now. The sink is called once. */
    void finalBlock(Consumer<@Nullable Anchor> sink);

    /** Gives the hash of the canonical block at a height; null where none can be had now. */
    void hashAt(long number, Consumer<@Nullable String> sink);
}
