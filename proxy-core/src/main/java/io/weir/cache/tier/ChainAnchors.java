package io.weir.cache.tier;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Statements of a network's nodes about the blocks that validate a tier's entries. Thread-safe. */
public interface ChainAnchors {

    /** The same block for every chain: for a name space whose entries count only within another one. */
    ChainAnchors NONE = new ChainAnchors() {

        private static final String HASH = "0x" + "0".repeat(64);

        @Override
        public void finalBlock(Consumer<@Nullable Anchor> sink) {
            sink.accept(new Anchor(0, HASH));
        }

        @Override
        public void hashAt(long number, Consumer<@Nullable String> sink) {
            sink.accept(HASH);
        }
    };

    /** Block with its height. Immutable. */
    record Anchor(long number, String hash) {

        /** Returns the form of a tier's record. */
        byte[] bytes() {
            return (number + " " + hash).getBytes(US_ASCII);
        }

        /** Returns the block that a record names; null if it names none. */
        static @Nullable Anchor read(byte @Nullable [] bytes) {
            String text = bytes == null ? "" : new String(bytes, US_ASCII);
            if (!text.matches("[0-9]{1,18} 0x[0-9a-f]{64}")) {
                return null;
            }
            int blank = text.indexOf(' ');
            return new Anchor(Long.parseLong(text.substring(0, blank)), text.substring(blank + 1));
        }
    }

    /** Delivers the newest block that is known to be final; null if none is available now. The sink is called once. */
    void finalBlock(Consumer<@Nullable Anchor> sink);

    /** Delivers the hash of the canonical block at a height; null if none is available now. */
    void hashAt(long number, Consumer<@Nullable String> sink);
}
