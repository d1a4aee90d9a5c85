package io.weir.transport;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Heads that are sent again are not read again; nobody must see that. */
class RepeatedRequestTest {

    private static final Pattern TIMING = Pattern.compile("Server-Timing: [^\r]*");
    private static final String JSON = "Content-Type: application/json\r\n";

    /** Lines of heads, each without its Content-Length, in whose place stands a percent sign; and a dollar for the key. */
    private static final List<String> HEADS = List.of(
            "POST /v3/$ HTTP/1.1\r\nHost: main\r\n" + JSON + "%\r\n",
            "POST /v3/$ HTTP/1.1\r\nHost: main\r\n%" + JSON + "\r\n",
            "POST /v3/$ HTTP/1.1\r\nhost: main\r\nCONTENT-TYPE: application/json\r\n%\r\n",
            "POST /side/v3/$ HTTP/1.1\r\nHost: main\r\n" + JSON + "%\r\n",
            "POST /v3/$ HTTP/1.1\r\nHost: main\r\nContent-Type: text/plain\r\n%\r\n",
            "POST /nowhere/at/all HTTP/1.1\r\nHost: main\r\n%\r\n",
            "POST /v3/$ HTTP/1.1\r\nHost: main\r\nAccept-Encoding: gzip\r\n%\r\n",
            "POST /v3/$ HTTP/1.0\r\nHost: main\r\nConnection: keep-alive\r\n%\r\n",
            "PUT /v3/$ HTTP/1.1\r\nHost: main\r\n%\r\n",
            "\r\nPOST /v3/$ HTTP/1.1\r\nHost: main\r\n%\r\n");

    @Test
    void aConnectionThatReadsHeadsOnceAnswersAsOneThatReadsThemAll() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int round = 0; round < 200; round++) {
            byte[] requests = requests(random);
            String expected = answers(requests, 1, new Random(0));
            String given = answers(requests, requests.length, random);
            assertThat(given)
                    .as("seed " + seed + ", round " + round + ": " + new String(requests, UTF_8))
                    .isEqualTo(expected);
        }
    }

    @Test
    void aRequestLargerThanAllowedIsRejectedBehindOneWithTheSameHead() {
        byte[] small = request(HEADS.get(0), call(7, 10));
        byte[] large = request(HEADS.get(0), call(8, 5_000));
        ServerBounds bounds = new ServerBounds();
        bounds.maxBodyBytes = 1_000;
        try (EmbeddedListener context = new EmbeddedListener(bounds)) {
            context.receive(small, 0, small.length);
            context.receive(small, 0, small.length);
            assertThat(new String(context.sent(), UTF_8)).contains("\"id\":7").doesNotContain(" 413 ");
            context.receive(large, 0, large.length);
            context.settle();
            assertThat(new String(context.sent(), UTF_8)).startsWith("HTTP/1.1 413 ");
        }
    }

    private static byte[] requests(Random random) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        String head = HEADS.get(0);
        int count = 2 + random.nextInt(12);
        for (int i = 0; i < count; i++) {
            if (random.nextInt(4) == 0) {
                head = HEADS.get(random.nextInt(HEADS.size()));
            }
            out.writeBytes(request(head, call(i, random.nextInt(120))));
        }
        return out.toByteArray();
    }

    private static byte[] request(String head, String body) {
        String whole =
                head.replace("%", "Content-Length: " + body.length() + "\r\n").replace("$", TestProxy.KEY);
        return (whole + body).getBytes(UTF_8);
    }

    private static String call(int id, int spaces) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"echo\",\"params\":[" + " ".repeat(spaces) + "]}";
    }

    /** Returns the bytes that a connection sends when it receives these bytes in pieces of at most so many. */
    private static String answers(byte[] requests, int most, Random random) {
        try (EmbeddedListener context = new EmbeddedListener(new ServerBounds())) {
            int at = 0;
            while (at < requests.length) {
                int end = Math.min(requests.length, at + (most == 1 ? 1 : 1 + random.nextInt(most)));
                context.receive(requests, at, end);
                at = end;
            }
            context.settle();
            return TIMING.matcher(new String(context.sent(), UTF_8)).replaceAll("Server-Timing");
        }
    }
}
