package io.weir.pipeline.evidence;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.weir.config.NetworkConfig.Hashing;
import io.weir.jsonrpc.RawJson;
import io.weir.metrics.OutOfMemory;
import io.weir.metrics.RateLimitedLogger;
import io.weir.pipeline.Nodes.FaultSink;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.NodeOutcome.Flaw;
import io.weir.verify.Verification;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Tracker of upstreams that give false answers on one network. Each false answer is counted and logged. It also costs health, if
 * the chain is known to have the rules of its settings. An unverifiable answer counts against its upstream only once another upstream's
 * answer to the same call is proven. Thread-safe.
 */
public final class MisbehaviourTracker {

    /** Maximum number of calls whose answers could not be verified and may still be proven of another upstream. */
    static final int MAX_OPEN = 1_000;

    /** Calls that may be sent to one more node at once because of a result in doubt, which that node does not prove wrong. */
    public static final int MAX_DOUBTS = 16;

    /** Time after which one more of them may be sent. */
    private static final long DOUBT_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** False blocks in a row after which the chain seems to have other rules: no other node's block was proven between them. */
    static final int MAX_FALSE_BLOCKS = 8;

    /** Maximum number of warnings that are logged once each. */
    private static final int MAX_LOGGED = 1_000;

    private static final RateLimitedLogger LOG =
            new RateLimitedLogger(LoggerFactory.getLogger(MisbehaviourTracker.class));

    private final String network;
    private final Hashing hashing;
    private final FaultSink sink;
    private final Cache<String, Set<String>> open = Caffeine.newBuilder()
            .maximumSize(MAX_OPEN)
            .executor(OutOfMemory::run)
            .build();
    private final Map<String, String> unverifiable = new ConcurrentHashMap<>();
    private final Set<String> logged = ConcurrentHashMap.newKeySet();
    private int doubts;
    private long doubtsNanos = System.nanoTime();
    private final AtomicInteger falseBlocks = new AtomicInteger();
    private final boolean otherRules;
    private volatile boolean verified;
    private volatile Consumer<String> liars = liar -> {};

    /**
     * @param otherRules whether the chain is known to have other rules than those of its settings, so that failed proofs cost nothing, and
     *     leave a result in doubt
     * @param sink receives each fault
     */
    public MisbehaviourTracker(String network, Hashing hashing, boolean otherRules, FaultSink sink) {
        this.network = network;
        this.hashing = hashing;
        this.otherRules = otherRules;
        this.sink = sink;
    }

    /** Sets what receives the id of each upstream that pays for a false answer; called before the first call. */
    public void onLiar(Consumer<String> action) {
        liars = action;
    }

    /**
     * Notes the verification of an upstream's answer, for the upstream or against it.
     *
     * @param params of the call; answers of several upstreams to the same call are compared
     * @param block whether the answer is a block or a header, but the first one of the chain. It shows that the chain has the rules of its
     *     settings. Other chains may differ in what a first block lacks
     */
    public void note(
            String upstreamId, String method, @Nullable RawJson params, boolean block, Verification<?> verification) {
        String detail = verification.detail();
        switch (verification.kind()) {
            case PROVEN, INCOMPLETE -> proven(upstreamId, method, params, block);
            case UNLISTED -> {
                proven(upstreamId, method, params, block);
                unlisted(upstreamId, method, detail);
            }
            case UNVERIFIABLE -> unverifiable(upstreamId, method, params, detail);
            case WRONG -> {
                refuted(upstreamId, method, Flaw.FALSE_HASH, detail);
                if (block && falseBlocks.incrementAndGet() >= MAX_FALSE_BLOCKS && verified) {
                    verified = false;
                    falseBlocks.set(0);
                }
            }
            default -> {
                // A missing proof, an uncertain place or a lack of capacity says nothing about the upstream.
            }
        }
    }

    private void proven(String upstreamId, String method, @Nullable RawJson params, boolean block) {
        if (block) {
            falseBlocks.set(0);
            verified = true;
        }
        Set<String> others = open.estimatedSize() == 0 ? null : open.asMap().remove(method + params);
        if (others != null) {
            giveDoubtBack();
            others.stream()
                    .filter(one -> !one.equals(upstreamId))
                    .forEach(one -> report(
                            one, Flaw.UNVERIFIABLE, "unverifiable where " + upstreamId + "'s is proven", isCertain()));
        }
    }

    /** Notes that an answer is false. */
    public void refuted(String upstreamId, String method, Flaw flaw, String detail) {
        LOG.warn("network " + network + ": upstream " + upstreamId + ": an answer to " + method + " is false: "
                + detail);
        report(upstreamId, flaw, detail, isCertain());
    }

    /**
     * Notes that several other nodes gave another result, which nothing proves.
     *
     * @param detail what differs
     * @param costs whether it costs health; not if settings of the node may explain it
     */
    public void outvoted(String upstreamId, String method, String detail, boolean costs) {
        LOG.warn("network " + network + ": upstream " + upstreamId + ": others contradict its answer to " + method
                + ": " + detail);
        report(upstreamId, Flaw.OTHER_RESULT, detail, costs);
    }

    /**
     * Reports what is wrong with an answer whatever the rules of the chain are.
     *
     * @param detail what differs
     * @param costs whether it costs health
     */
    void report(String upstreamId, Flaw flaw, String detail, boolean costs) {
        sink.refuted(upstreamId, flaw, detail, costs);
        if (costs && flaw.fault() == Fault.FALSE_ANSWER) {
            liars.accept(upstreamId);
        }
    }

    /**
     * Returns whether a result that hashes refute is false for certain: the chain is known to have the rules of its settings, as configured
     * or because a block was proven.
     */
    boolean isCertain() {
        return (hashing == Hashing.ETHEREUM || verified) && !otherRules;
    }

    /** Returns whether answers of some calls could not be verified, which another node's answer may prove. */
    boolean hasOpen() {
        return open.estimatedSize() > 0;
    }

    /** Takes one of the calls that may be sent to one more node because of a result in doubt. Returns false if none is left. */
    public synchronized boolean takeDoubt() {
        long now = System.nanoTime();
        int again = (int) Math.min(doubts, (now - doubtsNanos) / DOUBT_NANOS);
        doubts -= again;
        doubtsNanos = doubts == 0 ? now : doubtsNanos + again * DOUBT_NANOS;
        if (doubts == MAX_DOUBTS) {
            return false;
        }
        doubts++;
        return true;
    }

    /** The other node's answer was worth its call. */
    private synchronized void giveDoubtBack() {
        doubts = Math.max(0, doubts - 1);
    }

    /**
     * Logs that an answer is right and has a member that is not listed for the chain. It costs no health: a newer node may send a
     * member that this proxy does not know yet.
     *
     * @param detail names the member
     */
    private void unlisted(String upstreamId, String method, String detail) {
        if (logged.size() < MAX_LOGGED && logged.add("unlisted " + upstreamId + " " + method)) {
            LOG.warn("network " + network + ": upstream " + upstreamId + ": answers to " + method + " hold " + detail
                    + "; they are neither called verified nor kept (networks." + network
                    + ".verify-members lists such names)");
        }
    }

    private void unverifiable(String upstreamId, String method, @Nullable RawJson params, String reason) {
        open.asMap().compute(method + params, (key, before) -> {
            Set<String> upstreams = before == null ? new HashSet<>() : new HashSet<>(before);
            upstreams.add(upstreamId);
            return Set.copyOf(upstreams);
        });
        if (unverifiable.size() < MAX_LOGGED && unverifiable.putIfAbsent(method, upstreamId + ": " + reason) == null) {
            LOG.warn("network " + network + ": upstream " + upstreamId + ": answers to " + method
                    + " cannot be verified, the first: " + reason);
        }
    }

    /** Returns the methods that had answers which could not be verified, each with the upstream of the first one and the reason. */
    public Map<String, String> unverifiable() {
        return Map.copyOf(unverifiable);
    }
}
