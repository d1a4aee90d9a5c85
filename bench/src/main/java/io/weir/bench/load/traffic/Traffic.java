package io.weir.bench.load.traffic;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.weir.bench.load.chain.CallText;
import java.util.List;

/** Requests one after the other, by their place in the sequence. Immutable. */
public sealed interface Traffic {

    /** The body of the request at a place; places beyond the last begin again, but for {@link Fresh}. */
    byte[] body(long place);

    /** Calls in each request. */
    int calls();

    /** Always the same request. */
    record Same(byte[] body) implements Traffic {

        /** A call, or a batch, as it is written. */
        public static Same of(String body) {
            return new Same(body.getBytes(ISO_8859_1));
        }

        @Override
        public byte[] body(long place) {
            return body;
        }

        @Override
        public int calls() {
            return CallText.read(body).size();
        }
    }

    /** A fixed sequence of single calls. */
    record Sequence(List<byte[]> bodies) implements Traffic {

        public Sequence {
            bodies = List.copyOf(bodies);
        }

        @Override
        public byte[] body(long place) {
            return bodies.get((int) (place % bodies.size()));
        }

        @Override
        public int calls() {
            return 1;
        }
    }

    /**
     * A call that was never made before: eight hex digits between two texts count up.
     *
     * @param prefix with eight digits at its end that tell one use from another
     */
    record Fresh(String prefix, String after, byte[] pattern) implements Traffic {

        private static final int DIGITS = 8;
        private static final String ALL = "0123456789abcdef";

        /**
         * Calls that nobody made.
         *
         * @param use another for each use
         */
        static Fresh of(String before, String after, int use) {
            String prefix = before + "%08x".formatted(use);
            return new Fresh(prefix, after, (prefix + "0".repeat(DIGITS) + after).getBytes(ISO_8859_1));
        }

        @Override
        public byte[] body(long place) {
            byte[] body = pattern.clone();
            long rest = place;
            for (int i = prefix.length() + DIGITS - 1; i >= prefix.length(); i--) {
                body[i] = (byte) ALL.charAt((int) (rest & 0xf));
                rest >>>= 4;
            }
            return body;
        }

        @Override
        public int calls() {
            return 1;
        }
    }
}
