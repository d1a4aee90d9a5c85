package io.weir.bench.load.traffic;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.weir.bench.load.chain.Answers;
import io.weir.bench.load.chain.BenchChain;
import io.weir.bench.load.chain.CallText;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CallsTest {

    @Test
    void mixedCallsHaveThePublishedProportionsAndAreAllAnswered() {
        BenchChain chain = new BenchChain();
        Answers answers = new Answers(chain);
        Map<String, Integer> methods = new HashMap<>();
        Traffic.Sequence mixed = Calls.mixed(chain);
        for (byte[] body : mixed.bodies()) {
            CallText call = CallText.read(body).get(0);
            methods.merge(call.method(), 1, Integer::sum);
            byte[] result = answers.result(call);
            assertThat(result).as(call.method()).isNotNull();
            assertThat(new String(result, UTF_8)).as("%s", call).isNotEqualTo("null");
        }
        double hundredth = mixed.bodies().size() / 100.0;
        assertThat(methods.get("eth_call") / hundredth).isCloseTo(53, within(2.0));
        assertThat(methods.get("eth_getBlockByNumber") / hundredth).isCloseTo(10, within(2.0));
        assertThat(methods.get("eth_getBalance") / hundredth).isCloseTo(7, within(2.0));
        assertThat(methods.get("eth_chainId") / hundredth).isCloseTo(6, within(2.0));
        assertThat(methods.get("eth_getTransactionReceipt") / hundredth).isCloseTo(6, within(2.0));
        assertThat(methods.get("eth_blockNumber") / hundredth).isCloseTo(4, within(2.0));
    }

    @Test
    void freshCallsAreNeverTheSameAndAllOfOneLength() {
        Set<String> seen = new HashSet<>();
        for (int use = 1; use <= 3; use++) {
            Traffic.Fresh fresh = Calls.fresh(use);
            for (long place : new long[] {0, 1, 15, 16, 255, 4096, 0xabcdef12L}) {
                String body = new String(fresh.body(place), UTF_8);
                assertThat(seen.add(body)).as(body).isTrue();
                assertThat(body).hasSameSizeAs(new String(fresh.body(0), UTF_8));
            }
        }
        assertThat(seen).anyMatch(body -> body.contains("00000002abcdef12"));
    }
}
