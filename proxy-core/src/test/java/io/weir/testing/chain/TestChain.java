package io.weir.testing.chain;

import io.weir.ethereum.Hash32;
import io.weir.testing.chain.SignedTransactions.Signed;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * A chain that grows, forks and becomes final as a test says. Every block is right in all its hashes; a transaction whose block
 * is dropped may come again in another one. Changes are made by one thread; {@link #state} is for all.
 */
public final class TestChain {

    /** What a node remembers of blocks that it dropped. */
    public enum Memory {
        /** Their blocks are found by hash still, and their transactions are pending again. */
        REMEMBERS,
        /** Nothing. */
        FORGETS
    }

    private static final int MAX_TRANSACTIONS = 4;

    /** Each knows all its blocks, so a long chain has few. */
    private static final int MAX_STATES = 1_024;

    private final Random random;
    private final BlockMaker maker;
    private final SignedTransactions transactions;
    private final Memory memory;
    private final List<TestBlock> blocks = new ArrayList<>();
    private final Map<String, TestBlock> dropped = new HashMap<>();
    private final Set<Integer> waiting = new LinkedHashSet<>();
    private final Map<String, Integer> numbers = new HashMap<>();
    private int unused;
    private long finalized;
    private long versions;
    private final List<ChainState> states = new ArrayList<>();
    private volatile ChainState state;

    /** A chain with its first block; the same for the same seed. */
    public TestChain(long seed, SignedTransactions transactions, Memory memory) {
        this(seed, transactions, memory, 1_700_000_000, 12_000);
    }

    /**
     * A chain with its first block.
     *
     * @param firstSeconds time of that block, since 1970
     * @param blockMillis between blocks
     */
    public TestChain(long seed, SignedTransactions transactions, Memory memory, long firstSeconds, long blockMillis) {
        this.random = new Random(seed);
        this.maker = new BlockMaker(random, firstSeconds, blockMillis);
        this.transactions = transactions;
        this.memory = memory;
        add(0);
        publish();
    }

    /** What holds now. */
    public ChainState state() {
        return state;
    }

    /** What held from a state on until now, the oldest first; of the last {@link #MAX_STATES} states. */
    public synchronized List<ChainState> since(ChainState from) {
        int first = (int) (from.version() - states.get(0).version());
        return List.copyOf(states.subList(first, states.size()));
    }

    /** The number of the newest block. */
    public long head() {
        return state.head();
    }

    /** Adds blocks. */
    public void mine(int count) {
        for (int i = 0; i < count; i++) {
            add(random.nextInt(MAX_TRANSACTIONS + 1));
        }
        publish();
    }

    /** Adds blocks without transactions. */
    public void mineEmpty(int count) {
        for (int i = 0; i < count; i++) {
            add(0);
        }
        publish();
    }

    /** Adds blocks of so many transactions each. */
    public void mine(int count, int each) {
        for (int i = 0; i < count; i++) {
            add(each);
        }
        publish();
    }

    /** Adds one block of this many transactions. */
    public void mineOf(int count) {
        add(count);
        publish();
    }

    /** Replaces the newest blocks with as many and some more; some of the transactions come again, in other places. */
    public void fork(int depth, int more) {
        if (depth > blocks.size() - 1 - finalized) {
            throw new IllegalArgumentException("depth: " + depth + " (expected: no final block is replaced)");
        }
        List<TestBlock> falling = blocks.subList(blocks.size() - depth, blocks.size());
        for (TestBlock block : falling) {
            dropped.put(block.hash(), block);
            block.transactions()
                    .forEach(signed -> waiting.add(numbers.get(signed.hash().hex())));
        }
        falling.clear();
        for (int i = 0; i < depth + more; i++) {
            add(random.nextInt(MAX_TRANSACTIONS + 1));
        }
        publish();
    }

    /** Returns a state with made-up blocks on a canonical one. Each is right in its hashes. */
    public ChainState madeUp(long onto, int count) {
        List<TestBlock> own = new ArrayList<>(blocks.subList(0, (int) onto + 1));
        for (int i = 0; i < count; i++) {
            own.add(maker.block(own.size(), own.get(own.size() - 1).header().hash(), List.of()));
        }
        return ChainState.of(versions, own, Math.min(finalized, onto), Map.of(), Map.of());
    }

    /** Makes blocks up to this one final. */
    public void finalize(long number) {
        finalized = Math.max(finalized, Math.min(number, blocks.size() - 1L));
        publish();
    }

    private void add(int count) {
        List<Signed> list = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            list.add(next());
        }
        Hash32 parent = blocks.isEmpty()
                ? Hash32.ZERO
                : blocks.get(blocks.size() - 1).header().hash();
        blocks.add(maker.block(blocks.size(), parent, list));
    }

    private Signed next() {
        int number;
        if (!waiting.isEmpty() && random.nextInt(3) > 0) {
            number = waiting.stream()
                    .skip(random.nextInt(waiting.size()))
                    .findFirst()
                    .orElseThrow();
            waiting.remove(number);
        } else {
            number = unused++;
        }
        Signed signed = transactions.at(number);
        numbers.put(signed.hash().hex(), number);
        return signed;
    }

    private void publish() {
        boolean remembers = memory == Memory.REMEMBERS;
        Map<String, String> pending = new HashMap<>();
        if (remembers) {
            for (int number : waiting) {
                Signed signed = transactions.at(number);
                pending.put(signed.hash().hex(), TransactionText.pending(signed));
            }
        }
        ChainState next = ChainState.of(++versions, blocks, finalized, remembers ? dropped : Map.of(), pending);
        synchronized (this) {
            states.add(next);
            if (states.size() > MAX_STATES) {
                states.remove(0);
            }
        }
        state = next;
    }
}
