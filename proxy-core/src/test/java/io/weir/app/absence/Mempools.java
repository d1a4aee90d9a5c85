package io.weir.app.absence;

import io.weir.ethereum.Address;
import io.weir.ethereum.Bytes;
import io.weir.testing.chain.ChainAnswer;
import io.weir.testing.chain.ChainAnswers;
import io.weir.testing.chain.ChainServer;
import io.weir.testing.chain.ChainState;
import io.weir.testing.chain.SignedTransactions.Signed;
import io.weir.testing.chain.TestChain;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The nodes of one chain that take transactions, each into a pool of its own. Thread-safe. */
final class Mempools {

    private static final String NOTHING = "null";

    private final TestChain chain;
    /** Until other nodes have a transaction that one took; null if they never have. */
    private final @Nullable Duration gossip;

    /** Transactions that a client may send, by their bytes. */
    private final Map<String, Signed> known = new ConcurrentHashMap<>();

    private final List<Taken> taken = new CopyOnWriteArrayList<>();
    /** When each block was mined, by its number. */
    private final Map<Long, Long> mined = new ConcurrentHashMap<>();

    private final Map<Long, ChainState> states = new ConcurrentHashMap<>();

    /** A transaction that a node took. Immutable. */
    private record Taken(Signed signed, int node, long nanos) {}

    Mempools(TestChain chain, @Nullable Duration gossip) {
        this.chain = chain;
        this.gossip = gossip;
    }

    /** Returns the bytes of a transaction that nodes take from now on. */
    String raw(Signed signed) {
        String raw = Bytes.wrap(signed.transaction().encoded()).hex();
        known.put(raw, signed);
        return raw;
    }

    /** Lets all nodes lose their pools, as by a restart. */
    void forget() {
        taken.clear();
    }

    /** Mines a block of so many transactions. */
    void mine(int transactions) {
        // Before the block can be seen.
        mined.put(chain.head() + 1, System.nanoTime());
        chain.mineOf(transactions);
    }

    /**
     * Starts a node.
     *
     * @param headLag until it has a block
     * @param indexLag until it finds the transactions of a block that it has
     */
    ChainServer node(int number, Duration headLag, Duration indexLag) {
        return new ChainServer(chain, (method, params, truth) -> {
                    String first = params.path(0).asString("");
                    return switch (method) {
                        case "eth_sendRawTransaction" -> take(number, first);
                        case "eth_getTransactionByHash" ->
                            isLate(truth, indexLag) ? pending(number, first, headLag) : truth;
                        case "eth_getTransactionReceipt" -> isLate(truth, indexLag) ? ChainAnswer.NULL : truth;
                        case "eth_getTransactionCount" ->
                            count(
                                    number,
                                    Address.fromHex(first),
                                    params.path(1).asString("latest"),
                                    upTo(head(headLag)));
                        default -> truth;
                    };
                })
                .see(state -> upTo(head(headLag)));
    }

    private ChainAnswer take(int node, String raw) {
        Signed signed = known.get(raw);
        taken.add(new Taken(signed, node, System.nanoTime()));
        return ChainAnswer.result('"' + signed.hash().hex() + '"');
    }

    /** Returns whether a node has no answer from a block. */
    private boolean isLate(ChainAnswer truth, Duration lag) {
        return truth.text().equals(NOTHING)
                || isWithin(Long.decode(truth.text().replaceFirst(".*?\"blockNumber\":\"([^\"]*)\".*", "$1")), lag);
    }

    private ChainAnswer pending(int node, String hash, Duration headLag) {
        ChainState seen = upTo(head(headLag));
        return pool(node)
                .map(Taken::signed)
                .filter(signed ->
                        signed.hash().hex().equals(hash) && !seen.places().containsKey(hash))
                .findFirst()
                .map(ChainAnswers::pending)
                .orElse(ChainAnswer.NULL);
    }

    private ChainAnswer count(int node, Address sender, String block, ChainState seen) {
        boolean pending = block.equals("pending");
        long last = pending || block.equals("latest") ? seen.head() : Long.decode(block);
        if (last > seen.head()) {
            return ChainAnswer.error(-32000, "header not found");
        }
        long next = seen.blocks().stream()
                .limit(last + 1)
                .flatMap(each -> each.transactions().stream())
                .filter(signed -> signed.sender().equals(sender))
                .count();
        while (pending && isTaken(node, sender, next)) {
            next++;
        }
        return ChainAnswer.result("\"0x" + Long.toHexString(next) + '"');
    }

    private boolean isTaken(int node, Address sender, long nonce) {
        return pool(node)
                .map(Taken::signed)
                .anyMatch(signed ->
                        signed.sender().equals(sender) && signed.transaction().nonce() == nonce);
    }

    private ChainState upTo(long number) {
        return states.computeIfAbsent(number, block -> chain.state().upTo(block));
    }

    private long head(Duration lag) {
        long head = chain.head();
        while (isWithin(head, lag)) {
            head--;
        }
        return head;
    }

    private boolean isWithin(long block, Duration lag) {
        Long since = mined.get(block);
        return since != null && System.nanoTime() - since < lag.toNanos();
    }

    private Stream<Taken> pool(int node) {
        return taken.stream()
                .filter(one ->
                        one.node() == node || (gossip != null && System.nanoTime() - one.nanos() > gossip.toNanos()));
    }
}
