package io.weir.bench.hostile;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;

/** What a hostile client does on one connection. Immutable. */
enum Attack {
    /** A batch of a thousand results of a megabyte, of which nothing is read. */
    UNREAD_BATCH {
        @Override
        void run(HostileConnection connection, RandomGenerator random) throws IOException {
            connection.call(LARGE, receipts(random));
            connection.hold(random);
        }
    },
    /** The same, of which a kilobyte is read each second. */
    SLOW_BATCH {
        @Override
        void run(HostileConnection connection, RandomGenerator random) throws IOException {
            connection.call(LARGE, receipts(random));
            connection.readSlowly(random);
        }
    },
    /** The same, of a client that leaves in the middle. */
    LEFT_BATCH {
        @Override
        void run(HostileConnection connection, RandomGenerator random) throws IOException {
            connection.call(LARGE, receipts(random));
            connection.leave(random);
        }
    },
    /** A large result that equal calls share, of which a kilobyte is read each second. */
    SLOW_STREAM {
        @Override
        void run(HostileConnection connection, RandomGenerator random) throws IOException {
            connection.call(LARGE, one("trace_filter", "{\"after\":" + random.nextInt(4) + "}"));
            connection.readSlowly(random);
        }
    },
    /** Valid calls one behind the other, and bytes without a meaning behind them. */
    PIPELINED_JUNK {
        @Override
        void run(HostileConnection connection, RandomGenerator random) throws IOException {
            for (int i = 0; i < 50; i++) {
                connection.call(CHAIN, one("eth_blockNumber", ""));
            }
            byte[] junk = new byte[1 << 16];
            random.nextBytes(junk);
            connection.send(junk);
            connection.hold(random);
        }
    },
    /** Half a request, whose rest never comes. */
    HALF_REQUEST {
        @Override
        void run(HostileConnection connection, RandomGenerator random) throws IOException {
            connection.begin(CHAIN, new byte[1 << (15 + random.nextInt(4))]);
            connection.hold(random);
        }
    },
    /** Spaces that gzip makes a thousand times smaller; over WebSocket fragments of a large message. */
    EXPANDING_BODY {
        @Override
        void run(HostileConnection connection, RandomGenerator random) throws IOException {
            connection.expand(CHAIN, PACKED);
            connection.hold(random);
        }
    },
    /** Subscriptions or filters with thousands of addresses, whose notifications and changes are hardly read. */
    CRITERIA {
        @Override
        void run(HostileConnection connection, RandomGenerator random) throws IOException {
            String criteria = "{\"address\":["
                    + IntStream.range(0, 500)
                            .mapToObj(i -> "\"0x%040x\"".formatted(random.nextLong()))
                            .collect(Collectors.joining(","))
                    + "]}";
            for (int i = 0; i < 4; i++) {
                connection.call(CHAIN, one("eth_newFilter", i == 0 ? "{}" : criteria));
                connection.call(CHAIN, one("eth_getFilterChanges", connection.result()));
                connection.call(CHAIN, one("eth_subscribe", "\"logs\"," + (i == 0 ? "{}" : criteria)));
                connection.call(CHAIN, one("eth_subscribe", "\"newHeads\""));
            }
            connection.readSlowly(random);
        }
    },
    /** Ranges of logs over the whole chain, of which nothing is read. */
    WIDE_RANGES {
        @Override
        void run(HostileConnection connection, RandomGenerator random) throws IOException {
            for (int i = 0; i < 20; i++) {
                int from = random.nextInt(100);
                connection.call(CHAIN, one("eth_getLogs", "{\"fromBlock\":\"0x%x\"}".formatted(from)));
            }
            connection.hold(random);
        }
    },
    /** Calls that are given up at once. */
    RAPID_RESETS {
        @Override
        void run(HostileConnection connection, RandomGenerator random) throws IOException {
            for (int i = 0; i < 500; i++) {
                connection.call(LARGE, one("trace_filter", "{\"after\":" + random.nextInt() + "}"));
                connection.reset();
            }
            connection.leave(random);
        }
    },
    /** Calls with a key that does not exist. */
    WRONG_KEY {
        @Override
        void run(HostileConnection connection, RandomGenerator random) throws IOException {
            connection.call(CHAIN, receipts(random));
            connection.leave(random);
        }
    };

    private static final String CHAIN = "";
    private static final String LARGE = "/large";
    private static final int CALLS = 1_000;
    private static final byte[] PACKED = packed();

    /** Returns its key. Each has one of its own, so that none takes the others' share of the budgets; one has none. */
    String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the settings of all keys. */
    static String keys() {
        return Arrays.stream(values())
                .filter(attack -> attack != WRONG_KEY)
                .map(attack -> "access.keys." + attack.key() + ".sha256 = " + sha256(attack.key()))
                .collect(Collectors.joining("\n"));
    }

    private static String sha256(String key) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(key.getBytes(US_ASCII)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Attacks until it has nothing more to do. The proxy may close the connection at any time, which is an {@link IOException}. */
    abstract void run(HostileConnection connection, RandomGenerator random) throws IOException;

    private static byte[] one(String method, String params) {
        return ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + method + "\",\"params\":[" + params + "]}")
                .getBytes(US_ASCII);
    }

    private static byte[] receipts(RandomGenerator random) {
        int first = random.nextInt(1 << 20);
        return IntStream.range(first, first + CALLS)
                .mapToObj(block -> new String(one("eth_getBlockReceipts", "\"0x%x\"".formatted(block)), US_ASCII))
                .collect(Collectors.joining(",", "[", "]"))
                .getBytes(US_ASCII);
    }

    private static byte[] packed() {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            for (int i = 0; i < 1 << 8; i++) {
                out.write(" ".repeat(1 << 14).getBytes(US_ASCII));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return packed.toByteArray();
    }
}
