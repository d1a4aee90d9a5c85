package io.weir.upstream.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.channel.Channel;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.weir.testing.NoLeaks;
import io.weir.testing.RawNode;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Choice among a host's addresses: 127.0.0.1 accepts, the others of 127.0.0.0/8 refuse. */
@NoLeaks
class NodeConnectorIT {

    private final MultiThreadIoEventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final AtomicInteger tries = new AtomicInteger();

    @AfterEach
    void end() {
        loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    /** Line that only counts its tries. */
    private final class Counted extends ChannelInboundHandlerAdapter implements NodeConnector.Line {
        private @Nullable Channel channel;

        @Override
        public void addTo(ChannelPipeline pipeline) {
            tries.incrementAndGet();
            pipeline.addLast(this);
        }

        @Override
        public void ready(Channel ready) {
            channel = ready;
        }
    }

    /** Connects to a port by a name with these addresses. Returns the failure, or null. */
    private @Nullable Failed connect(int port, String... addresses) {
        NodeConnector.HostResolvers resolvers = new NodeConnector.HostResolvers(host -> inet(addresses));
        NodeAddress address = NodeAddress.ofHttp(URI.create("http://node.test:" + port));
        CompletableFuture<@Nullable Failed> ended = new CompletableFuture<>();
        try (NodeConnector connector = new NodeConnector(address, null, NioSocketChannel.class, 5_000, resolvers)) {
            var loop = loops.next();
            loop.execute(() -> connector.connect(loop, Counted::new, (line, problem) -> {
                if (line != null && line.channel != null) {
                    line.channel.close();
                }
                ended.complete(problem);
            }));
            return ended.orTimeout(90, TimeUnit.SECONDS).join();
        }
    }

    private static InetAddress[] inet(String... addresses) throws UnknownHostException {
        InetAddress[] found = new InetAddress[addresses.length];
        for (int i = 0; i < addresses.length; i++) {
            found[i] = InetAddress.getByName(addresses[i]);
        }
        return Arrays.copyOf(found, found.length);
    }

    @Test
    void theNextAddressIsTriedWhereOneRefuses() throws IOException {
        try (RawNode node = new RawNode(connection -> connection.read(1))) {
            assertThat(connect(node.port(), "127.0.0.2", "127.0.0.3", "127.0.0.1", "127.0.0.4"))
                    .isNull();
            assertThat(tries).hasValue(3);
        }
    }

    @Test
    void onlyTheFirstFewAddressesAreTried() throws IOException {
        try (RawNode node = new RawNode(connection -> connection.read(1))) {
            assertThat(connect(node.port(), "127.0.0.2", "127.0.0.3", "127.0.0.4", "127.0.0.5", "127.0.0.1"))
                    .isEqualTo(new Failed(Fault.CONNECT, Executed.NO, "the connection was refused", 0));
            assertThat(tries).hasValue(4);
        }
    }

    @Test
    void theLastProblemIsReportedIfNoAddressAccepts() throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        assertThat(connect(port, "127.0.0.2", "127.0.0.1"))
                .isEqualTo(new Failed(Fault.CONNECT, Executed.NO, "the connection was refused", 0));
        assertThat(tries).hasValue(2);
    }

    @Test
    void aConnectionWhoseAddressTheNameNoLongerHasIsFound() throws IOException {
        AtomicInteger lookUps = new AtomicInteger();
        NodeConnector.HostResolvers resolvers = new NodeConnector.HostResolvers(
                host -> inet(lookUps.incrementAndGet() < 3 ? "127.0.0.1" : "127.0.0.2"));
        try (RawNode node = new RawNode(connection -> connection.read(1));
                NodeConnector connector = new NodeConnector(
                        NodeAddress.ofHttp(URI.create("http://node.test:" + node.port())),
                        null,
                        NioSocketChannel.class,
                        5_000,
                        resolvers)) {
            var loop = loops.next();
            CompletableFuture<Channel> opened = new CompletableFuture<>();
            loop.execute(() -> connector.connect(
                    loop, Counted::new, (line, problem) -> opened.complete(line == null ? null : line.channel)));
            Channel channel = opened.orTimeout(90, TimeUnit.SECONDS).join();
            AtomicInteger moved = new AtomicInteger();
            connector.ifMoved(channel, moved::incrementAndGet);
            connector.ifMoved(channel, () -> moved.addAndGet(2));
            await().until(() -> moved.get() > 0);
            assertThat(moved).as("told for the third lookup alone").hasValue(2);
            channel.close();
        }
    }
}
