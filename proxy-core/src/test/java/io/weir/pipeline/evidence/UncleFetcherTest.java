package io.weir.pipeline.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.jsonrpc.RpcCall;
import io.weir.pipeline.evidence.UncleFetcher.Uncles;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class UncleFetcherTest {

    private final List<String> calls = new ArrayList<>();
    private final List<Uncles<String>> results = new ArrayList<>();

    /** Answers calls with these replies, one after the other; {@code null} in quotes has no uncle. */
    private UncleFetcher.Source<String> source(String... replies) {
        return new UncleFetcher.Source<>() {
            @Override
            public void send(RpcCall call, int index, Consumer<String> sink) {
                calls.add(call.method() + call.params());
                sink.accept(replies[index]);
            }

            @Override
            public boolean isFound(String reply) {
                return !reply.equals("null");
            }
        };
    }

    @Test
    void allUnclesAreFetchedOneAfterTheOtherInOrder() {
        UncleFetcher.fetch("0xab", 2, source("first", "second"), results::add);
        assertThat(calls)
                .containsExactly(
                        "eth_getUncleByBlockHashAndIndex[\"0xab\",\"0x0\"]",
                        "eth_getUncleByBlockHashAndIndex[\"0xab\",\"0x1\"]");
        assertThat(results).containsExactly(new Uncles<>(List.of("first", "second"), null));
    }

    @Test
    void noUncleIsFetchedAfterOneThatIsMissing() {
        UncleFetcher.fetch("0xab", 3, source("first", "null", "third"), results::add);
        assertThat(calls).hasSize(2);
        assertThat(results).containsExactly(new Uncles<>(List.of("first"), "null"));
    }

    @Test
    void aBlockWithoutUnclesNeedsNoCall() {
        UncleFetcher.fetch("0xab", 0, source(), results::add);
        assertThat(calls).isEmpty();
        assertThat(results).containsExactly(new Uncles<>(List.of(), null));
    }
}
