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
 * The hosts that a listener answers to. A page that reaches the listener under a name of its own (DNS rebinding) sends that name in
 * the Host header and is refused. Loopback names and addresses, and the address that a connection reached, are always allowed:
 * nobody else can own them. Immutable.
 */
public final class AllowedHosts {

    private static final String ANY = "*";
    private static final String LOOPBACK = "localhost";

    private final boolean any;
    private final Set<String> names = new HashSet<>();
    private final List<AddressBlock> blocks = new ArrayList<>();

    /**
     * Allows hosts beside those that are always allowed.
     *
     * @param allowed names, addresses, blocks of addresses, or {@code *} for every host
     */
    public AllowedHosts(Collection<String> allowed) {
        this.any = allowed.contains(ANY);
        for (String host : allowed) {
            Authority authority = Authority.parse(host);
            AddressBlock block = AddressBlock.parse(host);
            if (block != null) {
                blocks.add(block);
            } else if (authority != null) {
                names.add(authority.host());
            }
        }
    }

    /**
     * Whether a request may be answered.
     *
     * @param host the Host header's value; null where there is none, which is allowed: browsers always send one
     * @param local the address that the connection reached, or null where it is not known
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
        if (names.contains(name) || name.equals(LOOPBACK) || name.endsWith("." + LOOPBACK)) {
            return true;
        }
        InetAddress address = authority.address();
        return address != null && isOwn(address, local);
    }

    private boolean isOwn(InetAddress address, @Nullable InetAddress local) {
        if (address.isLoopbackAddress()
                || (local != null && Authority.text(address).equals(Authority.text(local)))) {
            return true;
        }
        for (AddressBlock block : blocks) {
            if (block.contains(address)) {
                return true;
            }
        }
        return false;
    }
}
