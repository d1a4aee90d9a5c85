package io.weir.wallet.page;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** The credential of the person who approves, known by its SHA-256 alone, and how often it may be guessed. Thread-safe. */
final class Approver {

    private static final int MAX_WRONG = 10;
    private static final long WINDOW_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** The result of checking a credential. */
    enum Verdict {
        RIGHT,
        WRONG,
        /** Not looked at: too many wrong ones came before. */
        TOO_MANY
    }

    private final byte[] sha256;
    private final LongSupplier nanos;

    private long windowStart;
    private int wrong;

    /**
     * The person of a credential.
     *
     * @param sha256 its hash; empty where there is none, and no credential is right
     * @param nanos a clock like {@link System#nanoTime}
     */
    Approver(byte[] sha256, LongSupplier nanos) {
        this.sha256 = sha256.clone();
        this.nanos = nanos;
        this.windowStart = nanos.getAsLong();
    }

    /** Whether there is one. */
    boolean isThere() {
        return sha256.length > 0;
    }

    /** How long a credential's check takes tells nothing of it. */
    synchronized Verdict check(String credential) {
        long now = nanos.getAsLong();
        if (now - windowStart >= WINDOW_NANOS) {
            windowStart = now;
            wrong = 0;
        }
        if (wrong >= MAX_WRONG) {
            return Verdict.TOO_MANY;
        }
        if (MessageDigest.isEqual(sha256(credential), sha256)) {
            return Verdict.RIGHT;
        }
        wrong++;
        return Verdict.WRONG;
    }

    static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256: missing (expected: in every JVM)", e);
        }
    }
}
