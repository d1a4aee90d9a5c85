package io.weir.pipeline.cache;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.pipeline.cache.BlockPrefetcher.Fetches;
import io.weir.pipeline.cache.Fetch.BlockNames;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FetchesTest {

    private final Fetches fetches = new Fetches(() -> 0);

    private Fetch arrived(String block, long number, List<String> transactions) {
        Fetch fetch = requireNonNull(fetches.open(false, new BlockNames(block, number, true), true));
        fetches.arrived(fetch, block, number, transactions);
        return fetch;
    }

    @Test
    void transactionsAreFoundUpToTheBoundExactlyAndAgainOnceOthersAreForgotten() {
        List<String> most = IntStream.range(0, Fetches.MAX_TRANSACTIONS)
                .mapToObj(Integer::toString)
                .toList();
        Fetch largest = arrived("0xa", 1, most);
        assertThat(fetches.blockOf("0")).isEqualTo(new BlockNames("0xa", 1, false));
        arrived("0xb", 2, List.of("one more"));
        assertThat(fetches.blockOf("one more")).isNull();
        assertThat(fetches.settle(largest, true)).isTrue();
        arrived("0xc", 3, List.of("another"));
        assertThat(fetches.blockOf("another")).isEqualTo(new BlockNames("0xc", 3, false));
        assertThat(fetches.blockOf("0")).isNull();
    }
}
