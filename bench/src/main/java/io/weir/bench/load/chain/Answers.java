package io.weir.bench.load.chain;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.weir.bench.load.chain.BenchChain.Place;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The answers of a node of the bench's chain. Blocks, transactions, receipts and logs come from the chain. The value for state
 * and executed calls follows from the parameters. Thread-safe.
 */
public final class Answers {

    /** The address that every log of the chain is of. */
    public static final String TOKEN = BenchTransaction.TOKEN.hex();

    /** The filter of {@code eth_getLogs} whose answer is of 10 MB: all blocks that have transactions, and one address of several. */
    public static final String LARGE_FILTER =
            "\"fromBlock\":\"0x1\",\"toBlock\":\"0x80\",\"address\":[\"" + TOKEN + '"';

    /** Logs that each transaction has in the large answer, so that it comes to 10 MB. */
    private static final int LARGE_LOGS = 28;

    private static final int CODE_BYTES = 1500;
    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;

    private final BenchChain chain;
    private final byte[] largeLogs;

    /** Results made once on request; bounded by the chain. */
    private final Map<String, byte[]> made = new ConcurrentHashMap<>();

    /** Answers from a chain. */
    public Answers(BenchChain chain) {
        this.chain = chain;
        this.largeLogs = largeLogs();
    }

    /** A proxy that judges lists of logs accepts it: logs of the chain's transactions, in the order of the chain. */
    private byte[] largeLogs() {
        return IntStream.rangeClosed(1, BenchChain.FULL_BLOCKS)
                .mapToObj(number ->
                        Objects.requireNonNull(chain.block(number), "block").logs(LARGE_LOGS))
                .collect(Collectors.joining(",", "[", "]"))
                .getBytes(US_ASCII);
    }

    /** The result as JSON text; null where a node does not know the method. */
    public byte @Nullable [] result(CallText call) {
        return switch (call.method()) {
            case "eth_chainId" -> quoted("0x1");
            case "net_version" -> quoted("1");
            case "eth_blockNumber" -> quoted("0x" + Integer.toHexString(BenchChain.HEAD));
            case "eth_syncing" -> "false".getBytes(US_ASCII);
            case "web3_clientVersion" -> quoted("weir-bench/1");
            case "eth_gasPrice" -> quoted("0x306dc4200");
            case "eth_getBlockByNumber", "eth_getBlockByHash" -> block(call);
            case "eth_getTransactionByHash" -> transaction(call, false);
            case "eth_getTransactionReceipt" -> transaction(call, true);
            case "eth_getBlockReceipts" ->
                receipts(JsonText.unquoted(call.param(0)).toLowerCase(Locale.ROOT));
            case "eth_getLogs" -> logs(call.param(0));
            default -> state(call);
        };
    }

    private byte @Nullable [] state(CallText call) {
        long value = value(call.param(0));
        return switch (call.method()) {
            case "eth_getBalance" -> quoted("0x" + Long.toHexString((value >>> 1) | 1));
            case "eth_getTransactionCount" -> quoted("0x" + Long.toHexString((value & 0xfff) | 0x1000));
            case "eth_call", "eth_getStorageAt" -> quoted("0x" + "0".repeat(48) + hex(value));
            case "eth_getCode" -> quoted("0x" + hex(value).repeat(CODE_BYTES / Long.BYTES));
            default -> null;
        };
    }

    /**
     * Returns the value that state depends on: the address, or the data of a call. Not the block, since a proxy may name it
     * otherwise.
     */
    private static long value(String param) {
        String key = param.startsWith("{") ? data(new JsonText(param)) : param;
        long hash = FNV_OFFSET;
        for (int i = 0; i < key.length(); i++) {
            hash = (hash ^ Character.toLowerCase(key.charAt(i))) * FNV_PRIME;
        }
        return hash;
    }

    private static String data(JsonText call) {
        String data = call.member("data");
        return data.isEmpty() ? call.member("input") : data;
    }

    private byte[] block(CallText call) {
        String named = JsonText.unquoted(call.param(0)).toLowerCase(Locale.ROOT);
        BenchBlock block = block(named);
        if (block == null) {
            return "null".getBytes(US_ASCII);
        }
        return call.param(1).equals("true") ? block.withTransactions() : block.withHashes();
    }

    private @Nullable BenchBlock block(String named) {
        return switch (named) {
            case "latest", "pending" -> chain.block(BenchChain.HEAD);
            case "safe", "finalized" -> chain.block(BenchChain.FINALIZED);
            case "earliest" -> chain.block(0);
            default -> named.length() == 66 ? chain.block(named) : chain.block(Long.parseLong(named.substring(2), 16));
        };
    }

    private byte[] transaction(CallText call, boolean receipt) {
        Place place = chain.place(JsonText.unquoted(call.param(0)).toLowerCase(Locale.ROOT));
        if (place == null) {
            return "null".getBytes(US_ASCII);
        }
        return receipt ? place.block().receipt(place.index()) : place.block().transaction(place.index());
    }

    private byte[] receipts(String named) {
        BenchBlock block = block(named);
        return block == null
                ? "null".getBytes(US_ASCII)
                : made.computeIfAbsent("receipts" + named, key -> block.receipts());
    }

    private byte[] logs(String filter) {
        JsonText range = new JsonText(filter);
        String from = JsonText.unquoted(range.member("fromBlock"));
        if (from.equals("0x1") && JsonText.unquoted(range.member("toBlock")).equals("0x80")) {
            return largeLogs;
        }
        BenchBlock block = block(from);
        return made.computeIfAbsent(
                "logs" + from, key -> ("[" + (block == null ? "" : block.logs(1)) + "]").getBytes(US_ASCII));
    }

    /** Sixteen digits. */
    private static String hex(long value) {
        String digits = Long.toHexString(value);
        return "0".repeat(2 * Long.BYTES - digits.length()) + digits;
    }

    private static byte[] quoted(String text) {
        return ('"' + text + '"').getBytes(US_ASCII);
    }
}
