package io.weir.upstream.link;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.weir.framing.HeadCache.Repeated;
import io.weir.testing.NoLeaks;
import io.weir.upstream.link.NodeAnswerDecoder.NodeAnswerHead;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers are read as Netty's decoder reads them, also those whose head is not parsed again. */
@NoLeaks
class NodeAnswerDecoderTest {

    private static final String HEAD = "HTTP/1.1 200 OK\r\nServer: node\r\nContent-Length: 2\r\nDate: now\r\n\r\n";

    @Test
    void anAnswerWithTheHeadOfTheOneBeforeIsNotParsed() {
        assertThat(read(new NodeAnswerDecoder(), HEAD + "ab", HEAD.replace(": 2", ": 3") + "cde"))
                .isEqualTo("[200 2 keep]ab.(200 3 keep)cde.");
    }

    @Test
    void repeatedAnswersMayComeInOnePiece() {
        assertThat(read(new NodeAnswerDecoder(), HEAD + "ab" + HEAD + "cd" + HEAD + "ef"))
                .isEqualTo("[200 2 keep]ab.(200 2 keep)cd.(200 2 keep)ef.");
    }

    @Test
    void anAnswerThatIsCutIsParsed() {
        assertThat(read(
                        new NodeAnswerDecoder(),
                        HEAD + "ab",
                        HEAD + "c",
                        "d",
                        HEAD.substring(0, 20),
                        HEAD.substring(20) + "ef"))
                .isEqualTo("[200 2 keep]ab.[200 2 keep]cd.[200 2 keep]ef.");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\n",
                "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nContent-Length: 2\r\n\r\n",
                "HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\n",
                "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 3\r\nContent-Length: 2\r\n\r\n",
                "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 2\r\n\r\n"
            })
    void aHeadThatDecidesSomethingElseIsParsedEachTime(String head) {
        assertThat(read(new NodeAnswerDecoder(), head + "ab", head + "cd")).doesNotContain("(");
    }

    @ParameterizedTest
    @ValueSource(strings = {"xchunked", "identity", "gzip"})
    void anAnswerWithALengthAndAnUnknownTransferCodingIsTheLastOfItsConnection(String coding) {
        String head = HEAD.replace("Server: node", "Transfer-Encoding: " + coding);

        assertThat(read(new NodeAnswerDecoder(), head + "ab")).isEqualTo("[200 2 close]ab.");
    }

    @Test
    void bytesBehindAnAnswerThatIsNoHttpAreNoAnswer() {
        assertThat(read(
                        new NodeAnswerDecoder(),
                        HEAD + "ab",
                        "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
                        HEAD + "cd"))
                .isEqualTo("[200 2 keep]ab.!");
    }

    @Test
    void bytesBehindAChangeOfTheProtocolAreNoAnswer() {
        String change = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: other\r\nConnection: upgrade\r\n\r\n";

        assertThat(read(new NodeAnswerDecoder(), HEAD + "ab", change + HEAD + "cd"))
                .doesNotContain("(");
    }

    @Test
    void everyStreamOfAnswersIsReadAsNettyReadsIt() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int repeated = 0;
        for (int i = 0; i < 3_000; i++) {
            String[] pieces = pieces(random, AnswerShapes.stream(random));
            String own = read(new NodeAnswerDecoder(), pieces);

            assertThat(own.replace('(', '[').replace(')', ']'))
                    .as("seed %d, stream %d: %s", seed, i, String.join("|", pieces))
                    .isEqualTo(read(new HttpResponseDecoder(NodeConnector.decoding()), pieces));
            repeated += own.contains("(") ? 1 : 0;
        }
        assertThat(repeated)
                .as("seed %d: streams with an answer that was not parsed", seed)
                .isGreaterThan(300);
    }

    private static String[] pieces(Random random, String stream) {
        if (random.nextInt(3) == 0) {
            return new String[] {stream};
        }
        StringBuilder cut = new StringBuilder();
        boolean whole = random.nextBoolean();
        for (int at = 0; at < stream.length(); ) {
            int next = stream.indexOf("HTTP/1.", at + 1);
            int end = whole && next > 0 ? next : Math.min(stream.length(), at + 1 + random.nextInt(120));
            cut.append(stream, at, end).append('\0');
            at = end;
        }
        return cut.toString().split("\0");
    }

    /** Returns what a decoder passes on: heads, bodies, ends, and {@code !} for what is no HTTP, which ends it. */
    private static String read(HttpResponseDecoder decoder, String... pieces) {
        EmbeddedChannel channel = new EmbeddedChannel(decoder);
        StringBuilder text = new StringBuilder();
        try {
            for (String piece : pieces) {
                channel.writeInbound(Unpooled.copiedBuffer(piece, ISO_8859_1));
                for (Object message = channel.readInbound(); message != null; message = channel.readInbound()) {
                    append(text, message);
                    ReferenceCountUtil.release(message);
                }
            }
        } finally {
            channel.finishAndReleaseAll();
        }
        int end = text.indexOf("!");
        return end < 0 ? text.toString() : text.substring(0, end + 1);
    }

    private static void append(StringBuilder text, Object message) {
        if (message instanceof Repeated<?> answer && answer.first() instanceof NodeAnswerHead first) {
            text.append('(')
                    .append(words(first, answer.content().readableBytes()))
                    .append(')');
            text.append(answer.content().toString(ISO_8859_1)).append('.');
        } else if (message instanceof HttpObject part && part.decoderResult().isFailure()) {
            text.append('!');
        } else if (message instanceof NodeAnswerHead head) {
            text.append('[').append(words(head, head.length())).append(']');
        } else if (message instanceof HttpResponse response) {
            NodeAnswerHead head = NodeAnswerHead.of(response);
            text.append('[').append(words(head, head.length())).append(']');
        }
        if (message instanceof HttpContent content) {
            text.append(content.content().toString(ISO_8859_1)).append(content instanceof LastHttpContent ? "." : "");
        }
    }

    private static String words(NodeAnswerHead head, long length) {
        return head.status()
                + " "
                + length
                + (head.keepsConnection() ? " keep" : " close")
                + (head.verdict() == null ? "" : " " + head.verdict())
                + (head.mayBodySayMore() ? " read" : "");
    }
}
