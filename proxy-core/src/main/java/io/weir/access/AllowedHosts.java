package io.weir.access;

import io.weir.config.AddressBlock;
import io.weir.config.Authority;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The hosts that a listener answers to. A web page that reaches the listener under a foreign name (DNS rebinding) sends
 * that name in the Host header and is rejected. Loopback names and addresses, and the address that a connection
 * reached, are always allowed, because nobody else can own them. Immutable.
 */
public final class AllowedHosts {

    private static final String ANY = "*";
    private static final String LOOPBACK = "localhost";

    private final boolean any;
    private final Set<String> names = new HashSet<>();
    /** Each with its dot at the beginning. */
    private final List<String> domains = new ArrayList<>();

    private final List<AddressBlock> blocks = new ArrayList<>();

    /**
     * Allows hosts in addition to those that are always allowed.
     *
     * @param allowed names, domains with a dot before them, addresses, address blocks, or {@code *} for every host
     */
    public AllowedHosts(Collection<String> allowed) {
        this.any = allowed.contains(ANY);
        for (String host : allowed) {
            Authority authority = Authority.parse(host);
            AddressBlock block = AddressBlock.parse(host);
            if (block != null) {
                blocks.add(block);
            } else if (authority != null) {
                (host.startsWith(".") ? domains : names).add(authority.host());
            }
        }
    }

    /**
     * Returns whether a request may be answered.
     *
     * @param host the Host header's value; null if absent, which is allowed because browsers always send one
     * @param local the address that the connection reached, or null if unknown
     */
    public boolean allow(@Nullable String host, @Nullable InetAddress local) {
        if (any || host == null) {
            return true;
        }
        Authority authority = Authority.parse(host);
        if (authority == null) {
            return false;
        }
        String name = authority.host();
        if (names.contains(name) || name.equals(LOOPBACK) || name.endsWith("." + LOOPBACK) || isBelow(name)) {
            return true;
        }
        InetAddress address = authority.address();
        return address != null && isOwn(address, local);
    }

    private boolean isBelow(String name) {
        for (String domain : domains) {
            if (name.endsWith(domain)) {
                return true;
            }
        }
        return false;
    }

    private boolean isOwn(InetAddress address, @Nullable InetAddress local) {
        return address.isLoopbackAddress()
                || (local != null && Authority.text(address).equals(Authority.text(local)))
                || AddressBlock.contain(blocks, address);
    }
}
