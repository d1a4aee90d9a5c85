package io.weir.pipeline.send;

import io.weir.ethereum.Hash32;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Meaning of a node's error for a transaction. */
enum SendVerdict {
    /** The node has it already. */
    KNOWN,
    /** Its nonce is used: by another transaction, or by this one, sent before. */
    TAKEN,
    /** The node refuses it. */
    REFUSED;

    /**
     * Wordings of known transactions. geth, erigon and reth: {@code already known}. besu: {@code Known transaction}; hardhat
     * and old geth: the same with the hash. nethermind: {@code AlreadyKnown}. anvil: {@code transaction already imported}.
     * parity: {@code Transaction with the same hash was already imported.} erigon: {@code existing tx with same hash}
     */
    private static final Pattern KNOWN_WORDS = Pattern.compile(
            "\\balready\\s?known\\b|\\bknown transaction\\b|\\balready (imported|exists)\\b"
                    + "|\\balready in (the )?((mem|tx|m)?pool|system)|\\btx with same hash",
            Pattern.CASE_INSENSITIVE);

    /**
     * Wordings of used nonces: {@code nonce too low} in its spellings. nethermind: {@code OldNonce} and {@code
     * ReplacementNotAllowed}. parity: {@code There is another transaction with same nonce in the queue.}
     */
    private static final Pattern TAKEN_WORDS = Pattern.compile(
            "nonce\\s?(is\\s)?too\\s?low|\\bold\\s?nonce\\b|replacement|transaction with same nonce",
            Pattern.CASE_INSENSITIVE);

    private static final Pattern HASH = Pattern.compile("0x[0-9a-fA-F]{64}(?![0-9a-fA-F])");
    private static final int MAX_READ = 1000;

    /** Returns the meaning of this message for the transaction with this hash. */
    static SendVerdict of(String message, Hash32 hash) {
        String read = message.substring(0, Math.min(MAX_READ, message.length()));
        if (KNOWN_WORDS.matcher(read).find()) {
            return namesAnother(read, hash) ? TAKEN : KNOWN;
        }
        return TAKEN_WORDS.matcher(read).find() ? TAKEN : REFUSED;
    }

    private static boolean namesAnother(String message, Hash32 hash) {
        Matcher named = HASH.matcher(message);
        return named.find() && !named.group().equalsIgnoreCase(hash.hex());
    }
}
