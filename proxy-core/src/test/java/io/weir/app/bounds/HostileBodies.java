package io.weir.app.bounds;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.testing.chain.SignedTransactions;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * Request bodies that make the proxy work hard for each byte: every kind of parameter, filled up to a size with every shape of
 * value. Pure.
 */
final class HostileBodies {

    static final String ADDRESS = "\"0x7a250d5630b4cf539739df2c5dacb4c659f2488d\"";
    static final String HASH = "\"0xb903239f8543d04b5dc1ba6579132b143087c68db1b2168786408fcbce568238\"";

    private static final int BATCH = 1_000;

    /** Log filters and simulations have the parameters that are the most work to check. */
    private static final int OFTEN = 3;

    /** The bytes of the longest place, and of what stands around it. */
    private static final int MAX_AROUND = 260;

    private static final String HEAD = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"";

    private final Map<String, Shape> shapes = new LinkedHashMap<>();
    private final List<String[]> places = new ArrayList<>();

    /** @param blockHash in quotes, of a block whose receipts are cached */
    HostileBodies(String blockHash) {
        lists();
        objects();
        scalars();
        logPlaces(blockHash);
        executionPlaces();
        otherPlaces();
    }

    /** A value of about so many bytes. */
    @FunctionalInterface
    private interface Shape {
        String fill(int bytes);
    }

    /** A body, made when it is needed. */
    record Body(String name, int size, IntFunction<byte[]> maker) {
        byte[] json() {
            return maker.apply(size);
        }
    }

    /** A call with one long, valid string of bytes. */
    static byte[] plain(int bytes) {
        return call("eth_call", "[{\"data\":" + hex(bytes - 100, "5b") + "},\"latest\"]")
                .getBytes(UTF_8);
    }

    /**
     * Bodies of a size: kinds of parameters with shapes of values.
     *
     * @param share takes one of so many, another one for each shape; of log filters and simulations at least one of {@link #OFTEN}
     */
    List<Body> all(int size, int share) {
        List<Body> bodies = new ArrayList<>();
        shapes.forEach((name, shape) -> {
            Shape once = once(shape);
            for (String[] place : sample(share, bodies.size())) {
                bodies.add(new Body(
                        name(place) + " of " + name,
                        size,
                        bytes -> single(place, once, bytes).getBytes(UTF_8)));
            }
            envelopes(name, once, size, bodies);
        });
        return bodies;
    }

    /** Bodies of a size for every parameter of every method whose parameters are checked. */
    List<Body> ofCatalogue(int size) {
        List<String[]> all = CataloguePlaces.all();
        List<Body> bodies = new ArrayList<>();
        shapes.forEach((name, shape) -> {
            Shape once = once(shape);
            for (String[] place : all) {
                bodies.add(new Body(
                        name(place) + " of " + name,
                        size,
                        bytes -> single(place, once, bytes).getBytes(UTF_8)));
            }
        });
        return bodies;
    }

    /** Batches of a size: as many calls as are allowed, each of one place and shape. */
    List<Body> batches(int size, int share) {
        List<Body> bodies = new ArrayList<>();
        shapes.forEach((name, shape) -> {
            for (String[] place : sample(share, bodies.size())) {
                bodies.add(new Body(
                        "batch of " + name(place) + " of " + name,
                        size,
                        bytes -> batch(single(place, shape, bytes / BATCH - 1))));
            }
        });
        String longName = call("m".repeat(size / BATCH - 60), "[]");
        bodies.add(new Body("batch of long method names", size, bytes -> batch(longName)));
        String escapedName = call("\\u0001".repeat(size / BATCH / 6 - 12), "[]");
        bodies.add(new Body("batch of escaped method names", size, bytes -> batch(escapedName)));
        return bodies;
    }

    private static byte[] batch(String call) {
        return ("[" + (call + ",").repeat(BATCH - 1) + call + "]").getBytes(UTF_8);
    }

    private List<String[]> sample(int share, int offset) {
        List<String[]> sample = new ArrayList<>();
        for (int i = 0; i < places.size(); i++) {
            String[] place = places.get(i);
            boolean often = place[0].equals("eth_getLogs") || place[0].equals("eth_simulateV1");
            if ((i + offset) % (often ? Math.min(share, OFTEN) : share) == 0) {
                sample.add(place);
            }
        }
        return sample;
    }

    /** Making a value takes longer than sending it: it is made once for all places. */
    private static Shape once(Shape shape) {
        String[] made = {""};
        return bytes -> {
            if (made[0].isEmpty()) {
                made[0] = shape.fill(bytes);
            }
            return made[0];
        };
    }

    private static String name(String[] place) {
        return place[0] + " " + place[1].replace(ADDRESS, "A").replace(HASH, "H");
    }

    private static String single(String[] place, Shape shape, int bytes) {
        int room = bytes - MAX_AROUND;
        return call(place[0], place[1].replace("@", shape.fill(room)));
    }

    static String call(String method, String params) {
        return HEAD + method + "\",\"params\":" + params + "}";
    }

    private void lists() {
        shapes.put("addresses", bytes -> list(bytes, i -> String.format("\"0x%040x\"", i)));
        // Equal to one that has logs but for the last digits.
        String contract = SignedTransactions.contract(0).hex().substring(0, 36);
        shapes.put("addresses alike", bytes -> list(bytes, i -> String.format("\"%s%06x\"", contract, i)));
        String topic = SignedTransactions.topic(0).hex().substring(0, 60);
        shapes.put("topics alike", bytes -> list(bytes, i -> String.format("\"%s%06x\"", topic, i)));
        shapes.put("hashes", bytes -> list(bytes, i -> String.format("\"0x%064x\"", i)));
        shapes.put("lists of hashes", bytes -> list(bytes, i -> String.format("[\"0x%064x\"]", i)));
        for (String element : new String[] {
            "\"0x\"",
            "\"\"",
            "\"0x0\"",
            "0",
            "1.5",
            "null",
            "[]",
            "{}",
            "{\"a\":0}",
            "[null]",
            "{\"address\":" + ADDRESS + "}",
            "{\"address\":" + ADDRESS + ",\"storageKeys\":[" + HASH + "]}",
            "{\"calls\":[{}]}",
            "{\"to\":" + ADDRESS + ",\"DAta\":\"0x\"}"
        }) {
            shapes.put(
                    "elements " + element.replace(ADDRESS, "A").replace(HASH, "H"), bytes -> list(bytes, i -> element));
        }
    }

    private void objects() {
        shapes.put("unknown members", bytes -> object(bytes, i -> "\"a" + i + "\":0"));
        shapes.put("one unknown member", bytes -> object(bytes, i -> "\"a\":0"));
        shapes.put("escaped members", bytes -> object(bytes, i -> String.format("\"\\u%04x\":0", 0x100 + i % 0x8000)));
        shapes.put("members of other scripts", bytes -> object(bytes, i -> "\"\u017f\u212a" + i + "\":0"));
        shapes.put("accounts", bytes -> object(bytes, i -> String.format("\"0x%040x\":{}", i)));
        shapes.put(
                "accounts with state",
                bytes -> object(bytes, i -> String.format("\"0x%040x\":{\"stateDiff\":{\"0x0\":\"0x\"}}", i)));
        shapes.put("slots", bytes -> object(bytes, i -> "\"0x" + Integer.toHexString(i) + "\":\"0x\""));
        shapes.put("full slots", bytes -> object(bytes, i -> String.format("\"0x%064x\":\"0x%064x\"", i, i)));
    }

    private void scalars() {
        shapes.put("hex digits", bytes -> hex(bytes, "5b"));
        shapes.put("upper-case digits", bytes -> hex(bytes, "AB"));
        shapes.put("escaped digits", bytes -> hex(bytes, "\\u0030\\u0031"));
        shapes.put("an escape at the end", bytes -> hex(bytes, "00").replaceFirst("..$", "\\\\u0030\\\\u0030\""));
        shapes.put("letters", bytes -> '"' + "z".repeat(bytes) + '"');
        shapes.put("escapes", bytes -> '"' + "\\n".repeat(bytes / 2) + '"');
        shapes.put("other scripts", bytes -> '"' + "\u00e9".repeat(bytes / 2) + '"');
        shapes.put("a number", bytes -> "1" + "0".repeat(bytes));
        shapes.put("spaces", bytes -> " ".repeat(bytes) + "\"0x1\"");
        shapes.put("nested lists", bytes -> list(bytes, i -> "[".repeat(50) + "]".repeat(50)));
        shapes.put("nested objects", bytes -> list(bytes, i -> "{\"a\":".repeat(50) + "0" + "}".repeat(50)));
        shapes.put("a signed transaction", HostileBodies::transaction);
        shapes.put("a transaction of empty lists", bytes -> hex(bytes, "c0"));
    }

    private void logPlaces(String blockHash) {
        String block = "[{\"blockHash\":" + blockHash;
        places.add(new String[] {"eth_getLogs", block + ",\"address\":@}]"});
        places.add(new String[] {"eth_getLogs", block + ",\"topics\":@}]"});
        places.add(new String[] {"eth_getLogs", block + ",\"topics\":[@]}]"});
        places.add(new String[] {"eth_getLogs", "[@]"});
        places.add(new String[] {"eth_newFilter", "[{\"address\":@}]"});
        places.add(new String[] {"trace_filter", "[{\"fromAddress\":@}]"});
    }

    private void executionPlaces() {
        for (String params : new String[] {
            "@",
            "[@,\"latest\"]",
            "[{\"data\":@},\"latest\"]",
            "[{\"accessList\":@},\"latest\"]",
            "[{\"accessList\":[{\"address\":" + ADDRESS + ",\"storageKeys\":@}]},\"latest\"]",
            "[{\"authorizationList\":@},\"latest\"]",
            "[{\"blobVersionedHashes\":@},\"latest\"]",
            "[{\"blobs\":@},\"latest\"]",
            "[{},@]",
            "[{},\"latest\",@]",
            "[{},\"latest\",{" + ADDRESS + ":{\"stateDiff\":@}}]",
            "[{},\"latest\",{},@]"
        }) {
            places.add(new String[] {"eth_call", params});
        }
        places.add(new String[] {"eth_estimateGas", "[@]"});
        places.add(new String[] {"eth_createAccessList", "[{},\"latest\",@]"});
        places.add(new String[] {"eth_simulateV1", "[@,\"latest\"]"});
        places.add(new String[] {"eth_simulateV1", "[{\"blockStateCalls\":@},\"latest\"]"});
        places.add(new String[] {"eth_simulateV1", "[{\"blockStateCalls\":[{\"calls\":@}]},\"latest\"]"});
        places.add(new String[] {"eth_simulateV1", "[{\"blockStateCalls\":[{\"stateOverrides\":@}]},\"latest\"]"});
    }

    private void otherPlaces() {
        places.add(new String[] {"eth_getProof", "[" + ADDRESS + ",@,\"latest\"]"});
        places.add(new String[] {"eth_getStorageAt", "[" + ADDRESS + ",@,\"latest\"]"});
        places.add(new String[] {"eth_getBalance", "[" + ADDRESS + ",@]"});
        places.add(new String[] {"eth_feeHistory", "[\"0x1\",\"latest\",@]"});
        places.add(new String[] {"eth_feeHistory", "[@,\"latest\",[]]"});
        places.add(new String[] {"eth_getBlockByNumber", "[@,false]"});
        places.add(new String[] {"eth_getBlockByHash", "[" + HASH + ",@]"});
        places.add(new String[] {"eth_getBlockReceipts", "[@]"});
        places.add(new String[] {"eth_getTransactionReceipt", "[@]"});
        places.add(new String[] {"eth_sendRawTransaction", "[@]"});
        places.add(new String[] {"eth_getFilterChanges", "[@]"});
        places.add(new String[] {"eth_signTypedData_v4", "[" + ADDRESS + ",@]"});
        places.add(new String[] {"web3_sha3", "[@]"});
        places.add(new String[] {"debug_traceCall", "[@]"});
        places.add(new String[] {"eth_chainId", "[@]"});
        places.add(new String[] {"some_method", "[@]"});
    }

    private static void envelopes(String name, Shape shape, int size, List<Body> bodies) {
        String id = "{\"jsonrpc\":\"2.0\",\"id\":@,\"method\":\"eth_blockNumber\",\"params\":[]}";
        String method = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":@,\"params\":[]}";
        for (String body : new String[] {id, method, "@"}) {
            bodies.add(new Body(
                    body + " of " + name,
                    size,
                    bytes -> body.replace("@", shape.fill(bytes - MAX_AROUND)).getBytes(UTF_8)));
        }
    }

    private static String list(int bytes, IntFunction<String> element) {
        return filled('[', bytes, element, ']');
    }

    private static String object(int bytes, IntFunction<String> member) {
        return filled('{', bytes, member, '}');
    }

    private static String filled(char open, int bytes, IntFunction<String> entry, char close) {
        StringBuilder text = new StringBuilder(bytes + 200).append(open);
        String next = entry.apply(0);
        int length = 2 + bytes(next);
        for (int i = 1; length + bytes(next) + 8 < bytes; i++) {
            text.append(next).append(',');
            next = entry.apply(i);
            length += 1 + bytes(next);
        }
        return text.append(next).append(close).toString();
    }

    private static int bytes(String text) {
        return text.chars().map(c -> c > 0x7ff ? 3 : c > 0x7f ? 2 : 1).sum();
    }

    private static String hex(int bytes, String digits) {
        return "\"0x" + digits.repeat(Math.max(1, (bytes - 4) / digits.length())) + '"';
    }

    /** A transaction of type 1 whose access list has as many entries as there is room for. */
    private static String transaction(int bytes) {
        int entries = Math.max(1, (bytes - 200) / 2 / 23);
        byte[] entry = new byte[23];
        entry[0] = (byte) 0xd6;
        entry[1] = (byte) 0x94;
        entry[22] = (byte) 0xc0;
        ByteArrayOutputStream list = new ByteArrayOutputStream();
        for (int i = 0; i < entries; i++) {
            list.writeBytes(entry);
        }
        ByteArrayOutputStream fields = new ByteArrayOutputStream();
        // Chain 1, nonce, price and gas 1, to an address, no value and no data.
        fields.writeBytes(new byte[] {1, 1, 1, 1, (byte) 0x94});
        fields.writeBytes(new byte[20]);
        fields.writeBytes(new byte[] {(byte) 0x80, (byte) 0x80});
        fields.writeBytes(rlpList(list.toByteArray()));
        // The signature: parity, r and s.
        fields.writeBytes(new byte[] {1, 1, 1});
        StringBuilder hex = new StringBuilder(bytes + 200).append("\"0x01");
        for (byte b : rlpList(fields.toByteArray())) {
            hex.append(Character.forDigit(b >> 4 & 0xf, 16)).append(Character.forDigit(b & 0xf, 16));
        }
        return hex.append('"').toString();
    }

    private static byte[] rlpList(byte[] items) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        // A length of four bytes has the shortest form only for large lists; shorter ones take fewer.
        byte[] length = java.math.BigInteger.valueOf(items.length).toByteArray();
        int skip = length[0] == 0 ? 1 : 0;
        if (items.length < 56) {
            out.write(0xc0 + items.length);
        } else {
            out.write(0xf7 + length.length - skip);
            out.write(length, skip, length.length - skip);
        }
        out.writeBytes(items);
        return out.toByteArray();
    }
}
