package io.weir.pipeline.proof;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.weir.config.NetworkConfig.Hashing;
import io.weir.metrics.OutOfMemory;
import io.weir.metrics.RateLimitedLogger;
import io.weir.pipeline.Nodes.FaultSink;
import io.weir.upstream.NodeOutcome.Flaw;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.LoggerFactory;

/**
 * Whose answers on one network were refuted, and what follows: a count, a line in the log, and a loss of health where the chain's
 * rules are known to be Ethereum's. What cannot be verified is held against its upstream only once another one's answer for the
 * same was proven. Thread-safe.
 */
public final class MisbehaviourTracker {

    /** Answers that could not be verified, of which another upstream's may still be proven. */
    static final int MAX_OPEN = 1_000;

    /** Of all that was said once. */
    private static final int MAX_SAID = 1_000;

    private static final RateLimitedLogger LOG =
            new RateLimitedLogger(LoggerFactory.getLogger(MisbehaviourTracker.class));

    private final String network;
    private final Hashing hashing;
    private final FaultSink sink;
    private final Cache<String, Set<String>> open = Caffeine.newBuilder()
            .maximumSize(MAX_OPEN)
            .executor(OutOfMemory::run)
            .build();
    private final Set<String> said = ConcurrentHashMap.newKeySet();
    private volatile boolean verified;

    /**
     * Begins empty.
     *
     * @param sink hears of each fault
     */
    public MisbehaviourTracker(String network, Hashing hashing, FaultSink sink) {
        this.network = network;
        this.hashing = hashing;
        this.sink = sink;
    }

    /**
     * Notes that an answer was proven.
     *
     * @param object what it is about: the call that it answers
     * @param block whether it is a block or a header, which shows that the chain has Ethereum's rules
     */
    public void proven(String upstreamId, String object, boolean block) {
        if (block && !verified) {
            verified = true;
        }
        Set<String> others = open.estimatedSize() == 0 ? null : open.asMap().remove(object);
        if (others != null) {
            others.stream()
                    .filter(one -> !one.equals(upstreamId))
                    .forEach(one -> tell(one, Flaw.UNVERIFIABLE, "unverifiable where " + upstreamId + "'s is proven"));
        }
    }

    /**
     * Notes that an answer is false.
     *
     * @param detail what differs
     */
    public void refuted(String upstreamId, String method, Flaw flaw, String detail) {
        LOG.warn("network " + network + ": upstream " + upstreamId + ": an answer to " + method + " is false: "
                + detail);
        tell(upstreamId, flaw, detail);
    }

    private void tell(String upstreamId, Flaw flaw, String detail) {
        sink.refuted(upstreamId, flaw, detail, hashing == Hashing.ETHEREUM || verified);
    }

    /**
     * Notes that an answer is right and holds a member that is not listed for the chain. It costs nothing: a newer node may send
     * a member that this proxy does not know yet.
     *
     * @param detail names the member
     */
    public void unlisted(String upstreamId, String method, String detail) {
        if (said.size() < MAX_SAID && said.add("unlisted " + upstreamId + " " + method)) {
            LOG.warn("network " + network + ": upstream " + upstreamId + ": answers to " + method + " hold " + detail
                    + "; they are neither called verified nor kept (networks." + network
                    + ".verify-members lists such names)");
        }
    }

    /**
     * Notes that an answer cannot be verified.
     *
     * @param object what it is about: the call that it answers
     * @param reason what of it is not known
     */
    public void unverifiable(String upstreamId, String method, String object, String reason) {
        open.asMap().compute(object, (key, before) -> {
            Set<String> upstreams = before == null ? new HashSet<>() : new HashSet<>(before);
            upstreams.add(upstreamId);
            return Set.copyOf(upstreams);
        });
        if (said.size() < MAX_SAID && said.add(upstreamId + " " + method)) {
            LOG.warn("network " + network + ": upstream " + upstreamId + ": answers to " + method
                    + " cannot be verified, the first: " + reason);
        }
    }
}
