package io.weir.pipeline.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.cache.ResultLayout.Slice;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.cache.BlockAccess.Part;
import io.weir.pipeline.cache.BlockAccess.Stored;
import io.weir.pipeline.cache.CacheDecision.CacheView;
import io.weir.pipeline.cache.CacheDecision.FetchBlock;
import io.weir.pipeline.cache.CacheDecision.ForwardAndCollect;
import io.weir.pipeline.cache.CacheDecision.ForwardWhole;
import io.weir.pipeline.cache.CacheDecision.Serve;
import io.weir.pipeline.cache.CacheDecision.WaitFor;
import io.weir.pipeline.cache.Fetch.BlockNames;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Enumerates the views of a call: each combination of facts has one decision. */
class CacheDecisionTest {

    private static final BlockNames NAMES = new BlockNames("0x" + "ab".repeat(32), 20, true);
    private static final Fetch BY_CLIENT = new Fetch(false, false, "0x14");
    private static final Fetch BY_PROXY = new Fetch(false, true, "0x14");

    /** The facts besides the part that is asked for, one bit each. */
    private enum Fact {
        REPEATED,
        RESTING,
        BLOCK_STORED,
        RECEIPTS_STORED,
        BLOCK_FETCHING,
        STORABLE,
        PROOF_NEEDS_BLOCK,
        RECEIPTS_REFUSED
    }

    /** One combination of facts about a block of which no fetch is under way. */
    private record Case(Part part, Set<Fact> facts) {

        boolean is(Fact fact) {
            return facts.contains(fact);
        }

        boolean isAnyOf(Part... parts) {
            return List.of(parts).contains(part);
        }

        BlockAccess access(Fetch running, boolean coalesces) {
            return new BlockAccess(
                    NAMES,
                    part,
                    running,
                    coalesces,
                    is(Fact.REPEATED),
                    is(Fact.RESTING),
                    new Stored(is(Fact.BLOCK_STORED), is(Fact.RECEIPTS_STORED)),
                    is(Fact.BLOCK_FETCHING),
                    is(Fact.STORABLE),
                    is(Fact.PROOF_NEEDS_BLOCK),
                    is(Fact.RECEIPTS_REFUSED));
        }
    }

    private static List<Case> cases() {
        List<Case> cases = new ArrayList<>();
        for (Part part : Part.values()) {
            for (int bits = 0; bits < 1 << Fact.values().length; bits++) {
                Set<Fact> facts = EnumSet.noneOf(Fact.class);
                for (Fact fact : Fact.values()) {
                    if ((bits >> fact.ordinal() & 1) == 1) {
                        facts.add(fact);
                    }
                }
                cases.add(new Case(part, facts));
            }
        }
        return cases;
    }

    private static CacheDecision decide(BlockAccess access) {
        return CacheDecision.of(new CacheView(null, false, access, false));
    }

    @Test
    void anAnswerInMemoryIsServed() {
        Slice slice = new Slice(RawJson.of("1"), "", true);
        CacheView view = CacheView.of(new RpcReply.Result(slice.value()), slice, null);
        assertThat(CacheDecision.of(view)).isEqualTo(new Serve(view.answer()));
    }

    @Test
    void anAnswerThatMayBeStaleIsServedOnlyAfterACheckOfTheChain() {
        assertThat(CacheDecision.of(CacheView.UNSURE)).isEqualTo(CacheDecision.Step.CHECK_CHAIN);
    }

    @Test
    void aCallWithoutAnAnswerAndWithoutABlockIsForwarded() {
        assertThat(CacheDecision.of(CacheView.NOTHING)).isEqualTo(CacheDecision.Step.FORWARD);
    }

    @Test
    void aLookupWhoseBlockMayBeAmongThoseBeingFetchedWaitsForThem() {
        assertThat(CacheDecision.of(CacheView.ARRIVING)).isEqualTo(CacheDecision.Step.AWAIT_ARRIVAL);
    }

    @Test
    void aPartOfABlockThatIsBeingFetchedWaitsForItAndAnUncleDoesNot() {
        for (Case one : cases()) {
            if (one.part() == Part.UNCLE) {
                assertThat(decide(one.access(BY_PROXY, false))).isEqualTo(CacheDecision.Step.FORWARD);
            } else if (!one.isAnyOf(Part.WHOLE_BLOCK, Part.ALL_RECEIPTS)) {
                for (Fetch running : List.of(BY_CLIENT, BY_PROXY)) {
                    assertThat(decide(one.access(running, true))).isEqualTo(new WaitFor(running));
                    assertThat(decide(one.access(running, false))).isEqualTo(new WaitFor(running));
                }
            }
        }
    }

    @Test
    void aCallForAllOfABlockThatIsBeingFetchedIsForwardedIfItCoalesces() {
        for (Case one : cases()) {
            if (one.isAnyOf(Part.WHOLE_BLOCK, Part.ALL_RECEIPTS)) {
                BlockAccess byClient = one.access(BY_CLIENT, true);
                assertThat(decide(byClient)).isEqualTo(new ForwardAndCollect(byClient, BY_CLIENT, false));
                BlockAccess byProxy = one.access(BY_PROXY, true);
                assertThat(decide(byProxy)).isEqualTo(new ForwardAndCollect(byProxy, BY_PROXY, false));
                assertThat(decide(one.access(BY_CLIENT, false))).isEqualTo(new WaitFor(BY_CLIENT));
                assertThat(decide(one.access(BY_PROXY, false))).isEqualTo(new WaitFor(BY_PROXY));
            }
        }
    }

    /** Each rule claims its cases; together they claim every case once. */
    @Test
    void everyCombinationWithoutAFetchHasOneDecision() {
        Set<String> rules = new TreeSet<>();
        for (Case one : cases()) {
            BlockAccess access = one.access(null, false);
            boolean ofReceipts = one.isAnyOf(Part.ALL_RECEIPTS, Part.PART_OF_RECEIPTS);
            boolean again = one.is(Fact.REPEATED) && !one.is(Fact.RESTING);
            boolean withBlock = ofReceipts
                    && one.is(Fact.PROOF_NEEDS_BLOCK)
                    && !one.is(Fact.BLOCK_FETCHING)
                    && !one.is(Fact.BLOCK_STORED);
            String rule;
            CacheDecision expected;
            if (one.is(ofReceipts ? Fact.RECEIPTS_STORED : Fact.BLOCK_STORED)) {
                rule = "stored, and no answer";
                expected = CacheDecision.Step.FORWARD;
            } else if (one.isAnyOf(Part.WHOLE_BLOCK, Part.ALL_RECEIPTS)) {
                rule = again && withBlock ? "collect, fetch the block too" : "collect";
                expected = new ForwardAndCollect(access, null, again && withBlock);
            } else if (one.part() == Part.NEW_BLOCK && !one.is(Fact.RESTING)) {
                rule = "forward whole";
                expected = new ForwardWhole(access);
            } else if (one.part() == Part.UNCLE) {
                rule = "an uncle is in no block";
                expected = CacheDecision.Step.FORWARD;
            } else if (!again) {
                rule = "first access, or resting";
                expected = CacheDecision.Step.FORWARD;
            } else if (!one.is(Fact.STORABLE)) {
                rule = "not storable";
                expected = CacheDecision.Step.FORWARD;
            } else if (ofReceipts && one.is(Fact.RECEIPTS_REFUSED)) {
                rule = "node without receipts of blocks";
                expected = CacheDecision.Step.FORWARD;
            } else {
                rule = withBlock ? "fetch receipts and block" : "fetch";
                expected = new FetchBlock(access, withBlock);
            }
            rules.add(rule);
            assertThat(decide(access)).as("%s: %s", one, rule).isEqualTo(expected);
        }
        assertThat(rules).as("rules that some case met").hasSize(10);
    }
}
