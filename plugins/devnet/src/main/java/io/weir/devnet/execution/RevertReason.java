package io.weir.devnet.execution;

import io.weir.ethereum.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The text in a revert's payload. Thread-safe. */
public final class RevertReason {
    private static final Bytes ERROR = Bytes.fromHex("0x08c379a0");
    private static final int TEXT_START = Abi.SELECTOR_BYTES + 2 * Abi.WORD_BYTES;

    private RevertReason() {}

    /** The reason in an {@code Error(string)}; null where the payload is none of the devnet's own making. */
    public static @Nullable String of(Bytes payload) {
        byte[] bytes = payload.toArray();
        if (bytes.length < TEXT_START
                || !Bytes.copyOf(bytes, 0, Abi.SELECTOR_BYTES).equals(ERROR)) {
            return null;
        }
        int length = Abi.number(Arrays.copyOfRange(bytes, TEXT_START - Abi.WORD_BYTES, TEXT_START))
                .intValueExact();
        return new String(bytes, TEXT_START, length, StandardCharsets.UTF_8);
    }
}
