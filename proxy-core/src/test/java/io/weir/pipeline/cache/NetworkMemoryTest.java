package io.weir.pipeline.cache;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import io.weir.cache.BlockKeys;
import io.weir.cache.CachedResult;
import io.weir.cache.CachedResult.BlockRef;
import io.weir.cache.CallKey;
import io.weir.cache.SourceMarks;
import io.weir.cache.memory.ResultMemory;
import io.weir.chain.ChainView;
import io.weir.chain.Finalities;
import io.weir.config.WeirConfig.CacheConfig;
import io.weir.jsonrpc.RawJson;
import io.weir.limit.Budget;
import io.weir.method.ResultKind;
import io.weir.metrics.Meters;
import io.weir.pipeline.admission.CanonicalCheck;
import io.weir.pipeline.watch.NetworkChain;
import io.weir.pipeline.watch.ShownBlocks;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Results that a call finds by its own words, or by an alias of them. */
class NetworkMemoryTest {

    private static final String HASH = "0x" + "a".repeat(64);
    private static final CallKey BLOCK = BlockKeys.block("net", HASH);
    private static final CallKey ASKED = new CallKey("net", "eth_getBlockByNumber", RawJson.of("[\"0x10\",true]"));

    private final ResultMemory memory =
            ResultMemory.of(new CacheConfig(1 << 20), new Budget(1 << 20), new Meters(new MetricRegistry()));
    private final SourceMarks marks = SourceMarks.of(List.of("a", "b"));
    private final CanonicalCheck canonical = new CanonicalCheck(
            new NetworkChain(new ChainView(), Finalities.alone(), null, null, new ShownBlocks()), true, marks);
    private final NetworkMemory reader =
            new NetworkMemory("net", true, true, memory, null, null, canonical, null, new NetworkMemory.Aliases());

    @AfterEach
    void close() {
        memory.close();
    }

    private void store(String upstream, boolean lasting, boolean placed) {
        BlockRef block = new BlockRef(16, HASH, CachedResult.ANY_STAMP);
        CachedResult result =
                new CachedResult(RawJson.of("{}"), ResultKind.BLOCK, "", block, lasting, marks.of(upstream));
        memory.store().put(BLOCK, result.with(placed, null), memory.store().purges());
        reader.remember(ASKED, BLOCK);
    }

    @Test
    void aFinalResultIsFoundByItsAliasIfTheCallMayHaveOne() {
        store("a", true, true);
        assertThat(reader.readExact(ASKED, true)).isNotNull();
        assertThat(reader.readExact(ASKED, false)).isNull();
    }

    @Test
    void aLiarsResultIsNotServedByItsAlias() {
        store("a", true, true);
        marks.revoke("b");
        assertThat(reader.readExact(ASKED, true)).isNotNull();
        marks.revoke("a");
        assertThat(reader.readExact(ASKED, true)).isNull();
    }

    @Test
    void aBlockThatMayBeReplacedIsNotServedByItsAlias() {
        store("a", false, true);
        assertThat(reader.readExact(ASKED, true)).as("not final").isNull();
        store("a", true, false);
        assertThat(reader.readExact(ASKED, true)).as("an orphan, maybe").isNull();
    }
}
