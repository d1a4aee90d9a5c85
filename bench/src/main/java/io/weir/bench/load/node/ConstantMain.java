package io.weir.bench.load.node;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.websocketx.WebSocketServerProtocolHandler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The bare server: Netty's own HTTP codec and a constant as the answer to whatever is asked, over HTTP and WebSocket. The upper
 * bound of a server on Netty: one that does nothing at all.
 *
 * <pre>
 * java -cp bench/target/weir-bench.jar io.weir.bench.load.node.ConstantMain FILE
 * </pre>
 *
 * <p>Says {@code constant: PORT PORT}, for HTTP and for WebSocket, when it listens. The file holds the answer's body.
 */
public final class ConstantMain {

    private static final int MAX_BYTES = 1 << 20;

    private ConstantMain() {}

    /** Listens until the process is ended. */
    public static void main(String[] args) throws IOException, InterruptedException {
        byte[] answer = args.length == 0 ? "{}".getBytes(US_ASCII) : Files.readAllBytes(Path.of(args[0]));
        int http = new ListeningLoop().listen(channel -> pipeline(channel, answer, false));
        int webSocket = new ListeningLoop().listen(channel -> pipeline(channel, answer, true));
        System.out.println("constant: " + http + " " + webSocket);
    }

    private static void pipeline(Channel channel, byte[] answer, boolean webSocket) {
        channel.pipeline().addLast(new HttpServerCodec());
        if (webSocket) {
            channel.pipeline()
                    .addLast(new HttpObjectAggregator(MAX_BYTES))
                    .addLast(new WebSocketServerProtocolHandler("/", null, false, MAX_BYTES, false, true));
        }
        channel.pipeline().addLast(new ConstantHandler(answer));
    }
}
