package io.weir.transport.request;

import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpHeaders;
import io.weir.config.AddressBlock;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The addresses of clients, also behind trusted proxies. {@code Forwarded} (RFC 7239) takes precedence over {@code
 * X-Forwarded-For}. An unreadable header means the peer itself. Immutable.
 */
public final class ClientAddresses {

    private static final String FORWARDED = "Forwarded";
    private static final String X_FORWARDED_FOR = "X-Forwarded-For";

    private final List<AddressBlock> trusted;

    public ClientAddresses(List<AddressBlock> trusted) {
        this.trusted = List.copyOf(trusted);
    }

    /** Returns the address of a connection's peer, or null if it has none any more. */
    public static @Nullable InetAddress peer(Channel channel) {
        return channel.remoteAddress() instanceof InetSocketAddress remote ? remote.getAddress() : null;
    }

    /** Returns whether the peer's forwarding headers are trusted. */
    public boolean trusts(InetAddress peer) {
        for (AddressBlock block : trusted) {
            if (block.contains(peer)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns whether many clients may share a peer: a trusted proxy, or this machine. Bounds per address exempt it.
     */
    public boolean isShared(InetAddress peer) {
        return peer.isLoopbackAddress() || trusts(peer);
    }

    /** Returns the client's address from these headers: the last untrusted one, or the first if all are trusted. */
    public InetAddress client(InetAddress peer, HttpHeaders headers) {
        if (!trusts(peer)) {
            return peer;
        }
        List<String> forwarded = headers.getAll(FORWARDED);
        List<@Nullable InetAddress> addresses = forwarded.isEmpty()
                ? ForwardedValue.addressesOfList(headers.getAll(X_FORWARDED_FOR))
                : ForwardedValue.addresses(forwarded);
        InetAddress farthest = peer;
        for (int i = addresses.size() - 1; i >= 0; i--) {
            InetAddress next = addresses.get(i);
            if (next == null) {
                // Malformed, unknown or hidden: no trusted proxy has seen the addresses before it.
                return peer;
            }
            if (!trusts(next)) {
                return next;
            }
            farthest = next;
        }
        return farthest;
    }
}
