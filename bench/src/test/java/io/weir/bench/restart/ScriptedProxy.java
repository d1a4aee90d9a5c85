package io.weir.bench.restart;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketServerProtocolHandler;
import io.weir.bench.subscription.chain.Block;
import io.weir.bench.subscription.chain.BlockText;
import io.weir.bench.subscription.chain.ForkingChain;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A WebSocket server that answers for a chain, and tells heads and logs when a test says so. Thread-safe. */
final class ScriptedProxy implements AutoCloseable {

    private static final JsonMapper JSON = new JsonMapper();
    private static final String PATH = "/ws";
    private static final String HEADS = "0x1";
    private static final String LOGS = "0x2";

    private final ForkingChain chain;
    private final Channel server;
    private final BlockingQueue<Session> sessions = new LinkedBlockingQueue<>();

    ScriptedProxy(EventLoopGroup loops, ForkingChain chain) {
        this.chain = chain;
        this.server = new ServerBootstrap()
                .group(loops)
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline()
                                .addLast(
                                        new HttpServerCodec(),
                                        new HttpObjectAggregator(1 << 16),
                                        new WebSocketServerProtocolHandler(PATH),
                                        new Session());
                    }
                })
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .syncUninterruptibly()
                .channel();
    }

    URI url() {
        return URI.create("ws://127.0.0.1:" + ((InetSocketAddress) server.localAddress()).getPort() + PATH);
    }

    /** Waits until a client has asked for both subscriptions. The one to logs is not answered yet. */
    Session session() throws InterruptedException {
        Session next = sessions.poll(1, TimeUnit.MINUTES);
        if (next == null) {
            throw new AssertionError("no client has subscribed within a minute");
        }
        return next;
    }

    @Override
    public void close() {
        server.close();
    }

    /** A connection. Thread-safe. */
    final class Session extends SimpleChannelInboundHandler<TextWebSocketFrame> {

        private volatile Channel channel;
        private volatile String logsId;

        @Override
        protected void channelRead0(ChannelHandlerContext ctx, TextWebSocketFrame frame) {
            JsonNode call = JSON.readTree(frame.text());
            channel = ctx.channel();
            JsonNode params = call.path("params");
            String id = call.path("id").toString();
            switch (call.path("method").asString()) {
                case "eth_subscribe" -> subscribe(id, params.path(0).asString());
                case "eth_getLogs" -> answer(id, logs(params.path(0)));
                default -> answer(id, BlockText.block(block(number(params.path(0))), false));
            }
        }

        private void subscribe(String id, String kind) {
            if (kind.equals("newHeads")) {
                answer(id, '"' + HEADS + '"');
            } else {
                logsId = id;
                sessions.add(this);
            }
        }

        private void answer(String id, String result) {
            send("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":" + result + "}");
        }

        private void send(String text) {
            channel.writeAndFlush(new TextWebSocketFrame(text));
        }

        /** Answers the subscription to logs. */
        Session answerLogs() {
            answer(logsId, '"' + LOGS + '"');
            return this;
        }

        Session tellHead(Block block) {
            tell(HEADS, block.head());
            return this;
        }

        Session tellLogs(Block block) {
            block.logs().forEach(log -> tell(LOGS, log.json(false)));
            return this;
        }

        private void tell(String subscription, String result) {
            send("{\"jsonrpc\":\"2.0\",\"method\":\"eth_subscription\",\"params\":{\"subscription\":\"" + subscription
                    + "\",\"result\":" + result + "}}");
        }

        void goAway() {
            channel.writeAndFlush(new CloseWebSocketFrame(1012, "service restart"));
        }
    }

    private String logs(JsonNode filter) {
        List<Block> blocks = new ArrayList<>();
        for (Block at = block(number(filter.path("toBlock"))); at != null; at = at.parent()) {
            if (at.number() >= number(filter.path("fromBlock"))) {
                blocks.add(at);
            }
        }
        Collections.reverse(blocks);
        return blocks.stream()
                .flatMap(block -> block.logs().stream())
                .map(log -> log.json(false))
                .collect(Collectors.joining(",", "[", "]"));
    }

    private static long number(JsonNode hex) {
        return Long.decode(hex.asString());
    }

    private Block block(long number) {
        Block at = chain.head();
        while (at.number() > number) {
            at = at.parent();
        }
        return at;
    }
}
