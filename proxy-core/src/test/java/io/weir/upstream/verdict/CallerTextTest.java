package io.weir.upstream.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Search of a node's error text for words of the caller. */
class CallerTextTest {

    private static final int BYTES = 1 << 20;
    private static final int RUNS = 40;
    private static final String ERROR = "execution reverted: too many requests, header not found 0xabcdef0123456789";

    private static RpcCall call(String text) {
        return new RpcCall(RawJson.of("1"), "eth_call", RawJson.of("[{\"data\":\"" + text + "\"}]"));
    }

    private static long bestNanos(RpcCall call) {
        long best = Long.MAX_VALUE;
        for (int i = 0; i < RUNS; i++) {
            long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            CallerText.in(ERROR, List.of(call), true);
            best = Math.min(best, ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start);
        }
        return best;
    }

    @Test
    void longDataInHexIsNotComparedWithTheErrorRunByRun() {
        long words = bestNanos(call("too many requests ".repeat(BYTES / 18)));
        long hex = bestNanos(call("0x" + "abcdef0123456789".repeat(BYTES / 16)));
        System.out.printf("ns per byte: words %.2f, hex %.2f%n", (double) words / BYTES, (double) hex / BYTES);
        assertThat(hex).isLessThan(words * 3 / 4);
    }

    @Test
    void longDataThatOnlyBeginsAsHexIsCompared() {
        CallerText found = CallerText.in(ERROR, List.of(call("0x" + "ab".repeat(500) + " too many requests")), true);
        assertThat(found.ownWords()).doesNotContain("too many requests");
    }
}
