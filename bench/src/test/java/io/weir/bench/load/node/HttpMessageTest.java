package io.weir.bench.load.node;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpMessageTest {

    private static final String TWO = """
            POST /a HTTP/1.1\r
            Host: b\r
            CONTENT-Length:  5\r
            \r
            firstHTTP/1.1 200 OK\r
            Transfer-Encoding: chunked\r
            \r
            3\r
            sec\r
            3\r
            ond\r
            0\r
            \r
            GET /c HTTP/1.1\r
            X-Content-Length: 9\r
            \r
            """;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 64, 1000})
    void messagesAreCutOutHoweverTheyArrive(int piece) {
        byte[] bytes = TWO.getBytes(ISO_8859_1);
        HttpMessage message = new HttpMessage();
        ByteBuf in = Unpooled.buffer();
        List<String> bodies = new ArrayList<>();
        List<String> heads = new ArrayList<>();
        for (int at = 0; at < bytes.length; at += piece) {
            in.writeBytes(bytes, at, Math.min(piece, bytes.length - at));
            while (message.read(in)) {
                bodies.add(new String(message.body(), ISO_8859_1));
                heads.add(message.head().lines().findFirst().orElse(""));
            }
        }
        assertThat(bodies).containsExactly("first", "second", "");
        assertThat(heads).containsExactly("POST /a HTTP/1.1", "HTTP/1.1 200 OK", "GET /c HTTP/1.1");
        assertThat(message.hasAt(0, "GET /c")).isTrue();
        assertThat(message.hasAt(0, "POST")).isFalse();
        in.release();
    }
}
