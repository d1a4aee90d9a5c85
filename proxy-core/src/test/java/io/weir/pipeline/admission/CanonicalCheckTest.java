package io.weir.pipeline.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.cache.CachedResult;
import io.weir.cache.CachedResult.BlockRef;
import io.weir.cache.SourceMarks;
import io.weir.chain.BlockLink;
import io.weir.chain.ChainView;
import io.weir.chain.Finality;
import io.weir.jsonrpc.RawJson;
import io.weir.method.ResultKind;
import io.weir.pipeline.admission.CanonicalCheck.Validity;
import io.weir.pipeline.watch.ChainWatch;
import io.weir.pipeline.watch.NetworkChain;
import io.weir.pipeline.watch.ShownBlocks;
import io.weir.upstream.FakeHead;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whether stored results are still right: blocks 16 and 20 of the chain are known, and 15 and 19 by their children. */
class CanonicalCheckTest {

    private final SourceMarks marks = SourceMarks.of(List.of("node"));
    private final ChainView view = new ChainView();
    private final FakeHead head = new FakeHead(0);
    private final Finality finalized = head.finality;
    private final NetworkChain chain = new NetworkChain(
            view,
            finalized,
            new ChainWatch(head, view, finalized, null, 0, count -> true, () -> 0),
            null,
            new ShownBlocks());
    private final CanonicalCheck check = new CanonicalCheck(chain, false, marks);

    @BeforeEach
    void know() {
        view.restart(List.of(block(16)), "node");
        view.resume(List.of(block(20)), "node", 16, "a16");
    }

    private static BlockLink block(long number) {
        return new BlockLink(number, "a" + number, "a" + (number - 1));
    }

    private CachedResult result(long number, String hash, long stamp, boolean lasting) {
        BlockRef block = new BlockRef(number, hash, stamp);
        return new CachedResult(RawJson.of("{}"), ResultKind.BLOCK, "", block, lasting, marks.of("node"));
    }

    private Validity validity(long number, String hash, long stamp) {
        return check.validity(result(number, hash, stamp, false), true);
    }

    private Validity validity(long number, String hash) {
        return validity(number, hash, CachedResult.ANY_STAMP);
    }

    @Test
    void aResultIsRightWhileItsBlockIsTheKnownOneAtItsHeight() {
        assertThat(validity(20, "a20")).isEqualTo(Validity.VALID);
        assertThat(validity(20, "b20")).isEqualTo(Validity.STALE);
        assertThat(validity(19, "a19")).as("known by its child").isEqualTo(Validity.VALID);
        assertThat(validity(19, "b19")).as("known by its child").isEqualTo(Validity.STALE);
    }

    @Test
    void aResultOfABlockInAGapIsNotKnownToBeWrong() {
        assertThat(validity(18, "a18")).isEqualTo(Validity.UNKNOWN);
        assertThat(validity(2, "a2")).as("below the known blocks").isEqualTo(Validity.UNKNOWN);
    }

    @Test
    void aResultOfABlockAboveTheHeadIsWrong() {
        assertThat(validity(21, "a21")).isEqualTo(Validity.STALE);
    }

    @Test
    void aResultThatDoesNotNameItsBlockIsRightUntilTheChainHasLeftIt() {
        long stamp = view.at(20).stamp();
        assertThat(validity(20, "a20", stamp)).isEqualTo(Validity.VALID);
        view.attach(List.of(new BlockLink(20, "b20", "a19")), "node");
        view.attach(List.of(block(20)), "node");
        assertThat(validity(20, "a20", stamp)).isEqualTo(Validity.STALE);
        assertThat(validity(20, "a20")).as("one that does").isEqualTo(Validity.VALID);
    }

    @Test
    void aBlockThatWasReadOnceItsChildHadNamedItMayHaveBeenKnownBefore() {
        view.extend(block(19));
        assertThat(validity(19, "a19", 7)).isEqualTo(Validity.VALID);
    }

    @Test
    void onlyALastingResultIsRightWithoutACheckOfTheChain() {
        assertThat(check.validity(result(18, "a18", CachedResult.ANY_STAMP, true), false))
                .isEqualTo(Validity.VALID);
        assertThat(check.validity(result(20, "a20", CachedResult.ANY_STAMP, false), false))
                .isEqualTo(Validity.UNKNOWN);
    }

    @Test
    void noResultOfALiarIsRight() {
        CachedResult replaceable = result(20, "a20", CachedResult.ANY_STAMP, false);
        CachedResult lasting = result(18, "a18", CachedResult.ANY_STAMP, true);
        marks.revoke("node");
        assertThat(check.validity(replaceable, true)).isEqualTo(Validity.STALE);
        assertThat(check.validity(lasting, false)).isEqualTo(Validity.STALE);
    }

    private static CachedResult proven(String parts, String hash, int source) {
        BlockRef block = new BlockRef(20, hash, CachedResult.ANY_STAMP);
        return new CachedResult(RawJson.of("{}"), ResultKind.BLOCK, parts, block, false, source);
    }

    @Test
    void thePlaceOfABlockIsShownOnlyIfSeveralUpstreamsNamedIt() {
        CanonicalCheck many = new CanonicalCheck(chain, true, marks);
        CachedResult result = proven("header", "a20", SourceMarks.NONE);
        assertThat(many.shown(result, false)).as("by one upstream").isEmpty();
        assertThat(many.shown(result, true)).as("by one upstream").isEqualTo("header");
        view.agree(20, "a20");
        assertThat(many.shown(result, false)).isEqualTo("header, place");
        assertThat(many.shown(result, true)).as("its place was not asked for").isEqualTo("header");
        assertThat(check.shown(result, false)).as("a network of one upstream").isEqualTo("header");
        assertThat(many.shown(proven("", "a20", SourceMarks.NONE), false))
                .as("nothing was proven")
                .isEmpty();
        assertThat(many.shown(proven("header", "b20", SourceMarks.NONE), true))
                .as("another block is agreed")
                .isEqualTo("header");
        assertThat(many.shown(proven("header", "a20", marks.of("node")), true))
                .as("its place is the word of its node")
                .isEqualTo("header");
        view.attach(List.of(new BlockLink(20, "b20", "a19")), "node");
        assertThat(many.shown(result, true)).as("the block was replaced").isEqualTo("header");
    }
}
