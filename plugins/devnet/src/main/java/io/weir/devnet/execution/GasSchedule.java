package io.weir.devnet.execution;

import io.weir.ethereum.Bytes;
import io.weir.ethereum.transaction.AccessListEntry;
import java.util.List;

/** The gas that a transaction costs before anything runs. Thread-safe. */
public final class GasSchedule {
    /** The cost of every transaction. */
    public static final long TRANSACTION = 21_000;

    /** How long init code may be (EIP-3860). */
    public static final int MAX_INIT_CODE_BYTES = 49_152;

    private static final long CREATION = 32_000;
    private static final long ZERO_BYTE = 4;
    private static final long BYTE = 68;
    private static final long BYTE_SINCE_ISTANBUL = 16;
    private static final long LISTED_ADDRESS = 2_400;
    private static final long LISTED_KEY = 1_900;
    private static final long INIT_CODE_WORD = 2;
    private static final long FLOOR_PER_TOKEN = 10;

    private GasSchedule() {}

    /** The gas that is used whatever the transaction does. */
    public static long intrinsic(Fork fork, boolean creation, Bytes data, List<AccessListEntry> accessList) {
        long zeros = zeros(data);
        long gas = TRANSACTION
                + ZERO_BYTE * zeros
                + (fork.includes(Fork.ISTANBUL) ? BYTE_SINCE_ISTANBUL : BYTE) * (data.size() - zeros);
        if (creation) {
            gas += CREATION;
            if (fork.includes(Fork.SHANGHAI)) {
                gas += INIT_CODE_WORD * ((data.size() + 31L) / 32);
            }
        }
        for (AccessListEntry entry : accessList) {
            gas += LISTED_ADDRESS + LISTED_KEY * entry.storageKeys().size();
        }
        return gas;
    }

    /** The least that a transaction with so much data uses, since Prague (EIP-7623). */
    public static long floor(Fork fork, Bytes data) {
        if (!fork.includes(Fork.PRAGUE)) {
            return 0;
        }
        long zeros = zeros(data);
        return TRANSACTION + FLOOR_PER_TOKEN * (zeros + 4 * (data.size() - zeros));
    }

    private static long zeros(Bytes data) {
        long zeros = 0;
        for (int i = 0; i < data.size(); i++) {
            if (data.at(i) == 0) {
                zeros++;
            }
        }
        return zeros;
    }
}
