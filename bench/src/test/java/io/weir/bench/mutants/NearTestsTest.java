package io.weir.bench.mutants;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class NearTestsTest {

    private final NearTests tests = new NearTests(Map.of(
            "io.weir.cache.Store", Set.of("io.weir.cache.StoreTest", "io.weir.cache.Tier", "io.weir.app.StartTest"),
            "io.weir.cache.Tier", Set.of("io.weir.cache.TierTest", "io.weir.app.RestoreTest"),
            "io.weir.app.Start", Set.of("io.weir.app.CacheStoreIT", "io.weir.app.AccessIT")));

    @Test
    void itsOwnTestComesFirstAndThenThoseThatReachItThroughFewReferences() {
        assertThat(tests.near("io.weir.cache.Store", "Test", 9))
                .containsExactly(
                        "io.weir.cache.StoreTest",
                        "io.weir.app.StartTest",
                        "io.weir.cache.TierTest",
                        "io.weir.app.RestoreTest");
        assertThat(tests.near("io.weir.cache.Store", "Test", 1)).containsExactly("io.weir.cache.StoreTest");
    }

    @Test
    void ofFarTestsThoseWithItsWordsComeFirst() {
        assertThat(tests.near("io.weir.cache.Store", "IT", 9))
                .containsExactly("io.weir.app.CacheStoreIT", "io.weir.app.AccessIT");
    }
}
