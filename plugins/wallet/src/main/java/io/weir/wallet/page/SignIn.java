package io.weir.wallet.page;

import io.weir.wallet.name.Fingerprint;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The check of credentials, which slows down addresses that guess. After some wrong credentials an address waits one second for its
 * next try, and twice as long after each further one, up to the longest pause. Other addresses do not wait. Thread-safe.
 */
final class SignIn {

    /** A person may mistype twice without a wait. */
    private static final int FREE_TRIES = 3;

    /** At one try a minute nobody guesses a credential, and a person behind a guesser's address still signs in. */
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** As many as the longest pause needs. */
    private static final int MAX_DOUBLINGS = 6;

    /** The addresses that are remembered, in a quarter of a megabyte. */
    private static final int MAX_ADDRESSES = 1000;

    private static final long FORGOTTEN_NANOS = TimeUnit.HOURS.toNanos(1);

    /** The bytes of an IPv6 network, whose addresses one client may all use. */
    private static final int NETWORK_BYTES = 8;

    private final Map<String, byte[]> approvers;
    private final LongSupplier nanos;
    /** By address, the longest without a wrong credential first. */
    private final Map<String, Guesses> byAddress = new LinkedHashMap<>();

    /**
     * No address has guessed.
     *
     * @param approvers the SHA-256 of the credentials, by the names of the persons
     * @param nanos a clock like {@link System#nanoTime}
     */
    SignIn(Map<String, byte[]> approvers, LongSupplier nanos) {
        this.approvers = Map.copyOf(approvers);
        this.nanos = nanos;
    }

    /** The wrong credentials of an address. Immutable. */
    private record Guesses(int wrong, long lastNanos) {}

    /**
     * The result of a try. Immutable.
     *
     * @param approver the person whose credential it is; null for a wrong one, and for one that was not looked at
     * @param waitSeconds the time until the address may try again; 0 if the credential was looked at
     */
    record Result(@Nullable String approver, long waitSeconds) {}

    /** Checks a credential that comes from an address. */
    synchronized Result check(InetAddress peer, String credential) {
        long now = nanos.getAsLong();
        byAddress.values().removeIf(guesses -> now - guesses.lastNanos() >= FORGOTTEN_NANOS);
        String address = network(peer);
        Guesses before = byAddress.get(address);
        if (before != null) {
            long left = pauseNanos(before.wrong()) - (now - before.lastNanos());
            if (left > 0) {
                return new Result(null, TimeUnit.NANOSECONDS.toSeconds(left - 1) + 1);
            }
        }
        String approver = nameOf(credential);
        byAddress.remove(address);
        if (approver == null) {
            if (byAddress.size() >= MAX_ADDRESSES) {
                byAddress.remove(byAddress.keySet().iterator().next());
            }
            byAddress.put(address, new Guesses(before == null ? 1 : before.wrong() + 1, now));
        }
        return new Result(approver, 0);
    }

    /** Returns the name of the person whose credential it is, or null. The time it takes tells nothing of a credential. */
    private @Nullable String nameOf(String credential) {
        byte[] hash = Fingerprint.of(credential);
        String found = null;
        for (Map.Entry<String, byte[]> one : approvers.entrySet()) {
            if (MessageDigest.isEqual(hash, one.getValue())) {
                found = one.getKey();
            }
        }
        return found;
    }

    private long pauseNanos(int wrong) {
        if (wrong < FREE_TRIES) {
            return 0;
        }
        long doubled = TimeUnit.SECONDS.toNanos(1) << Math.min(wrong - FREE_TRIES, MAX_DOUBLINGS);
        return Math.min(doubled, LONGEST_PAUSE_NANOS);
    }

    private static String network(InetAddress peer) {
        byte[] bytes = peer.getAddress();
        return HexFormat.of().formatHex(peer instanceof Inet6Address ? Arrays.copyOf(bytes, NETWORK_BYTES) : bytes);
    }
}
