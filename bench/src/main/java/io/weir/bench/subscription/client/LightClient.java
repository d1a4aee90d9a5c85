package io.weir.bench.subscription.client;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A client that costs little, so that ten thousand of them fit beside the proxy on a small machine. It reads frames without decoding
 * their JSON, and tells notifications of heads from those of logs by a member. Confined to its event loop, except {@link #send} and
 * {@link #reading}, which are thread-safe.
 */
public final class LightClient extends ByteToMessageDecoder {

    private static final byte[] LOG_MEMBER = "\"logIndex\"".getBytes(US_ASCII);
    private static final byte[] NUMBER = "\"number\":\"0x".getBytes(US_ASCII);
    private static final byte[] NOTIFICATION = "\"eth_subscription\"".getBytes(US_ASCII);
    private static final int TEXT = 1;
    private static final int CLOSE = 8;
    private static final int PING = 9;
    private static final int PONG = 10;
    private static final int RECEIVE_BYTES = 8192;

    private final Listener listener;
    private final String request;
    private final CompletableFuture<LightClient> ready = new CompletableFuture<>();
    private @Nullable Channel channel;
    private boolean upgraded;

    /** User of a client. Called on its event loop. */
    public interface Listener {

        /** A head was told. */
        void head(long number);

        /** A log was told. */
        void log();

        /** A call was answered. */
        void answered();

        /** The proxy has closed the connection. */
        void closed(int code);
    }

    private LightClient(URI proxy, Listener listener) {
        this.listener = listener;
        this.request = "GET " + proxy.getPath() + " HTTP/1.1\r\nHost: 127.0.0.1:" + proxy.getPort()
                + "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    }

    /** Connects and completes when the WebSocket is open. */
    public static CompletableFuture<LightClient> connect(EventLoopGroup loops, URI proxy, Listener listener) {
        LightClient client = new LightClient(proxy, listener);
        new Bootstrap()
                .group(loops)
                .channel(NioSocketChannel.class)
                .option(ChannelOption.SO_RCVBUF, RECEIVE_BYTES)
                .handler(client)
                .connect(proxy.getHost(), proxy.getPort())
                .addListener(done -> {
                    if (!done.isSuccess()) {
                        client.ready.completeExceptionally(done.cause());
                    }
                });
        return client.ready;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        channel = ctx.channel();
        ctx.writeAndFlush(ctx.alloc().buffer().writeBytes(request.getBytes(US_ASCII)));
    }

    /** Sends a text message. */
    public void send(String text) {
        write(TEXT, text.getBytes(US_ASCII));
    }

    /** Starts or stops reading. */
    public void reading(boolean on) {
        Channel open = channel;
        if (open != null) {
            open.config().setAutoRead(on);
        }
    }

    private void write(int opcode, byte[] payload) {
        Channel open = channel;
        if (open == null) {
            return;
        }
        ByteBuf frame = open.alloc().buffer(payload.length + 8);
        frame.writeByte(0x80 | opcode);
        if (payload.length < 126) {
            frame.writeByte(0x80 | payload.length);
        } else {
            frame.writeByte(0x80 | 126).writeShort(payload.length);
        }
        // A mask of zeros leaves the payload as it is.
        open.writeAndFlush(frame.writeInt(0).writeBytes(payload));
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
        if (!upgraded) {
            upgrade(in);
            return;
        }
        int start = in.readerIndex();
        if (in.readableBytes() < 2) {
            return;
        }
        int opcode = in.getByte(start) & 0x0f;
        int head = 2;
        long length = in.getByte(start + 1) & 0x7f;
        if (length == 126) {
            head = 4;
            length = in.readableBytes() < head ? Long.MAX_VALUE : in.getUnsignedShort(start + 2);
        } else if (length == 127) {
            head = 10;
            length = in.readableBytes() < head ? Long.MAX_VALUE : in.getLong(start + 2);
        }
        if (in.readableBytes() - head < length) {
            return;
        }
        in.skipBytes(head);
        frame(opcode, in.readSlice((int) length));
    }

    private void upgrade(ByteBuf in) {
        String text = in.toString(US_ASCII);
        int end = text.indexOf("\r\n\r\n");
        if (end < 0) {
            return;
        }
        in.skipBytes(end + 4);
        upgraded = true;
        if (text.startsWith("HTTP/1.1 101")) {
            ready.complete(this);
        } else {
            ready.completeExceptionally(
                    new IllegalStateException(text.lines().findFirst().orElse("")));
        }
    }

    private void frame(int opcode, ByteBuf payload) {
        switch (opcode) {
            case TEXT -> message(payload);
            case PING -> {
                byte[] data = new byte[payload.readableBytes()];
                payload.readBytes(data);
                write(PONG, data);
            }
            case CLOSE -> listener.closed(payload.readableBytes() < 2 ? 1005 : payload.readUnsignedShort());
            default -> {}
        }
    }

    private void message(ByteBuf payload) {
        // The method comes first in a notification; answers are short.
        if (find(payload, NOTIFICATION) < 0) {
            listener.answered();
        } else if (find(payload, LOG_MEMBER) >= 0) {
            listener.log();
        } else {
            int at = find(payload, NUMBER) + NUMBER.length;
            long number = 0;
            for (int digit = digit(payload, at); digit >= 0; digit = digit(payload, ++at)) {
                number = number * 16 + digit;
            }
            listener.head(number);
        }
    }

    private static int digit(ByteBuf payload, int at) {
        return Character.digit(payload.getByte(at), 16);
    }

    private static int find(ByteBuf payload, byte[] text) {
        int end = payload.writerIndex() - text.length + 1;
        int at = payload.indexOf(payload.readerIndex(), end, text[0]);
        while (at >= 0 && !isAt(payload, at, text)) {
            at = payload.indexOf(at + 1, end, text[0]);
        }
        return at;
    }

    private static boolean isAt(ByteBuf payload, int at, byte[] text) {
        for (int i = 0; i < text.length; i++) {
            if (payload.getByte(at + i) != text[i]) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        listener.closed(1006);
        ready.completeExceptionally(new IllegalStateException("closed before the upgrade"));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        ctx.close();
    }
}
