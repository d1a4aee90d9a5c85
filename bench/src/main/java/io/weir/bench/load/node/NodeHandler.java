package io.weir.bench.load.node;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.weir.bench.load.chain.Answers;
import io.weir.bench.load.chain.CallText;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * One connection of a node: reads requests of the few forms that proxies write (a Content-Length, or chunks), and answers each
 * with one write. Netty's own HTTP codec would cost more than the answer.
 */
final class NodeHandler extends ByteToMessageDecoder {

    private static final byte[] HEAD =
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ".getBytes(US_ASCII);
    private static final byte[] END = "\r\n\r\n".getBytes(US_ASCII);
    private static final byte[] FAILURE = ("HTTP/1.1 500 Internal Server Error\r\nContent-Type: text/plain\r\n"
                    + "Content-Length: 6\r\n\r\nbroken")
            .getBytes(US_ASCII);

    private final Answers answers;
    private final NodeMode mode;
    private final HttpMessage request = new HttpMessage();

    NodeHandler(Answers answers, NodeMode mode) {
        this.answers = answers;
        this.mode = mode;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        mode.connected();
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        while (request.read(in)) {
            if (request.hasAt(0, "GET ")) {
                context.write(
                        answer(context, List.of(control(target(request.head())).getBytes(US_ASCII))));
            } else {
                called(context);
            }
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) throws Exception {
        super.channelReadComplete(context);
        context.flush();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }

    private void called(ChannelHandlerContext context) {
        mode.requested();
        // Counts the calls of a failing node too.
        List<byte[]> parts = parts(request.body());
        ByteBuf answer =
                mode.isFailing() ? context.alloc().buffer(FAILURE.length).writeBytes(FAILURE) : answer(context, parts);
        if (mode.latencyMillis() == 0) {
            context.write(answer);
        } else {
            context.executor()
                    .schedule(() -> context.writeAndFlush(answer), mode.latencyMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private List<byte[]> parts(byte[] body) {
        return new CallAnswer(answers, mode).parts(CallText.read(body), body[0] == '[');
    }

    private static ByteBuf answer(ChannelHandlerContext context, List<byte[]> parts) {
        int length = parts.stream().mapToInt(part -> part.length).sum();
        byte[] digits = Integer.toString(length).getBytes(US_ASCII);
        ByteBuf buffer = context.alloc().buffer(HEAD.length + digits.length + END.length + length);
        buffer.writeBytes(HEAD).writeBytes(digits).writeBytes(END);
        parts.forEach(buffer::writeBytes);
        return buffer;
    }

    private String control(String target) {
        Map<String, String> query = new HashMap<>();
        for (String pair : target.substring(target.indexOf('?') + 1).split("&", -1)) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                query.put(pair.substring(0, equals).toLowerCase(Locale.ROOT), pair.substring(equals + 1));
            }
        }
        mode.set(query);
        return mode.counters();
    }

    private static String target(String head) {
        int start = head.indexOf(' ') + 1;
        return head.substring(start, head.indexOf(' ', start));
    }
}
