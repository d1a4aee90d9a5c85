package io.weir.pipeline.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class UncleFetcherTest {

    private static final RawJson FIRST = RawJson.of("\"first\"");
    private static final RawJson SECOND = RawJson.of("\"second\"");

    private final List<String> calls = new ArrayList<>();
    private final List<RawJson> found = new ArrayList<>();
    private final List<@Nullable RpcReply> ends = new ArrayList<>();

    /** Fetches as many uncles as there are replies, which come one after the other. A result counts up to an index. */
    private void fetch(int counting, RawJson... replies) {
        UncleFetcher.fetch(
                "0xab",
                replies.length,
                (call, index, sink) -> {
                    calls.add(call.method() + call.params());
                    sink.accept(new RpcReply.Result(replies[index]), index < counting);
                },
                (uncles, failed) -> {
                    found.addAll(uncles);
                    ends.add(failed);
                });
    }

    @Test
    void allUnclesAreFetchedOneAfterTheOtherInOrder() {
        fetch(2, FIRST, SECOND);
        assertThat(calls)
                .containsExactly(
                        "eth_getUncleByBlockHashAndIndex[\"0xab\",\"0x0\"]",
                        "eth_getUncleByBlockHashAndIndex[\"0xab\",\"0x1\"]");
        assertThat(found).containsExactly(FIRST, SECOND);
        assertThat(ends).isEqualTo(Arrays.asList((RpcReply) null));
    }

    @Test
    void noUncleIsFetchedAfterOneThatIsMissing() {
        fetch(3, FIRST, RawJson.NULL, SECOND);
        assertThat(calls).hasSize(2);
        assertThat(found).containsExactly(FIRST);
        assertThat(ends).containsExactly(new RpcReply.Result(RawJson.NULL));
    }

    @Test
    void noUncleIsFetchedAfterOneThatDoesNotCount() {
        fetch(1, FIRST, SECOND, FIRST);
        assertThat(calls).hasSize(2);
        assertThat(found).containsExactly(FIRST);
        assertThat(ends).containsExactly(new RpcReply.Result(SECOND));
    }

    @Test
    void aBlockWithoutUnclesNeedsNoCall() {
        fetch(0);
        assertThat(calls).isEmpty();
        assertThat(found).isEmpty();
        assertThat(ends).isEqualTo(Arrays.asList((RpcReply) null));
    }
}
