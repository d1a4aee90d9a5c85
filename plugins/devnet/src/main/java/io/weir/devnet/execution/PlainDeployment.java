package io.weir.devnet.execution;

import io.weir.ethereum.Bytes;

/**
 * The one init code that can be understood without an EVM: twelve instructions that return all that follows them.
 * Thread-safe.
 */
public final class PlainDeployment {
    /** Copies the code from byte 13 on into memory and returns it. */
    private static final Bytes PREFIX = Bytes.fromHex("0x600d380380600d6000396000f3");

    private static final int MAX_CODE_BYTES = 24_576;
    private static final int GAS_PER_BYTE = 200;
    private static final int FIXED_GAS = 29;
    private static final int GAS_PER_WORD = 6;

    private PlainDeployment() {}

    /** Init code that creates a contract with the given code. */
    public static Bytes of(Bytes code) {
        byte[] init = new byte[PREFIX.size() + code.size()];
        PREFIX.copyTo(init, 0);
        code.copyTo(init, PREFIX.size());
        return Bytes.wrap(init);
    }

    static boolean isPlain(Bytes initCode) {
        return initCode.size() >= PREFIX.size()
                && Bytes.copyOf(initCode.toArray(), 0, PREFIX.size()).equals(PREFIX);
    }

    static Bytes code(Bytes initCode) {
        return Bytes.copyOf(initCode.toArray(), PREFIX.size(), initCode.size());
    }

    static boolean isTooLong(Bytes code) {
        return code.size() > MAX_CODE_BYTES;
    }

    /** Returns the cost of the instructions and of storing the code. */
    static long gas(Bytes code) {
        long words = (code.size() + 31L) / 32;
        return FIXED_GAS + GAS_PER_WORD * words + words * words / 512 + (long) GAS_PER_BYTE * code.size();
    }
}
