package io.weir.transport.peer;

import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpHeaders;
import io.weir.config.AddressBlock;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the addresses of clients, by the word of trusted proxies where they come through such. {@code Forwarded} (RFC 7239) is
 * read where it is there, and {@code X-Forwarded-For} only where it is not: one that cannot be read means the peer itself.
 * Immutable.
 */
public final class ClientAddresses {

    private static final String FORWARDED = "Forwarded";
    private static final String X_FORWARDED_FOR = "X-Forwarded-For";

    private final List<AddressBlock> trusted;

    public ClientAddresses(List<AddressBlock> trusted) {
        this.trusted = List.copyOf(trusted);
    }

    /** The address at the other end of a connection, or null where it has none any more. */
    public static @Nullable InetAddress peer(Channel channel) {
        return channel.remoteAddress() instanceof InetSocketAddress remote ? remote.getAddress() : null;
    }

    /** Whether the word of that peer counts. */
    public boolean trusts(InetAddress peer) {
        for (AddressBlock block : trusted) {
            if (block.contains(peer)) {
                return true;
            }
        }
        return false;
    }

    /** Whether many clients may come from one peer: from a trusted proxy, or from this machine. Bounds per address skip it. */
    public boolean isShared(InetAddress peer) {
        return peer.isLoopbackAddress() || trusts(peer);
    }

    /**
     * The address of the client that sent these headers: from the right, the last one that is not itself trusted; where all are,
     * the first.
     */
    public InetAddress client(InetAddress peer, HttpHeaders headers) {
        if (!trusts(peer)) {
            return peer;
        }
        List<String> forwarded = headers.getAll(FORWARDED);
        List<@Nullable InetAddress> way = forwarded.isEmpty()
                ? ForwardedValue.addressesOfList(headers.getAll(X_FORWARDED_FOR))
                : ForwardedValue.addresses(forwarded);
        InetAddress farthest = peer;
        for (int i = way.size() - 1; i >= 0; i--) {
            InetAddress next = way.get(i);
            if (next == null) {
                // Malformed, unknown or hidden: what stands before it was not seen by anybody who is trusted.
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
