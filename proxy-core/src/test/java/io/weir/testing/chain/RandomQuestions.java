package io.weir.testing.chain;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** Calls about everything in a chain, by every selector, of dropped blocks too; often the same again. Confined to a thread. */
public final class RandomQuestions {

    private static final int MAX_REMEMBERED = 150;

    private final Random random;
    private final TestChain chain;
    private final List<String> methods;
    private final Set<TestBlock> seen = new HashSet<>();
    private final List<TestBlock> history = new ArrayList<>();
    private final List<AskedCall> remembered = new ArrayList<>();
    private long version;

    /** Asks about one chain. */
    public RandomQuestions(Random random, TestChain chain) {
        this.random = random;
        this.chain = chain;
        this.methods = ChainAnswers.methods();
    }

    /** The next call. */
    public AskedCall next() {
        learn();
        if (remembered.size() > 20 && random.nextInt(5) < 2) {
            return remembered.get(random.nextInt(remembered.size()));
        }
        String method = methods.get(random.nextInt(methods.size()));
        AskedCall call = new AskedCall(method, "[" + params(method) + "]");
        if (remembered.size() < MAX_REMEMBERED) {
            remembered.add(call);
        } else {
            remembered.set(random.nextInt(MAX_REMEMBERED), call);
        }
        return call;
    }

    /** Blocks that were dropped are asked for as well. */
    private void learn() {
        ChainState now = chain.state();
        if (now.version() != version) {
            version = now.version();
            long from = history.isEmpty() ? 0 : Math.max(0, now.head() - 66);
            for (long number = from; number <= now.head(); number++) {
                TestBlock block = now.at(number);
                if (seen.add(block)) {
                    history.add(block);
                }
            }
        }
    }

    private String params(String method) {
        return switch (method) {
            case "eth_getBlockByHash" -> hash() + "," + random.nextBoolean();
            case "eth_getBlockByNumber" -> number() + "," + random.nextBoolean();
            case "eth_getBlockReceipts" -> random.nextBoolean() ? number() : hash();
            case "eth_getTransactionByHash", "eth_getRawTransactionByHash", "eth_getTransactionReceipt" ->
                transaction();
            case "eth_getLogs" -> logs();
            case "eth_getBalance", "eth_getCode", "eth_getTransactionCount" -> account() + "," + state();
            case "eth_getStorageAt" -> account() + ",\"0x" + "0".repeat(63) + random.nextInt(3) + "\"," + state();
            case "eth_getProof" -> account() + ",[]," + state();
            case "eth_call", "eth_estimateGas" -> "{\"to\":" + account() + "}," + state();
            default -> {
                String block = method.contains("Hash") ? hash() : number();
                yield method.endsWith("Index")
                        ? block + ",\"0x" + random.nextInt(method.contains("Uncle") ? 2 : 5) + '"'
                        : block;
            }
        };
    }

    private TestBlock known() {
        int back = random.nextInt(random.nextBoolean() ? 8 : 300);
        return history.get(Math.max(0, history.size() - 1 - back));
    }

    private String hash() {
        return '"' + known().hash() + '"';
    }

    private String transaction() {
        for (int i = 0; i < 10; i++) {
            TestBlock block = known();
            if (!block.transactions().isEmpty()) {
                int index = random.nextInt(block.transactions().size());
                return '"' + block.transactions().get(index).hash().hex() + '"';
            }
        }
        return '"' + "0x" + "ab".repeat(32) + '"';
    }

    private String number() {
        int kind = random.nextInt(20);
        if (kind < 4) {
            return "\"latest\"";
        }
        if (kind == 4) {
            return List.of("\"safe\"", "\"finalized\"", "\"earliest\"").get(random.nextInt(3));
        }
        return height();
    }

    private String height() {
        int back = random.nextInt(3) == 0 ? random.nextInt(120) : random.nextInt(6) - 1;
        return "\"0x" + Long.toHexString(Math.max(0, chain.head() - back)) + '"';
    }

    private String state() {
        return switch (random.nextInt(6)) {
            case 0 -> "{\"blockHash\":" + hash() + "}";
            case 1 -> "{\"blockHash\":" + hash() + ",\"requireCanonical\":true}";
            case 2 -> "{\"blockNumber\":" + height() + "}";
            default -> number();
        };
    }

    private static String account() {
        return '"' + SignedTransactions.contract(0).hex() + '"';
    }

    private String logs() {
        String filter = "";
        if (random.nextBoolean()) {
            filter += ",\"address\":\""
                    + SignedTransactions.contract(random.nextInt(3)).hex() + '"';
        }
        if (random.nextBoolean()) {
            filter += ",\"topics\":[\""
                    + SignedTransactions.topic(random.nextInt(3)).hex() + "\"]";
        }
        if (random.nextBoolean()) {
            return "{\"blockHash\":" + hash() + filter + "}";
        }
        long to = Math.max(0, chain.head() - random.nextInt(80));
        long from = Math.max(0, to - random.nextInt(3));
        String end = random.nextInt(6) == 0 ? "\"latest\"" : "\"0x" + Long.toHexString(to) + '"';
        return "{\"fromBlock\":\"0x" + Long.toHexString(from) + "\",\"toBlock\":" + end + filter + "}";
    }
}
