package io.weir.wallet.page;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of signed-in persons, for a bounded time and in bounded number. A session's secret is kept by its hash alone.
 * Thread-safe.
 */
final class Sessions {

    private static final int MAX = 32;
    private static final int SECRET_BYTES = 32;

    private final SecureRandom random;
    private final LongSupplier nanos;
    private final long lifeNanos;
    /** By the hash of the secret, the oldest first. */
    private final Map<String, Session> byHash = new LinkedHashMap<>();

    /**
     * A person who is signed in. Immutable.
     *
     * @param approver the name of the person
     * @param formToken what every form of the session brings
     * @param endNanos when it ends
     */
    record Session(String approver, String formToken, long endNanos) {

        /** Whether a form is one of this session's. */
        boolean owns(Form form) {
            return MessageDigest.isEqual(
                    form.field("token").getBytes(StandardCharsets.UTF_8), formToken.getBytes(StandardCharsets.UTF_8));
        }
    }

    /**
     * Nobody is signed in.
     *
     * @param nanos a clock like {@link System#nanoTime}
     * @param life how long a session lasts, however much it is used
     */
    Sessions(SecureRandom random, LongSupplier nanos, Duration life) {
        this.random = random;
        this.nanos = nanos;
        this.lifeNanos = life.toNanos();
    }

    /** Begins a session of a person; the oldest ends where there are too many. Gives the secret that stands for it. */
    synchronized String begin(String approver) {
        dropEnded();
        if (byHash.size() >= MAX) {
            byHash.remove(byHash.keySet().iterator().next());
        }
        String secret = secret();
        byHash.put(hash(secret), new Session(approver, secret(), nanos.getAsLong() + lifeNanos));
        return secret;
    }

    /** The session of a secret, or null where there is none. */
    synchronized @Nullable Session find(@Nullable String secret) {
        dropEnded();
        return secret == null ? null : byHash.get(hash(secret));
    }

    /** Ends the session of a secret. */
    synchronized void end(@Nullable String secret) {
        if (secret != null) {
            byHash.remove(hash(secret));
        }
    }

    private void dropEnded() {
        long now = nanos.getAsLong();
        Iterator<Session> oldest = byHash.values().iterator();
        while (oldest.hasNext() && oldest.next().endNanos() - now <= 0) {
            oldest.remove();
        }
    }

    private String secret() {
        byte[] bytes = new byte[SECRET_BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static String hash(String secret) {
        return HexFormat.of().formatHex(Approvers.sha256(secret));
    }
}
