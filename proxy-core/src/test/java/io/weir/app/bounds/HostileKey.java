package io.weir.app.bounds;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.weir.testing.JsonRpcClient;
import io.weir.testing.traffic.Http2Connection;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;

/** Ways in which a client with the key "demo" takes as much as it gets. The node answers trace_get late, and trace_filter with a megabyte. */
enum HostileKey {
    SLOW_BATCHES {
        @Override
        void begin(Attack attack) throws IOException {
            attack.sendBatches("trace_get");
        }
    },
    SLOW_CALLS {
        @Override
        void begin(Attack attack) throws IOException {
            for (int i = 0; i < 2_000; i++) {
                attack.send(post(JsonRpcClient.call("trace_get", i)));
            }
        }
    },
    UNREAD_BATCHES {
        @Override
        void begin(Attack attack) throws IOException {
            attack.sendBatches("trace_filter");
        }
    },
    UNREAD_STREAMS {
        @Override
        void begin(Attack attack) throws IOException {
            for (int i = 0; i < 10; i++) {
                Http2Connection connection = new Http2Connection(attack.port, null);
                attack.open.add(connection::close);
                for (int stream = 0; stream < 100; stream++) {
                    connection.post(2 * stream + 1, PATH, JsonRpcClient.call("trace_filter", 100 * i + stream));
                }
            }
        }
    },
    LARGE_BATCHES {
        @Override
        void begin(Attack attack) {
            attack.repeat(round -> attack.exchange(post(batch("trace_filter", round))));
        }
    },
    RANGES {
        @Override
        void begin(Attack attack) {
            attack.repeat(round -> attack.exchange(post(JsonRpcClient.call(
                    "eth_getLogs",
                    Map.of("fromBlock", "0x0", "toBlock", "0xfff", "address", "0x%040x".formatted(round))))));
        }
    },
    CRITERIA {
        @Override
        void begin(Attack attack) {
            String addresses = IntStream.range(0, 10_000)
                    .mapToObj("\"0x%040x\""::formatted)
                    .collect(Collectors.joining(",", "[", "]"));
            String body = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"eth_newFilter\",\"params\":[{\"address\":"
                    + addresses + "}]}";
            attack.repeat(round -> attack.exchange(post(body)));
        }
    },
    PIPELINED_WITHOUT_A_KEY {
        @Override
        void begin(Attack attack) {
            byte[] request =
                    "POST /v3/unknown HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}".getBytes(US_ASCII);
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            while (all.size() < 4 << 20) {
                all.writeBytes(request);
            }
            attack.repeat(round -> attack.exchange(all.toByteArray()));
        }
    },
    GZIP_BODIES {
        @Override
        void begin(Attack attack) throws IOException {
            ByteArrayOutputStream packed = new ByteArrayOutputStream();
            try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
                gzip.write((" ".repeat(4 << 20) + "{}").getBytes(US_ASCII));
            }
            byte[] request = post(packed.toByteArray(), "Content-Encoding: gzip\r\n");
            attack.repeat(round -> attack.exchange(request));
        }
    };

    private static final String PATH = "/v3/demo";

    /** Begins, and does not wait for answers. */
    abstract void begin(Attack attack) throws IOException;

    private static byte[] post(String body) {
        return post(body.getBytes(US_ASCII), "");
    }

    private static byte[] post(byte[] body, String moreFields) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(("POST " + PATH + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                        + moreFields + "Content-Length: " + body.length + "\r\n\r\n")
                .getBytes(US_ASCII));
        all.writeBytes(body);
        return all.toByteArray();
    }

    private static String batch(String method, int number) {
        return IntStream.range(0, 1_000)
                .mapToObj(id -> JsonRpcClient.call(method, 1_000 * number + id))
                .collect(Collectors.joining(",", "[", "]"));
    }

    /** The connections of an attack, which close with it. Those that repeat have threads of their own. */
    static final class Attack implements Closeable {

        private static final int THREADS = 4;

        private final int port;
        private final List<Closeable> open = new ArrayList<>();
        private final AtomicInteger rounds = new AtomicInteger();
        private volatile boolean closed;

        Attack(int port) {
            this.port = port;
        }

        /** One exchange of an attack that repeats. */
        private interface Round {
            void run(int number) throws IOException;
        }

        int rounds() {
            return rounds.get();
        }

        private void send(byte[] request) throws IOException {
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
            open.add(socket);
            socket.getOutputStream().write(request);
        }

        private void sendBatches(String method) throws IOException {
            for (int i = 0; i < 32; i++) {
                send(post(batch(method, i)));
            }
        }

        /** Sends on a connection of its own, and reads for as long as the proxy has something to say. */
        private void exchange(byte[] request) throws IOException {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                socket.setSoTimeout(1_000);
                socket.getOutputStream().write(request);
                socket.shutdownOutput();
                InputStream in = socket.getInputStream();
                byte[] read = new byte[1 << 16];
                while (!closed && in.read(read) >= 0) {
                    continue;
                }
            }
        }

        private void repeat(Round round) {
            for (int i = 0; i < THREADS; i++) {
                Thread thread = new Thread(() -> {
                    while (!closed) {
                        try {
                            round.run(rounds.incrementAndGet());
                        } catch (IOException e) {
                            // The proxy may refuse it, or keep it waiting.
                        }
                    }
                });
                thread.setDaemon(true);
                thread.start();
            }
        }

        @Override
        public void close() throws IOException {
            closed = true;
            for (Closeable one : open) {
                one.close();
            }
        }
    }
}
