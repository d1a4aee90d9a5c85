package io.weir.limit;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The connections or bytes that each address holds, within a bound. The addresses of one IPv6 /64 network count as one.
 * Thread-safe.
 */
public final class AddressCounts {

    private static final int NETWORK_BYTES = 8;

    private final long max;
    private final ConcurrentHashMap<InetAddress, Long> counts = new ConcurrentHashMap<>();

    /** @param max maximum of one address; 0 for no bound */
    public AddressCounts(long max) {
        this.max = max;
    }

    /** Adds one. Returns false and adds nothing if that exceeds the bound. */
    public boolean tryAdd(InetAddress address) {
        return tryAdd(address, 1);
    }

    /** Adds an amount. Returns false and adds nothing if that exceeds the bound. */
    public boolean tryAdd(InetAddress address, long amount) {
        if (max == 0) {
            return true;
        }
        boolean[] added = new boolean[1];
        counts.compute(network(address), (key, count) -> {
            long before = count == null ? 0 : count;
            added[0] = amount <= max - before;
            return added[0] ? Long.valueOf(before + amount) : count;
        });
        return added[0];
    }

    /** Subtracts one that was added. */
    public void remove(InetAddress address) {
        remove(address, 1);
    }

    /** Subtracts an amount that was added. */
    public void remove(InetAddress address, long amount) {
        if (max != 0) {
            counts.computeIfPresent(network(address), (key, count) -> count <= amount ? null : count - amount);
        }
    }

    /** Returns the number of addresses with a count above zero. */
    public int addresses() {
        return counts.size();
    }

    /**
     * Returns the address that represents a client. For IPv6 that is the first address of the /64 network, because one
     * client may use all of its addresses. An IPv4 address represents itself.
     */
    public static InetAddress network(InetAddress address) {
        if (!(address instanceof Inet6Address)) {
            return address;
        }
        byte[] bytes = address.getAddress();
        Arrays.fill(bytes, NETWORK_BYTES, bytes.length, (byte) 0);
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("address: " + bytes.length + " bytes (expected: 16)", e);
        }
    }
}
