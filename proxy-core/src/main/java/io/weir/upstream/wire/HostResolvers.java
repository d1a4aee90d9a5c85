package io.weir.upstream.wire;

import io.netty.resolver.AddressResolver;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.InetNameResolver;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Promise;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Resolver of host names through the system's blocking lookup, on a separate thread. IP addresses need no lookup. The thread
 * exists only while it is needed. Thread-safe.
 */
final class HostResolvers extends AddressResolverGroup<InetSocketAddress> {

    private static final int MAX_WAITING = 1024;
    private static final int KEEP_SECONDS = 10;

    private final Names names;
    private final ThreadPoolExecutor thread = new ThreadPoolExecutor(
            0,
            1,
            KEEP_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(MAX_WAITING),
            new DefaultThreadFactory("weir-host-names", true));

    HostResolvers(Names names) {
        this.names = names;
    }

    static HostResolvers ofSystem() {
        return new HostResolvers(InetAddress::getAllByName);
    }

    /** Lookup of a host's addresses, best first. */
    @FunctionalInterface
    interface Names {
        InetAddress[] find(String host) throws UnknownHostException;
    }

    @Override
    protected AddressResolver<InetSocketAddress> newResolver(EventExecutor executor) {
        return new Resolver(executor).asAddressResolver();
    }

    @Override
    public void close() {
        super.close();
        thread.shutdownNow();
    }

    /** Resolver of one event loop. */
    private final class Resolver extends InetNameResolver {

        Resolver(EventExecutor executor) {
            super(executor);
        }

        @Override
        protected void doResolve(String host, Promise<InetAddress> promise) {
            lookUp(promise, () -> promise.trySuccess(names.find(host)[0]));
        }

        @Override
        protected void doResolveAll(String host, Promise<List<InetAddress>> promise) throws Exception {
            byte[] address = NetUtil.createByteArrayFromIpAddressString(host);
            if (address != null) {
                promise.setSuccess(List.of(InetAddress.getByAddress(host, address)));
                return;
            }
            lookUp(promise, () -> promise.trySuccess(List.of(names.find(host))));
        }

        private void lookUp(Promise<?> promise, LookUp lookUp) {
            try {
                thread.execute(() -> {
                    try {
                        lookUp.run();
                    } catch (UnknownHostException e) {
                        promise.tryFailure(e);
                    }
                });
            } catch (RejectedExecutionException e) {
                promise.tryFailure(e);
            }
        }
    }

    /** Step that may find no host. */
    private interface LookUp {
        void run() throws UnknownHostException;
    }
}
