package io.weir.transport.http1;

import io.weir.limit.Reservation;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that one connection holds in unfinished request heads and waiting requests. All of them count in the bytes
 * in flight, and all but the bodies count for the address. Confined to its event loop.
 */
public final class RequestHeadAccount implements AutoCloseable {

    /**
     * Maximum bytes of waiting requests that may exceed the budget of all bytes in flight: one read of a socket with
     * few of them.
     */
    private static final long ALWAYS_ALLOWED = 80 << 10;

    private final Reservation reservation;
    private final @Nullable Reservation ofAddress;
    private boolean closed;

    /**
     * @param reservation counts in the bytes in flight
     * @param ofAddress counts in the bytes of its address; null if these have no bound
     */
    public RequestHeadAccount(Reservation reservation, @Nullable Reservation ofAddress) {
        this.reservation = reservation;
        this.ofAddress = ofAddress;
    }

    /**
     * Sets the bytes of an unfinished head, and of decoded requests that wait for others. A closed account counts
     * nothing.
     *
     * @param heads bytes and costs of waiting requests, without their bodies
     * @param bodies bytes of the bodies of waiting requests, which do not count for the address
     * @return false, and nothing more is counted, if a bound is exceeded
     */
    public boolean set(long unfinished, long heads, long bodies) {
        if (closed) {
            return true;
        }
        long forAddress = unfinished + heads;
        long amount = forAddress + bodies;
        reservation.lowerTo(amount);
        long more = 0;
        if (ofAddress != null) {
            ofAddress.lowerTo(forAddress);
            more = forAddress - ofAddress.taken();
            if (more > 0 && !ofAddress.tryAdd(more)) {
                return false;
            }
        }
        boolean always = unfinished == 0 && heads + bodies <= ALWAYS_ALLOWED;
        boolean added = add(amount - reservation.taken(), always);
        if (!added && ofAddress != null) {
            ofAddress.give(more);
        }
        return added;
    }

    private boolean add(long more, boolean always) {
        if (more <= 0 || reservation.tryAdd(more)) {
            return true;
        }
        if (always) {
            reservation.add(more);
        }
        return always;
    }

    boolean isEmpty() {
        return reservation.taken() == 0 && (ofAddress == null || ofAddress.taken() == 0);
    }

    /** Gives everything back. */
    @Override
    public void close() {
        closed = true;
        reservation.close();
        if (ofAddress != null) {
            ofAddress.close();
        }
    }
}
