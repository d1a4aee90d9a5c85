package io.weir.method.params;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** Random valid parameters, each in normal form and in an odd spelling of the same. Confined to one thread. */
final class RandomParams {

    private static final List<String> TAGS = List.of("latest", "earliest", "pending", "safe", "finalized");

    private final RandomGenerator random;

    RandomParams(RandomGenerator random) {
        this.random = random;
    }

    /** The same value twice. */
    record Spelled(String normal, String odd) {}

    /** A call's parameters. */
    record Call(String method, String normal, String odd) {}

    Call next() {
        return switch (random.nextInt(8)) {
            case 0 -> call("eth_getStorageAt", address(), word(), stateBlock());
            case 1 -> call("eth_getBlockByHash", hash(), flag());
            case 2 -> call("eth_getUncleByBlockNumberAndIndex", numberedBlock(), quantity());
            case 3 -> call("eth_getTransactionByBlockHashAndIndex", hash(), quantity());
            case 4 -> call("eth_getBlockReceipts", receiptsBlock());
            case 5 -> call("eth_estimateGas", callObject(), stateBlock());
            case 6 -> call("eth_call", callObject(), stateBlock(), overrides());
            default -> call("eth_getLogs", logFilter());
        };
    }

    private Call call(String method, Spelled... params) {
        List<String> normal = new ArrayList<>();
        List<String> odd = new ArrayList<>();
        for (Spelled param : params) {
            normal.add(param.normal());
            odd.add(space() + param.odd() + space());
        }
        boolean latestLast = params[params.length - 1].normal().equals("\"latest\"") && params.length > 1;
        if (latestLast && method.matches("eth_(getStorageAt|estimateGas)") && random.nextBoolean()) {
            odd.remove(odd.size() - 1);
        }
        return new Call(method, "[" + String.join(",", normal) + "]", "[" + String.join(",", odd) + "]" + space());
    }

    private Spelled address() {
        return hex(digits(40));
    }

    private Spelled hash() {
        return hex(digits(64));
    }

    private Spelled data() {
        return hex(digits(2 * random.nextInt(40)));
    }

    private Spelled word() {
        String digits = random.nextBoolean() ? digits(64) : "0".repeat(random.nextInt(64)) + digits(1);
        return new Spelled('"' + "0x" + "0".repeat(64 - digits.length()) + digits + '"', odd(digits));
    }

    private Spelled quantity() {
        String digits = Long.toHexString(random.nextLong() >>> 1 >>> random.nextInt(63));
        return new Spelled("\"0x" + digits + '"', odd("0".repeat(random.nextInt(3)) + digits));
    }

    private Spelled hex(String digits) {
        return new Spelled("\"0x" + digits + '"', odd(digits));
    }

    private Spelled flag() {
        String flag = Boolean.toString(random.nextBoolean());
        return new Spelled(flag, flag);
    }

    private Spelled tag() {
        return string(TAGS.get(random.nextInt(TAGS.size())));
    }

    private Spelled numberedBlock() {
        return random.nextBoolean() ? tag() : quantity();
    }

    private Spelled stateBlock() {
        if (random.nextBoolean()) {
            Spelled block = numberedBlock();
            return random.nextBoolean() ? block : new Spelled(block.normal(), "{\"blockNumber\":" + block.odd() + "}");
        }
        Spelled hash = hash();
        String normal = "{\"blockHash\":" + hash.normal();
        return switch (random.nextInt(3)) {
            case 0 -> new Spelled(normal + "}", hash.odd());
            case 1 ->
                new Spelled(
                        normal + "}", "{" + space() + "\"blockHash\" :" + hash.odd() + ",\"requireCanonical\":false}");
            default ->
                new Spelled(
                        normal + ",\"requireCanonical\":true}",
                        "{\"requireCanonical\":true, \"blockHash\":" + hash.odd() + "}");
        };
    }

    private Spelled receiptsBlock() {
        long number = random.nextLong() >>> 1 >>> random.nextInt(63);
        String hex = "\"0x" + Long.toHexString(number) + '"';
        Spelled hash = hash();
        return switch (random.nextInt(5)) {
            case 0 -> new Spelled(hex, Long.toString(number));
            case 1 -> new Spelled(hex, "\"" + "0".repeat(random.nextInt(3)) + number + '"');
            case 2 -> new Spelled("\"latest\"", "\"pending\"");
            case 3 -> new Spelled(hash.normal(), "{\"blockHash\":" + hash.odd() + "}");
            default -> hash;
        };
    }

    private Spelled callObject() {
        Members members = new Members();
        members.maybe("from", this::address);
        members.maybe("to", this::address);
        members.maybe("gas", this::quantity);
        members.maybe("gasPrice", this::quantity);
        members.maybe("value", this::quantity);
        if (random.nextBoolean()) {
            Spelled data = data();
            String quoted = random.nextBoolean() ? "input" : "data";
            members.put("data", data.normal(), quoted, data.odd());
        }
        members.maybe("accessList", this::accessList);
        return members.json();
    }

    private Spelled accessList() {
        Spelled address = address();
        Spelled key = hash();
        return new Spelled(
                "[{\"address\":" + address.normal() + ",\"storageKeys\":[" + key.normal() + "]}]",
                "[ {\"storageKeys\":[" + key.odd() + " ],\"address\" : " + address.odd() + "}]");
    }

    private Spelled overrides() {
        Spelled address = address();
        Spelled slot = word();
        Spelled value = word();
        return new Spelled(
                "{" + address.normal() + ":{\"stateDiff\":{" + slot.normal() + ":" + value.normal() + "}}}",
                "{" + address.odd() + " : {\"stateDiff\":{" + slot.odd() + ":" + value.odd() + "}} }");
    }

    private Spelled logFilter() {
        Members members = new Members();
        members.maybe("fromBlock", this::numberedBlock);
        members.maybe("toBlock", this::numberedBlock);
        members.maybe("address", this::address);
        members.maybe("topics", () -> {
            Spelled one = hash();
            Spelled two = hash();
            return new Spelled(
                    "[null,[" + one.normal() + "," + two.normal() + "]]",
                    "[ null , [" + one.odd() + "," + two.odd() + "]]");
        });
        return members.json();
    }

    /** Members of one object; the odd spelling has them in another order, and some that are {@code null}. */
    private final class Members {
        private final List<String> normal = new ArrayList<>();
        private final List<String> odd = new ArrayList<>();

        void maybe(String name, Supplier<Spelled> value) {
            if (random.nextBoolean()) {
                Spelled given = value.get();
                put(name, given.normal(), name, given.odd());
            } else if (random.nextInt(4) == 0) {
                odd.add('"' + name + "\":null");
            }
        }

        void put(String name, String normalValue, String oddName, String oddValue) {
            normal.add('"' + name + "\":" + normalValue);
            odd.add(space() + string(oddName).odd() + space() + ":" + oddValue + space());
        }

        Spelled json() {
            Collections.shuffle(odd, new Random(random.nextLong()));
            return new Spelled("{" + String.join(",", normal) + "}", "{" + String.join(",", odd) + "}");
        }
    }

    private Spelled string(String text) {
        return new Spelled('"' + text + '"', '"' + escapeOne(text) + '"');
    }

    private String odd(String digits) {
        String spelled = random.nextBoolean() ? digits.toUpperCase(Locale.ROOT) : digits;
        return '"' + escapeOne((random.nextInt(4) == 0 ? "0X" : "0x") + spelled) + '"';
    }

    /** Any character may be written as an escape. */
    private String escapeOne(String text) {
        if (random.nextInt(4) != 0) {
            return text;
        }
        int index = random.nextInt(text.length());
        return text.substring(0, index)
                + String.format("\\u%04x", (int) text.charAt(index))
                + text.substring(index + 1);
    }

    private String digits(int count) {
        StringBuilder digits = new StringBuilder();
        for (int i = 0; i < count; i++) {
            digits.append(Character.forDigit(random.nextInt(16), 16));
        }
        return digits.toString();
    }

    private String space() {
        return random.nextInt(3) == 0 ? " \n\t".substring(random.nextInt(3)) : "";
    }
}
