package io.weir.admin;

import io.netty.util.NetUtil;
import io.weir.config.AdminConfig;
import io.weir.config.Authority;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The pages of browsers whose requests the admin listener answers: its own. The Host header has no say in it, because {@code
 * admin.hosts} may allow every name. Immutable.
 */
final class AdminOrigins {

    private static final List<String> LOOPBACK = List.of("localhost", "127.0.0.1", "[::1]");

    private final String host;
    private final Set<String> others;
    private final Set<String> named = new HashSet<>();

    AdminOrigins(AdminConfig config) {
        this.host = config.host().toLowerCase(Locale.ROOT);
        this.others = config.origins();
        for (String allowed : config.hosts()) {
            Authority authority = Authority.parse(allowed);
            if (authority != null) {
                named.add(authority.host());
            }
        }
    }

    /**
     * Whether a page's request is answered.
     *
     * @param origin the Origin header's value
     * @param local the address that the client has reached
     */
    boolean allow(String origin, InetSocketAddress local) {
        return others.contains(origin) || own(local).contains(origin);
    }

    private Set<String> own(InetSocketAddress local) {
        InetAddress address = local.getAddress();
        Set<String> names = new HashSet<>(named);
        names.add(host.indexOf(':') < 0 ? host : "[" + host + "]");
        if (address.isLoopbackAddress()) {
            names.addAll(LOOPBACK);
        }
        names.add(address instanceof Inet6Address ? "[" + plain(address) + "]" : address.getHostAddress());
        Set<String> origins = new HashSet<>();
        for (String name : names) {
            origins.add(origin("http", name, local.getPort(), 80));
            origins.add(origin("https", name, local.getPort(), 443));
        }
        return origins;
    }

    /** An address of IPv6 as browsers write it, without its zone; the longest row of zeros is left out. */
    private static String plain(InetAddress address) {
        return NetUtil.toAddressString(address);
    }

    private static String origin(String scheme, String name, int port, int usual) {
        return scheme + "://" + name + (port == usual ? "" : ":" + port);
    }
}
