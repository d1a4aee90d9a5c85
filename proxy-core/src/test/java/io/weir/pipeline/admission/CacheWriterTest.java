package io.weir.pipeline.admission;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import io.weir.cache.BlockKeys;
import io.weir.cache.BlockKeys.BlockPosition;
import io.weir.cache.CacheMeters;
import io.weir.cache.CachedResult;
import io.weir.cache.CachedResult.BlockRef;
import io.weir.cache.CallKey;
import io.weir.cache.SourceMarks;
import io.weir.cache.memory.ResultMemory;
import io.weir.config.WeirConfig.CacheConfig;
import io.weir.jsonrpc.RawJson;
import io.weir.limit.Budget;
import io.weir.method.ResultKind;
import io.weir.metrics.Meters;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the writer takes from memory to prove other answers. */
class CacheWriterTest {

    private static final String HASH = "0x" + "a".repeat(64);

    private final Meters meters = new Meters(new MetricRegistry());
    private final ResultMemory memory = ResultMemory.of(new CacheConfig(1 << 20), new Budget(1 << 20), meters);
    private final SourceMarks marks = SourceMarks.of(List.of("a", "b"));
    private final CacheWriter writer = new CacheWriter("net", memory.store(), new CacheMeters(meters, "net"), marks);

    @AfterEach
    void close() {
        memory.close();
    }

    private void store(CallKey key, RawJson value, boolean lasting) {
        BlockRef block = new BlockRef(7, HASH, CachedResult.ANY_STAMP);
        CachedResult result = new CachedResult(value, ResultKind.BLOCK, "", block, lasting, marks.of("a"));
        memory.store().put(key, result, memory.store().purges());
    }

    @Test
    void theFinalBlockAtAHeightIsKnownUntilItsNodeIsCaught() {
        assertThat(writer.hashAt(7)).isNull();
        store(BlockKeys.height("net", 7), new BlockPosition(HASH, 0).json(), true);
        marks.revoke("b");
        assertThat(writer.hashAt(7)).isEqualTo(HASH);
        marks.revoke("a");
        assertThat(writer.hashAt(7)).isNull();
    }

    @Test
    void aBlockThatIsNotFinalIsNotTheOneAtItsHeight() {
        store(BlockKeys.height("net", 7), new BlockPosition(HASH, 0).json(), false);
        assertThat(writer.hashAt(7)).isNull();
    }

    @Test
    void theBlockOfALiarProvesNothing() {
        assertThat(writer.block(HASH)).isNull();
        store(BlockKeys.block("net", HASH), RawJson.of("{}"), false);
        assertThat(writer.block(HASH)).isNotNull();
        marks.revoke("a");
        assertThat(writer.block(HASH)).isNull();
    }
}
