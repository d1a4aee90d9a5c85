package io.weir.app.reload;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.traffic.ScriptedAnswers;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A network that a reload replaced, and that has not answered everything yet. */
final class FinishingNetworkIT {

    /** As a batch of many calls may, too. */
    @Test
    void aResultThatStreamsForLongerThanACallMayTakeEndsAtItsReplacedNetwork() throws Exception {
        String times = "server { call-timeout = 1 s, request-timeout = 1 s, drain = 1 s }";
        byte[] result = ScriptedAnswers.result(1, 1_500_000);
        CountDownLatch rest = new CountDownLatch(1);
        ScriptedAnswers.Script script = (call, out) -> {
            byte[] body = ScriptedAnswers.body(call, result);
            out.write(ScriptedAnswers.head("Content-Length: " + body.length));
            out.write(body, 0, body.length / 2);
            awaitLatch(rest);
            out.write(body, body.length / 2, body.length - body.length / 2);
        };
        try (ScriptedAnswers node = new ScriptedAnswers(script);
                ReloadedProxy proxy = new ReloadedProxy(streaming(node, times).text())) {
            CompletableFuture<HttpResponse<String>> answer =
                    proxy.client("/v3/demo").postLater(JsonRpcClient.call("trace_filter", Map.of()));
            await().until(() -> proxy.weir().admin().metric("weir_streams_in_flight") == 1);
            proxy.reload(streaming(node, times)
                    .setting("networks.testnet { upstreams.node.weight = 2, health.max-lag = 20 }")
                    .text());
            await().during(Duration.ofSeconds(3))
                    .until(() -> proxy.weir().admin().metric("weir_finishing_networks") == 1);
            rest.countDown();
            assertThat(answer.get(1, TimeUnit.MINUTES).body()).contains(new String(result, UTF_8));
            await().until(() -> proxy.weir().admin().metric("weir_finishing_networks") == 0);
        } finally {
            rest.countDown();
        }
    }

    private static ConfigurationText streaming(ScriptedAnswers node, String times) {
        return ConfigurationText.of("testnet", "1")
                .setting(ReloadedProxy.TOKEN)
                .setting(times)
                .upstream("node", node.url());
    }

    private static void awaitLatch(CountDownLatch latch) throws IOException {
        try {
            assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }
}
