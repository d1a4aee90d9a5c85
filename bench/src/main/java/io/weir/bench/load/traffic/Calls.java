package io.weir.bench.load.traffic;

import io.weir.bench.load.chain.Answers;
import io.weir.bench.load.chain.BenchChain;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The calls that workloads are made of. Pure. */
public final class Calls {

    /** A final block, as all but the mixed workload ask about. */
    private static final String FINAL = "0x10";

    /** The method of {@link #fresh}. */
    public static final String FRESH_METHOD = "eth_getBalance";

    private Calls() {}

    static String call(int id, String method, String params) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"" + method + "\",\"params\":[" + params + "]}";
    }

    static String balance(int id, int account, String block) {
        return call(id, FRESH_METHOD, "\"0x" + "%040x".formatted(account) + "\",\"" + block + "\"");
    }

    /** A balance. */
    public static Traffic.Same small() {
        return Traffic.Same.of(balance(1, 1, FINAL));
    }

    /** A block with its transactions. */
    public static Traffic.Same block(int number) {
        return Traffic.Same.of(call(1, "eth_getBlockByNumber", "\"0x" + Integer.toHexString(number) + "\",true"));
    }

    /** The logs of one address in a block. */
    public static Traffic.Same logs(int number) {
        return Traffic.Same.of(call(
                1,
                "eth_getLogs",
                "{\"fromBlock\":\"%1$s\",\"toBlock\":\"%1$s\",\"address\":\"%2$s\"}"
                        .formatted("0x" + Integer.toHexString(number), Answers.TOKEN)));
    }

    /** So many balances at once. */
    public static Traffic.Same batch(int calls) {
        return Traffic.Same.of(IntStream.rangeClosed(1, calls)
                .mapToObj(i -> balance(i, i, FINAL))
                .collect(Collectors.joining(",", "[", "]")));
    }

    /** The balance of an account that nobody asked about before. */
    public static Traffic.Fresh fresh(int use) {
        return fresh(FINAL, use);
    }

    /** The same at the newest block. */
    public static Traffic.Fresh freshAtHead(int use) {
        return fresh("latest", use);
    }

    private static Traffic.Fresh fresh(String block, int use) {
        String before =
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + FRESH_METHOD + "\",\"params\":[\"0x" + "0".repeat(24);
        return Traffic.Fresh.of(before, "\",\"" + block + "\"]}", use);
    }

    /** Logs of 10 MB, of an address that nobody asked about before. */
    public static Traffic.Fresh large(int use) {
        String before = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"eth_getLogs\",\"params\":[{" + Answers.LARGE_FILTER
                + ",\"0x" + "0".repeat(24);
        return Traffic.Fresh.of(before, "\"]}]}", use);
    }

    /** Calls of many methods, always the same sequence. */
    public static Traffic.Sequence mixed(BenchChain chain) {
        return MixedCalls.of(chain);
    }

    /** A block's number. */
    static String hex(int number) {
        return "0x" + Integer.toHexString(Math.min(number, BenchChain.HEAD));
    }
}
