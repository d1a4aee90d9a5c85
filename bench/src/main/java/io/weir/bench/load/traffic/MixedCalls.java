package io.weir.bench.load.traffic;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.weir.bench.load.chain.BenchChain;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Calls in the proportions that a large provider published for mainnet, over keys of which few are asked about often and most
 * seldom (Zipf, exponent 1). Four in five ask about the head ({@code latest}) where a method reads state, the others about a final
 * block. Always the same sequence. Confined to one thread.
 */
final class MixedCalls {

    private static final int LENGTH = 20_000;
    private static final int KEYS = 5_000;
    private static final long SEED = 7;

    private final SplittableRandom random = new SplittableRandom(SEED);
    private final BenchChain chain;
    private final double[] upTo = new double[KEYS];

    private MixedCalls(BenchChain chain) {
        this.chain = chain;
        double sum = 0;
        for (int i = 0; i < KEYS; i++) {
            sum += 1.0 / (i + 1);
            upTo[i] = sum;
        }
    }

    static Traffic.Sequence of(BenchChain chain) {
        MixedCalls calls = new MixedCalls(chain);
        List<byte[]> bodies = new ArrayList<>(LENGTH);
        for (int id = 1; id <= LENGTH; id++) {
            bodies.add(calls.next(id).getBytes(US_ASCII));
        }
        return new Traffic.Sequence(bodies);
    }

    private String next(int id) {
        int percent = random.nextInt(100);
        if (percent < 53) {
            String data = "\"data\":\"0x70a08231%064x\"".formatted(key());
            return Calls.call(
                    id, "eth_call", "{\"to\":\"0x%040x\",%s},\"%s\"".formatted(key() % 50 + 1, data, block()));
        }
        if (percent < 63) {
            return Calls.call(id, "eth_getBlockByNumber", "\"" + Calls.hex(full()) + "\"," + (percent % 2 == 0));
        }
        if (percent < 70) {
            return Calls.balance(id, key(), block());
        }
        if (percent < 76) {
            return Calls.call(id, "eth_chainId", "");
        }
        if (percent < 82) {
            return Calls.call(id, "eth_getTransactionReceipt", "\"" + transaction() + "\"");
        }
        if (percent < 86) {
            return Calls.call(id, "eth_blockNumber", "");
        }
        return rest(id, percent);
    }

    private String rest(int id, int percent) {
        if (percent < 90) {
            return Calls.call(id, "eth_getTransactionByHash", "\"" + transaction() + "\"");
        }
        if (percent < 93) {
            String number = Calls.hex(full());
            return Calls.call(id, "eth_getLogs", "{\"fromBlock\":\"%1$s\",\"toBlock\":\"%1$s\"}".formatted(number));
        }
        String account = "\"0x%040x\",\"%s\"".formatted(key(), block());
        return Calls.call(id, percent < 96 ? "eth_getCode" : "eth_getTransactionCount", account);
    }

    private String block() {
        return random.nextInt(5) == 0 ? "0x20" : "latest";
    }

    private String transaction() {
        return chain.transactionHash(full(), key());
    }

    /** A block with transactions; not the large one, which has a workload of its own. */
    private int full() {
        int number = key() % BenchChain.FULL_BLOCKS + 1;
        return number == BenchChain.LARGE ? 1 : number;
    }

    private int key() {
        double at = random.nextDouble() * upTo[KEYS - 1];
        int low = 0;
        int high = KEYS - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (upTo[middle] < at) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
