package io.weir.bench.subscription.check;

import io.weir.bench.subscription.chain.Block;
import io.weir.bench.subscription.chain.ChainLog;
import io.weir.bench.subscription.chain.KnownChain;
import io.weir.bench.subscription.chain.LogFilter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Check of a {@code logs} subscription or of a log filter that is polled. Confined to one thread.
 *
 * <p>A client replays the logs: an added one goes on top of {@link #active}, a removed one must be the topmost. The block of an added
 * log descends from that of the log below it, and no block between them has a log that passes the filter. At the end the logs are
 * those of the canonical chain.
 */
public final class LogCheck implements Check {

    private static final JsonMapper JSON = new JsonMapper();
    private static final int MAX_ACTIVE = 20_000;

    private final KnownChain chain;
    private final LogFilter filter;
    private final int startEvent;
    private final ArrayDeque<ChainLog> active = new ArrayDeque<>();
    private final Set<ChainLog> known = new HashSet<>();
    private boolean forgotten;
    private long added;
    private long removed;

    /**
     * Creates a check without logs.
     *
     * @param startEvent the event of the chain up to which blocks need not be told, because they may have been there before the
     *     subscription
     */
    public LogCheck(KnownChain chain, LogFilter filter, int startEvent) {
        this.chain = chain;
        this.filter = filter;
        this.startEvent = startEvent;
    }

    @Override
    public void told(JsonNode result) throws Violation {
        ChainLog log = find(result);
        boolean isRemoved = result.path("removed").asBoolean(false);
        if (!result.equals(JSON.readTree(log.json(isRemoved)))) {
            throw new Violation("logs: " + result + " (expected: " + log.json(isRemoved) + ")");
        }
        if (!filter.passes(log)) {
            throw new Violation("logs: " + log + " does not pass the filter " + filter.json());
        }
        if (isRemoved) {
            remove(log);
        } else {
            add(log);
        }
    }

    private ChainLog find(JsonNode result) throws Violation {
        Block block = chain.find(result.path("blockHash").asString(""));
        String index = result.path("logIndex").asString("");
        if (block != null && index.startsWith("0x")) {
            int at = Integer.decode(index);
            if (at < block.logs().size()) {
                return block.logs().get(at);
            }
        }
        throw new Violation("logs: " + result + " (expected: a log of the chain)");
    }

    private void remove(ChainLog log) throws Violation {
        ChainLog top = active.peekLast();
        if (!log.equals(top)) {
            throw new Violation(
                    known.contains(log)
                            ? "wrong order: removal of " + log + " (expected: first that of " + top + ", the newest)"
                            : "removal of " + log + ", which was not told or was removed already");
        }
        known.remove(active.removeLast());
        removed++;
    }

    private void add(ChainLog log) throws Violation {
        ChainLog top = active.peekLast();
        if (known.contains(log)) {
            throw new Violation("duplicate: " + log + " (expected: each log once on its branch)");
        }
        if (top != null && !log.block().descendsFrom(top.block())) {
            throw new Violation(
                    top.block().descendsFrom(log.block())
                            ? "wrong order: " + log + " after " + top
                            : "missing removal: " + log + " follows " + top + ", which is on another branch");
        }
        if (top != null && top.block().equals(log.block()) && top.index() > log.index()) {
            throw new Violation("wrong order: " + log + " after " + top);
        }
        List<ChainLog> missing = between(top, log.block());
        missing.removeIf(other -> other.block().equals(log.block()) && other.index() >= log.index());
        if (!missing.isEmpty()) {
            throw new Violation(
                    "gap: " + missing.get(0) + " was not told before " + log + "; the log before is " + top);
        }
        active.addLast(log);
        known.add(log);
        if (active.size() > MAX_ACTIVE) {
            known.remove(active.removeFirst());
            forgotten = true;
        }
        added++;
    }

    /** Returns the logs of a branch that pass, above another log, without those that need not be told. */
    private List<ChainLog> between(@Nullable ChainLog below, Block tip) {
        List<ChainLog> logs = new ArrayList<>();
        Block bottom = below == null ? null : below.block();
        for (Block at = tip; at != null && !at.equals(bottom) && at.event() > startEvent; at = at.parent()) {
            logs.addAll(0, filter.of(at));
        }
        if (below != null && below.block().event() > startEvent) {
            List<ChainLog> rest = new ArrayList<>(filter.of(below.block()));
            rest.removeIf(log -> log.index() <= below.index());
            logs.addAll(0, rest);
        }
        return logs;
    }

    @Override
    public void end(Block head) throws Violation {
        ChainLog top = active.peekLast();
        if (top != null && !head.descendsFrom(top.block())) {
            throw new Violation("missing removal at the end: " + top + " is not below the head " + head);
        }
        List<ChainLog> missing = between(top, head);
        if (!missing.isEmpty()) {
            throw new Violation("missing at the end: " + missing.get(0) + "; the last log is " + top);
        }
    }

    @Override
    public void replay(Block head) throws Violation {
        Iterator<ChainLog> told = active.descendingIterator();
        for (Block at = head; at != null && at.event() > startEvent; at = at.parent()) {
            List<ChainLog> expected = filter.of(at);
            for (int i = expected.size() - 1; i >= 0; i--) {
                ChainLog one = told.hasNext() ? told.next() : null;
                if (!expected.get(i).equals(one) && !(one == null && forgotten)) {
                    throw new Violation("replay: " + one + " (expected: " + expected.get(i) + ")");
                }
            }
        }
    }

    /** Returns how many logs were added. */
    public long added() {
        return added;
    }

    /** Returns how many logs were removed. */
    public long removed() {
        return removed;
    }
}
