package io.weir.wallet.page;

import io.weir.wallet.name.Fingerprint;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of signed-in persons, for a bounded time and in bounded number. A session's name is the hash of its secret, which is
 * not kept. A request has the session if it comes to the path of that name and brings the secret. Thread-safe.
 */
final class Sessions {

    private static final int MAX = 32;
    private static final int SECRET_BYTES = 32;

    private final SecureRandom random;
    private final LongSupplier nanos;
    private final long lifeNanos;
    /** The oldest first. */
    private final Map<String, Session> byName = new LinkedHashMap<>();

    /**
     * A person who is signed in. Immutable.
     *
     * @param name the name of the session
     * @param approver the name of the person
     * @param formToken what every form of the session brings
     * @param endNanos when it ends
     */
    record Session(String name, String approver, String formToken, long endNanos) {

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
        if (byName.size() >= MAX) {
            byName.remove(byName.keySet().iterator().next());
        }
        String secret = secret();
        String name = nameOf(secret);
        byName.put(name, new Session(name, approver, secret(), nanos.getAsLong() + lifeNanos));
        return secret;
    }

    /** Returns the session of this name, or null if there is none or none of the secrets is its own. */
    synchronized @Nullable Session find(String name, List<String> secrets) {
        dropEnded();
        return secrets.stream().anyMatch(secret -> nameOf(secret).equals(name)) ? byName.get(name) : null;
    }

    /** Ends a session. */
    synchronized void end(Session session) {
        byName.remove(session.name());
    }

    private void dropEnded() {
        long now = nanos.getAsLong();
        Iterator<Session> oldest = byName.values().iterator();
        while (oldest.hasNext() && oldest.next().endNanos() - now <= 0) {
            oldest.remove();
        }
    }

    private String secret() {
        byte[] bytes = new byte[SECRET_BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** Returns the name of the session of a secret. */
    static String nameOf(String secret) {
        return Fingerprint.hex(secret);
    }
}
