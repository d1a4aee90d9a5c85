package io.weir.upstream.pool;

import io.weir.config.Ejection;
import io.weir.upstream.latency.AnswerTimes;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;

/** Parts of a pool through which its nodes are compared and limited together. Thread-safe. */
final class PoolPeers {

    private final Ejection.Rules rules;
    private final Ejections ejections;
    private final LongSupplier newest;
    private final AnswerTimes answerTimes = new AnswerTimes();
    private final Map<Integer, List<LatencyOutlier>> tiers = new ConcurrentHashMap<>();

    /** @param newest returns the newest block on which nodes agree */
    PoolPeers(Ejection.Rules rules, Ejections ejections, LongSupplier newest) {
        this.newest = newest;
        this.rules = rules;
        this.ejections = ejections;
    }

    Ejections ejections() {
        return ejections;
    }

    /** Returns the newest block on which nodes agree. */
    long newest() {
        return newest.getAsLong();
    }

    /** Returns the times of the answers of all nodes. */
    AnswerTimes answerTimes() {
        return answerTimes;
    }

    /** Creates the comparison of one more node of a tier with the others. */
    LatencyOutlier outlier(int tier) {
        List<LatencyOutlier> peers = tiers.computeIfAbsent(tier, any -> new CopyOnWriteArrayList<>());
        LatencyOutlier outlier = new LatencyOutlier(rules, peers);
        peers.add(outlier);
        return outlier;
    }
}
