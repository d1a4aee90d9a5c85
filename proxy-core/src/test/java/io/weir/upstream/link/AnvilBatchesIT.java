package io.weir.upstream.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.metrics.Meter;
import io.weir.testing.AnvilNode;
import io.weir.upstream.Attempt;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Batches to a real node, with calls in them that it answers oddly. */
class AnvilBatchesIT {

    private static final String BALANCE = "[\"" + AnvilNode.RICH_ACCOUNT + "\",\"latest\"]";

    private final AnvilNode anvil = AnvilNode.start();
    private final BatchBench bench = new BatchBench();

    @AfterEach
    void end() {
        bench.close();
        anvil.close();
    }

    private List<CompletableFuture<NodeOutcome>> ask(SocketNodeClient client, List<RpcCall> calls) {
        List<CompletableFuture<NodeOutcome>> outcomes = new ArrayList<>();
        calls.forEach(call -> outcomes.add(new CompletableFuture<>()));
        bench.loop.execute(() -> {
            for (int i = 0; i < calls.size(); i++) {
                client.ask(bench.loop, calls.get(i), BatchBench.deadline(), Attempt.of(outcomes.get(i)::complete));
            }
        });
        return outcomes;
    }

    private static RpcCall call(String method, String params) {
        return new RpcCall(RawJson.of("1"), method, RawJson.of(params));
    }

    @Test
    void aLargeBatchIsAnsweredWhole() {
        bench.window(1000, 5_000);
        SocketNodeClient client = bench.client(anvil.url());
        List<RpcCall> calls = new ArrayList<>();
        for (int i = 0; i < 1001; i++) {
            calls.add(call("eth_getBalance", BALANCE));
        }
        ask(client, calls)
                .forEach(outcome -> assertThat(BatchBench.result(outcome)).isEqualTo("\"0x21e19e0c9bab2400000\""));
        assertThat(bench.count(Meter.UPSTREAM_BATCHES)).isEqualTo(1);
        assertThat(bench.count(Meter.UPSTREAM_BATCHES_SPLIT)).isZero();
    }

    @Test
    void callsThatTheNodeRefusesHarmNoneOfTheOthers() {
        bench.window(100, 5_000);
        SocketNodeClient client = bench.client(anvil.url());
        List<String> odd = List.of("[]", "[1]", "[null]", "[\"0x\",\"latest\",1,2]", "{\"address\":1}", "[{\"a\":[]}]");
        List<RpcCall> calls = new ArrayList<>();
        calls.add(call("eth_chainId", "[]"));
        for (String params : odd) {
            calls.add(call("eth_getBalance", BALANCE));
            calls.add(call("eth_getBalance", params));
            calls.add(call("eth_getBlockReceipts", "[\"0xffffff\"]"));
            calls.add(call("eth_thatNobodyHas", params));
        }
        List<CompletableFuture<NodeOutcome>> outcomes = ask(client, calls);
        for (int i = 0; i < odd.size(); i++) {
            int first = 1 + 4 * i;
            assertThat(BatchBench.result(outcomes.get(first))).isEqualTo("\"0x21e19e0c9bab2400000\"");
            assertThat(reply(outcomes.get(first + 1))).as(odd.get(i)).isInstanceOf(RpcReply.Failure.class);
            assertThat(BatchBench.result(outcomes.get(first + 2))).isEqualTo("null");
            assertThat(reply(outcomes.get(first + 3))).as(odd.get(i)).isInstanceOf(RpcReply.Failure.class);
        }
        assertThat(bench.count(Meter.UPSTREAM_BATCHES)).isEqualTo(1);
    }

    private static RpcReply reply(CompletableFuture<NodeOutcome> outcome) {
        return ((Answered) BatchBench.get(outcome)).reply();
    }
}
