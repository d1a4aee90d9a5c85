package io.weir.transport.http1;

import io.weir.limit.AddressCounts;
import io.weir.limit.Reservation;
import java.net.InetAddress;
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
    private final AddressCounts addresses;
    private final @Nullable InetAddress address;
    private long ofAddress;
    private boolean closed;

    /**
     * @param reservation counts in the bytes in flight
     * @param address the address whose bytes are counted in {@code addresses}, or null if there is no bound
     */
    public RequestHeadAccount(Reservation reservation, AddressCounts addresses, @Nullable InetAddress address) {
        this.reservation = reservation;
        this.addresses = addresses;
        this.address = address;
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
        if (amount < reservation.taken()) {
            reservation.lowerTo(amount);
        }
        if (forAddress < ofAddress) {
            give(ofAddress - forAddress);
        }
        long more = address == null ? 0 : forAddress - ofAddress;
        if (address != null && more > 0 && !addresses.tryAdd(address, more)) {
            return false;
        }
        ofAddress += more;
        boolean always = unfinished == 0 && heads + bodies <= ALWAYS_ALLOWED;
        boolean added = add(amount - reservation.taken(), always);
        if (!added) {
            give(more);
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

    private void give(long less) {
        ofAddress -= less;
        if (address != null) {
            addresses.remove(address, less);
        }
    }

    boolean isEmpty() {
        return reservation.taken() == 0 && ofAddress == 0;
    }

    /** Gives everything back. */
    @Override
    public void close() {
        closed = true;
        reservation.close();
        give(ofAddress);
    }
}
