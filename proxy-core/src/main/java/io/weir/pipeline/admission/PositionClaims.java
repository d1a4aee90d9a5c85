package io.weir.pipeline.admission;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.weir.cache.AnswerFacts;
import io.weir.pipeline.evidence.MisbehaviourTracker;
import io.weir.upstream.NodeOutcome.Flaw;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The unproven claims of upstreams about the positions of transactions, bounded in number. A claim that a proven block contradicts
 * counts as a false answer of its upstream. Thread-safe.
 */
public final class PositionClaims {

    /** The largest number of claims. */
    static final int MAX_CLAIMS = 1_000;

    private final MisbehaviourTracker misbehaviour;
    private final Cache<Key, Claim> open = Caffeine.newBuilder()
            .maximumSize(MAX_CLAIMS)
            .executor(Runnable::run)
            .build();

    /** The key of a claim: of each upstream, the last one about a transaction counts. */
    private record Key(String transaction, String upstreamId) {}

    /**
     * The position of a transaction as an upstream claimed it.
     *
     * @param isFinal whether its height was final at the time of the claim
     */
    private record Claim(String method, String block, long number, long index, boolean isFinal) {}

    public PositionClaims(MisbehaviourTracker misbehaviour) {
        this.misbehaviour = misbehaviour;
    }

    /** Notes the position of a transaction in an upstream's answer, if the answer names one. */
    void note(String upstreamId, String method, AnswerFacts facts, boolean isFinal) {
        String transaction = facts.transactionHash();
        if (transaction != null && facts.index() >= 0) {
            Claim claim = new Claim(method, facts.hash(), facts.number(), facts.index(), isFinal);
            open.put(new Key(transaction, upstreamId), claim);
        }
    }

    /**
     * Compares the claims with a proven block.
     *
     * @param transactions the hashes of its transactions, in order
     * @param canonical whether it is final and canonical, so that its transactions are in no other block
     */
    void compare(long number, String hash, List<String> transactions, boolean canonical) {
        Map<String, Integer> places = new HashMap<>();
        for (int i = 0; i < transactions.size(); i++) {
            places.put(transactions.get(i), i);
        }
        open.asMap().forEach((key, claim) -> {
            Integer index = places.get(key.transaction());
            boolean same = claim.block().equals(hash);
            boolean elsewhere = !same && index != null && canonical && claim.isFinal();
            boolean decided = same || elsewhere;
            boolean right = same && index != null && index == claim.index() && claim.number() == number;
            if (decided && open.asMap().remove(key, claim) && !right) {
                refute(key, claim, index == null ? "not in this block" : "at " + index + " in " + hash);
            }
        });
    }

    private void refute(Key key, Claim claim, String expected) {
        String said = "transaction " + key.transaction() + ": at " + claim.index() + " in " + claim.block();
        misbehaviour.refuted(key.upstreamId(), claim.method(), Flaw.FALSE_HASH, said + " (expected: " + expected + ")");
    }

    /** Forgets all claims, because the chain was replaced. */
    public void forget() {
        open.invalidateAll();
    }

    /** Returns whether no claim is open. */
    boolean isEmpty() {
        return open.estimatedSize() == 0;
    }
}
