package io.weir.app;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.weir.testing.JsonRpcSocket;
import io.weir.testing.traffic.ScriptedAnswers;
import io.weir.testing.traffic.StrictAnswer;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Large results that go on to the clients of several equal calls, and to the cache, while they arrive. */
final class SharedStreamsIT {

    private static final int SIZE = 3_000_000;
    private static final int BEGUN = 600_000;
    private static final int MAX_ENTRY = 8 << 20;
    private static final int TIMEOUT_MILLIS = 60_000;

    /** Blocks that no other test has asked for. All are final. */
    private static final AtomicInteger BLOCKS = new AtomicInteger();

    private static final String CACHED = "trace_block";
    private static final String UNCACHED = "trace_filter";

    private static final AtomicInteger asked = new AtomicInteger();

    private static StreamingProxy proxy;

    @BeforeAll
    static void start() throws IOException {
        proxy = new StreamingProxy("server.threads = 3", "networks.main.finality.depth = 0");
    }

    @AfterAll
    static void stop() throws IOException {
        proxy.close();
    }

    /** Sends the beginning of a result to calls of the method, and the rest once the latch is open. */
    private static void answerInTwoParts(String method, byte[] result, CountDownLatch rest) {
        answer(method, result, (body, out) -> {
            out.write(body, 0, BEGUN);
            StreamingProxy.awaitLatch(rest);
            out.write(body, BEGUN, body.length - BEGUN);
        });
    }

    /** Writes the bodies of answers to calls of the method. The proxy's own calls find nothing, and no fault. */
    private static void answer(String method, byte[] result, BodyWriter writer) {
        proxy.script = (call, out) -> {
            byte[] body = ScriptedAnswers.body(call, result);
            if (!call.path("method").asString().equals(method)) {
                ScriptedAnswers.writeWhole(out, ScriptedAnswers.body(call, "null".getBytes(US_ASCII)));
                return;
            }
            asked.incrementAndGet();
            out.write(ScriptedAnswers.head("Content-Length: " + body.length));
            writer.write(body, out);
        };
    }

    /** Writes a body, or a part of it. */
    @FunctionalInterface
    private interface BodyWriter {

        /** Writes; an exception closes the connection. */
        void write(byte[] body, OutputStream out) throws IOException;
    }

    /** A client that speaks HTTP/1.0, and so takes no stream. */
    private static Socket oldClient(int id, String block) throws IOException {
        String body = call(id, UNCACHED, block);
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), proxy.weir.port());
        socket.setSoTimeout(60_000);
        socket.getOutputStream()
                .write(("POST /v3/demo HTTP/1.0\r\nHost: localhost\r\nContent-Length: " + body.length() + "\r\n\r\n"
                                + body)
                        .getBytes(US_ASCII));
        return socket;
    }

    private static double stored() {
        return proxy.weir.admin().metric("weir_cache_entries");
    }

    /** It may first be asked whether the block is final. */
    private static void awaitStored(double entries) {
        await().until(() -> stored() == entries);
    }

    private static String nextBlock() {
        asked.set(0);
        return "\"0x" + Integer.toHexString(BLOCKS.incrementAndGet()) + "\"";
    }

    @Test
    void aResultForTheCacheArrivesWhileTheNodeSendsItAndIsAHitAfterwards() throws IOException {
        byte[] result = ScriptedAnswers.result(1, SIZE);
        double stored = stored();
        String block = nextBlock();
        CountDownLatch rest = new CountDownLatch(1);
        answerInTwoParts(CACHED, result, rest);
        try (Client client = new Client(1, CACHED, block)) {
            client.begin();
            rest.countDown();
            client.assertGets(result);
        }
        awaitStored(stored + 1);
        try (Client client = new Client(2, CACHED, block)) {
            client.begin();
            assertThat(client.answer.head()).contains("Cache-Status: weir; hit");
            client.assertGets(result);
        }
        assertThat(asked).hasValue(1);
        proxy.assertNothingInFlight();
    }

    @Test
    void aResultLargerThanTheCacheTakesIsNotStored() throws IOException {
        byte[] result = ScriptedAnswers.result(2, MAX_ENTRY + 1);
        String block = nextBlock();
        answerInTwoParts(CACHED, result, new CountDownLatch(0));
        for (int i = 1; i <= 2; i++) {
            try (Client client = new Client(i, CACHED, block)) {
                client.begin();
                client.assertGets(result);
            }
        }
        assertThat(asked).hasValue(2);
        proxy.assertNothingInFlight();
    }

    @Test
    void callsThatWaitOrComeWithinTheWindowShareOneStream() throws Exception {
        for (String method : List.of(CACHED, UNCACHED)) {
            byte[] result = ScriptedAnswers.result(3, SIZE);
            String block = nextBlock();
            CountDownLatch rest = new CountDownLatch(1);
            answerInTwoParts(method, result, rest);
            double stored = stored();
            double coalesced = proxy.weir.admin().metric("weir_calls_coalesced_total");
            List<Client> clients = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                clients.add(new Client(i, method, block));
                // The first three may come before the answer begins, the others come within it.
                if (i >= 2) {
                    clients.get(i).begin();
                }
            }
            try (JsonRpcSocket socket = JsonRpcSocket.connect(proxy.weir.socketUrl())) {
                socket.send(call(7, method, block));
                await().until(() -> proxy.weir.admin().metric("weir_calls_coalesced_total") == coalesced + 6);
                rest.countDown();
                assertThat(socket.await()).isEqualTo(new String(expected(7, result), UTF_8));
            }
            for (Client client : clients) {
                client.assertGets(result);
                client.close();
            }
            assertThat(asked).as(method).hasValue(1);
            awaitStored(method.equals(CACHED) ? stored + 1 : stored);
        }
        proxy.assertNothingInFlight();
    }

    @Test
    void callsThatCannotTakeTheStreamGetTheAnswerOfOneMoreCallWhole() throws Exception {
        byte[] result = ScriptedAnswers.result(4, SIZE);
        String block = nextBlock();
        CountDownLatch rest = new CountDownLatch(1);
        answerInTwoParts(UNCACHED, result, rest);
        try (Client client = new Client(1, UNCACHED, block)) {
            client.begin();
            try (Socket one = oldClient(2, block);
                    Socket other = oldClient(3, block)) {
                await().until(() -> asked.get() == 2 && proxy.weir.admin().metric("weir_calls_in_flight") == 3);
                rest.countDown();
                client.assertGets(result);
                assertThat(one.getInputStream().readAllBytes()).hasSizeGreaterThan(SIZE);
                assertThat(other.getInputStream().readAllBytes()).hasSizeGreaterThan(SIZE);
            }
        }
        assertThat(asked).hasValue(2);
        proxy.assertNothingInFlight();
    }

    @Test
    void aNodeThatBreaksOffEndsAllConnectionsAndNothingIsStored() throws Exception {
        byte[] result = ScriptedAnswers.result(5, SIZE);
        String block = nextBlock();
        CountDownLatch cut = new CountDownLatch(1);
        double broken = proxy.brokenOff();
        double stored = stored();
        answer(CACHED, result, (body, out) -> {
            out.write(body, 0, BEGUN);
            StreamingProxy.awaitLatch(cut);
            out.write(body, BEGUN, SIZE / 2);
            throw new IOException("cut");
        });
        try (Client first = new Client(1, CACHED, block);
                Client second = new Client(2, CACHED, block)) {
            first.begin();
            second.begin();
            cut.countDown();
            assertThatThrownBy(first::readOn).isInstanceOf(IOException.class);
            assertThatThrownBy(second::readOn).isInstanceOf(IOException.class);
        }
        await().until(() -> proxy.brokenOff() == broken + 1);
        assertThat(asked).hasValue(1);
        answerInTwoParts(CACHED, result, new CountDownLatch(0));
        try (Client again = new Client(3, CACHED, block)) {
            again.begin();
            again.assertGets(result);
        }
        awaitStored(stored + 1);
        assertThat(asked).hasValue(2);
        proxy.assertNothingInFlight();
    }

    @Test
    void aClientThatLeavesDoesNotEndTheOthersStream() throws IOException {
        byte[] result = ScriptedAnswers.result(6, SIZE);
        double stored = stored();
        String block = nextBlock();
        CountDownLatch rest = new CountDownLatch(1);
        answerInTwoParts(CACHED, result, rest);
        try (Client first = new Client(1, CACHED, block);
                Client second = new Client(2, CACHED, block)) {
            first.begin();
            second.begin();
            first.leave();
            await().until(() -> proxy.weir.admin().metric("weir_connections") == 1);
            rest.countDown();
            second.assertGets(result);
        }
        awaitStored(stored + 1);
        try (Client third = new Client(3, CACHED, block)) {
            third.begin();
            third.assertGets(result);
        }
        assertThat(asked).hasValue(1);
        proxy.assertNothingInFlight();
    }

    @Test
    void withoutClientsTheNodesAnswerIsGivenUp() throws IOException {
        byte[] result = ScriptedAnswers.result(7, SIZE);
        String block = nextBlock();
        CountDownLatch rest = new CountDownLatch(1);
        answerInTwoParts(CACHED, result, rest);
        try (Client first = new Client(1, CACHED, block);
                Client second = new Client(2, CACHED, block)) {
            first.begin();
            second.begin();
        }
        proxy.assertNothingInFlight();
        rest.countDown();
        assertThat(proxy.weir.admin().health("main", "a")).isEqualTo("healthy");
    }

    @Test
    void aSlowClientDoesNotHoldAFastOneForLong() throws IOException {
        byte[] result = ScriptedAnswers.result(8, 40_000_000);
        String block = nextBlock();
        CountDownLatch rest = new CountDownLatch(1);
        answerInTwoParts(UNCACHED, result, rest);
        double before = proxy.weir.admin().metric("weir_streams_cut_total");
        try (Client slow = new Client(1, UNCACHED, block);
                Client fast = new Client(2, UNCACHED, block)) {
            slow.begin();
            fast.begin();
            rest.countDown();
            fast.assertGets(result);
            assertThat(proxy.weir.admin().metric("weir_streams_cut_total")).isEqualTo(before + 1);
            assertThatThrownBy(slow::readOn).isInstanceOf(IOException.class);
        }
        assertThat(asked).hasValue(1);
        proxy.assertNothingInFlight();
    }

    private static String call(int id, String method, String block) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"" + method + "\",\"params\":[" + block + "]}";
    }

    private static byte[] expected(int id, byte[] result) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(result.length + 100);
        out.writeBytes(("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":").getBytes(US_ASCII));
        out.writeBytes(result);
        out.write('}');
        return out.toByteArray();
    }

    /** A call over a connection of its own, whose answer is read in parts. Confined to one thread. */
    private static final class Client implements AutoCloseable {

        private final int id;
        private final Socket socket;
        private final InputStream in;
        private @Nullable StrictAnswer answer;

        Client(int id, String method, String block) throws IOException {
            this.id = id;
            socket = new Socket(InetAddress.getLoopbackAddress(), proxy.weir.port());
            socket.setSoTimeout(TIMEOUT_MILLIS);
            in = new BufferedInputStream(socket.getInputStream(), 1 << 16);
            String body = call(id, method, block);
            socket.getOutputStream()
                    .write(("POST /v3/demo HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + body.length() + "\r\n\r\n"
                                    + body)
                            .getBytes(US_ASCII));
        }

        /** Awaits the first bytes. */
        void begin() throws IOException {
            answer = StrictAnswer.beginning(in);
        }

        byte[] readOn() throws IOException {
            if (answer == null) {
                begin();
            }
            answer.readOn(in);
            return answer.body();
        }

        void assertGets(byte[] result) throws IOException {
            assertThat(readOn()).isEqualTo(expected(id, result));
        }

        /** Resets the connection: a client that only closes its side of it may still want the answer. */
        void leave() throws IOException {
            if (!socket.isClosed()) {
                socket.setSoLinger(true, 0);
                socket.close();
            }
        }

        @Override
        public void close() throws IOException {
            leave();
        }
    }
}
