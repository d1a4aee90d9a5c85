package io.weir.bench.subscription.anvil;

import io.weir.bench.subscription.chain.Values;
import io.weir.bench.subscription.client.Journal;
import io.weir.ethereum.Address;
import io.weir.ethereum.Hash32;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Random growth of a chain of anvils: transactions with logs, blocks, and reorganisations. Confined to one thread. */
public final class AnvilGrowth {

    /** Code that logs its call data: two topics, and the rest as data. */
    private static final String LOGGER = "0x36604090038060405f376020355f3590915fa200";

    /** The first of the accounts that anvil fills and signs for. */
    private static final String ACCOUNT = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";

    private static final int FIRST_BLOCKS = 120;
    private static final int MAX_DEPTH = 32;
    private static final int MAX_TRANSACTIONS = 3;

    private final AnvilChain chain;
    private final RandomGenerator random;
    private final Journal journal;
    private int serial;
    private int reorganisations;
    private int deepest;

    public AnvilGrowth(AnvilChain chain, RandomGenerator random, Journal journal) {
        this.chain = chain;
        this.random = random;
        this.journal = journal;
    }

    /** Returns how many reorganisations there were. */
    public int reorganisations() {
        return reorganisations;
    }

    /** Returns how many blocks the deepest reorganisation dropped. */
    public int deepest() {
        return deepest;
    }

    /** Makes the contracts and the first blocks. */
    public void begin() throws IOException, InterruptedException {
        List<AnvilCall> calls = new ArrayList<>();
        calls.add(new AnvilCall("anvil_setBlockTimestampInterval", "[1]"));
        for (Address token : Values.TOKENS) {
            calls.add(new AnvilCall("anvil_setCode", "[\"" + token.hex() + "\",\"" + LOGGER + "\"]"));
        }
        calls.add(mine(FIRST_BLOCKS));
        chain.add(calls);
    }

    /** Adds blocks or replaces some. */
    public void step() throws IOException, InterruptedException {
        int chance = random.nextInt(100);
        List<AnvilCall> calls = new ArrayList<>();
        if (chance < 12) {
            reorganise(calls);
        } else {
            int transactions = random.nextInt(1 + MAX_TRANSACTIONS);
            for (int i = 0; i < transactions; i++) {
                calls.add(new AnvilCall("eth_sendTransaction", "[" + transaction() + "]"));
            }
            calls.add(mine(chance < 20 ? 1 + random.nextInt(4) : 1));
        }
        chain.add(calls);
        if (chance < 12) {
            journal.note("the head is " + chain.head());
        }
    }

    /** The new branch has the length of the old one, and often one block more. */
    private void reorganise(List<AnvilCall> calls) {
        int depth = 1 + random.nextInt(random.nextInt(4) == 0 ? MAX_DEPTH : 4);
        List<String> pairs = new ArrayList<>();
        for (int i = random.nextInt(1 + MAX_TRANSACTIONS); i > 0; i--) {
            pairs.add("[" + transaction() + "," + random.nextInt(depth) + "]");
        }
        calls.add(new AnvilCall("anvil_reorg", "[" + depth + ",[" + String.join(",", pairs) + "]]"));
        if (random.nextInt(3) > 0) {
            calls.add(mine(1));
        }
        reorganisations++;
        deepest = Math.max(deepest, depth);
        journal.note("reorganisation: " + depth + " blocks are dropped");
    }

    private static AnvilCall mine(int blocks) {
        return new AnvilCall("anvil_mine", "[\"0x" + Integer.toHexString(blocks) + "\"]");
    }

    private String transaction() {
        String to = some(Values.TOKENS).hex();
        String data = some(Values.EVENTS).hex()
                + some(Values.PARTIES).hex().substring(2)
                + Hash32.keccak(new byte[] {(byte) serial, (byte) (serial >> 8)})
                        .hex()
                        .substring(2);
        serial++;
        return "{\"from\":\"%s\",\"to\":\"%s\",\"data\":\"%s\",\"gas\":\"0x30d40\",\"gasPrice\":\"0x77359400\"}"
                .formatted(ACCOUNT, to, data);
    }

    private <T> T some(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }
}
