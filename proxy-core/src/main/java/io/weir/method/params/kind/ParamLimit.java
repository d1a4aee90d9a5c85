package io.weir.method.params.kind;

import io.weir.jsonrpc.ErrorCode;
import java.util.Locale;

/**
 * Limits on the parameters of one call. Every limit but {@link #MEMBERS} counts over the whole call. Nodes serve no more than these
 * numbers, and a call's time on its event loop stays short under them.
 */
public enum ParamLimit {
    /** Addresses in a log filter: those of a large application's contracts. */
    ADDRESSES("addresses", 4_096),
    /** Topics in a log filter, over all positions. */
    TOPICS("topics", 4_096),
    /** Members of one object, unknown ones included. */
    MEMBERS("members", 64),
    /** Accounts in state overrides. */
    OVERRIDES("account overrides", 1_024),
    /** Storage slots in state overrides. */
    STORAGE_SLOTS("storage slots", 16_384),
    /** Entries of access lists. */
    ACCESS_LIST("access list entries", 4_096),
    /** Storage keys in access lists. */
    STORAGE_KEYS("storage keys", 16_384),
    /** Entries of authorization lists. */
    AUTHORIZATIONS("authorizations", 2_048),
    /** Blobs, their hashes, commitments and proofs. */
    BLOBS("blobs, hashes, commitments and proofs", 4_096),
    /** Percentiles of {@code eth_feeHistory}. */
    PERCENTILES("percentiles", 100),
    /** Storage positions of {@code eth_getProof} and {@code eth_getStorageValues}. */
    PROOF_KEYS("storage positions", 1_024),
    /** Accounts of {@code eth_getStorageValues}. */
    STORAGE_ACCOUNTS("accounts", 1_024),
    /** Blocks of {@code eth_simulateV1}. */
    SIMULATED_BLOCKS("blocks of calls", 256, ErrorCode.SIMULATION_TOO_LARGE),
    /** Calls of {@code eth_simulateV1}. */
    SIMULATED_CALLS("calls", 4_096, ErrorCode.SIMULATION_TOO_LARGE);

    private final String counted;
    private final int max;
    private final ErrorCode code;

    ParamLimit(String counted, int max) {
        this(counted, max, ErrorCode.INVALID_PARAMS);
    }

    ParamLimit(String counted, int max, ErrorCode code) {
        this.counted = counted;
        this.max = max;
        this.code = code;
    }

    /** Returns its name in metrics. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the noun for the counted things, for error messages. */
    public String counted() {
        return counted;
    }

    /** Returns the code of the error for more. */
    public ErrorCode code() {
        return code;
    }

    /** Returns the greatest number that is taken. */
    public int max() {
        return max;
    }
}
