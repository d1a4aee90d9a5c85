package io.weir.pipeline.cache;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import io.netty.channel.embedded.EmbeddedChannel;
import io.weir.cache.BlockQuestion;
import io.weir.cache.CallKey;
import io.weir.chain.HeadTracker;
import io.weir.config.NetworkConfig.GatherConfig;
import io.weir.jsonrpc.RawJson;
import io.weir.method.MethodFacts;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.method.params.kind.InvalidParamsException;
import io.weir.metrics.Meters;
import io.weir.pipeline.cache.BlockAccess.Stored;
import io.weir.pipeline.cache.Fetch.BlockNames;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A call that looks for its block at the moment in which the fetch of the block ends. */
class BlockPrefetcherTest {

    private static final String HASH = "0x" + "b".repeat(64);
    private static final String TRANSACTION = "0x" + "7".repeat(64);

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final BlockPrefetcher prefetcher = prefetcher();
    private Fetch block;

    private static BlockPrefetcher prefetcher() {
        GatherConfig config = new GatherConfig(true);
        Meters meters = new Meters(new MetricRegistry());
        PrefetchBudget budget = new PrefetchBudget(config, meters, "testnet", () -> 0, () -> 100, () -> 0);
        return new BlockPrefetcher(
                config, false, new HeadTracker(1, () -> 0), (fetch, selector, loop) -> true, budget, () -> 0);
    }

    @BeforeEach
    void fetchTheBlock() {
        block = Objects.requireNonNull(
                prefetcher.fetchInstead(false, new BlockNames(HASH, 5, false), channel.eventLoop()));
        prefetcher.arrived(block, HASH, 5, List.of(TRANSACTION));
    }

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    private static BlockQuestion question() throws InvalidParamsException {
        MethodFacts facts = MethodCatalogue.ethereum().facts("eth_getTransactionReceipt");
        RawJson params = RawJson.of("[\"" + TRANSACTION + "\"]");
        return Objects.requireNonNull(BlockQuestion.of(
                facts.blockField(), Objects.requireNonNull(facts.params()).check(params)));
    }

    /** Ends the fetch as soon as memory has been read, in which the block was not stored yet. */
    private <T> T readTooEarly(T found) {
        prefetcher.settle(block, true, true);
        return found;
    }

    @Test
    void theBlockOfATransactionIsFoundWhenItsFetchEndsMeanwhile() throws InvalidParamsException {
        BlockNames names = prefetcher.names(question(), () -> readTooEarly(null));
        assertThat(names).isNotNull();
        assertThat(names.hash()).isEqualTo(HASH);
    }

    @Test
    void aBlockWhoseFetchEndsMeanwhileIsOneThatOthersAskedFor() throws InvalidParamsException {
        BlockAccess access = prefetcher.access(
                question(),
                new CallKey("testnet", "eth_getTransactionReceipt", RawJson.of("[]")),
                new BlockNames(HASH, -1, false),
                part -> readTooEarly(Stored.NOTHING),
                true);
        assertThat(access.repeated()).isTrue();
        assertThat(access.running()).isNull();
    }

    /** Whether the block is left alone after a client's call for it, or for its receipts, brought nothing to keep. */
    private boolean restsAfterACallInVain(boolean ofReceipts, String hash) throws InvalidParamsException {
        BlockNames names = new BlockNames(hash, -1, false);
        prefetcher.settle(Objects.requireNonNull(prefetcher.open(ofReceipts, names)), false, false);
        CallKey key = new CallKey("testnet", "eth_getTransactionReceipt", RawJson.of("[]"));
        return prefetcher
                .access(question(), key, names, part -> Stored.NOTHING, true)
                .resting();
    }

    @Test
    void aBlockThatAClientsCallBroughtInVainRestsAndOneOfWhichItBroughtReceiptsDoesNot() throws InvalidParamsException {
        assertThat(restsAfterACallInVain(false, "0x" + "c".repeat(64))).isTrue();
        assertThat(restsAfterACallInVain(true, "0x" + "d".repeat(64))).isFalse();
    }
}
