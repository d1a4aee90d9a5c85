package io.weir.app.differential;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.app.LocalProxy;
import io.weir.app.differential.Answers.Answer;
import io.weir.app.differential.RandomCalls.Call;
import io.weir.testing.AnvilNode;
import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The same calls, sent to a real node directly and through the proxy. */
final class DifferentialIT {

    private static final int BATCH = 100;
    private static final int MAX_SHOWN = 20;

    private static AnvilNode anvil;
    private static LocalProxy weir;
    private static JsonRpcClient node;
    private static JsonRpcClient proxy;
    private static ChainHistory chain;

    private final Set<Deviation> seen = EnumSet.noneOf(Deviation.class);
    private final Set<String> methods = new TreeSet<>();
    private final List<String> differences = new ArrayList<>();
    private int errors;

    @BeforeAll
    static void startNodeAndProxy() {
        anvil = AnvilNode.start();
        node = new JsonRpcClient(anvil.url());
        chain = ChainHistory.build(node);
        weir = LocalProxy.start(ConfigurationText.of("anvil", AnvilNode.CHAIN_ID)
                .upstream("node", anvil.url())
                .text());
        proxy = new JsonRpcClient(weir.url());
    }

    @AfterAll
    static void stopBoth() {
        if (weir != null) {
            weir.close();
        }
        if (anvil != null) {
            anvil.close();
        }
    }

    @Test
    void theProxyAnswersAsTheNodeDoes() {
        assertSameAnswers(3_000, new Random().nextLong());
    }

    @Tag("thorough")
    @Test
    void theProxyAnswersAsTheNodeDoesForLong() {
        assertSameAnswers(50_000, new Random().nextLong());
    }

    private void assertSameAnswers(int count, long seed) {
        RandomCalls calls = new RandomCalls(new Random(seed), chain);
        for (int sent = 0; sent < count && differences.size() < MAX_SHOWN; sent += BATCH) {
            compare(calls);
        }
        assertThat(differences).as("differences with the seed %d", seed).isEmpty();
        assertThat(seen).as("deviations that were met, seed %d", seed).containsExactly(Deviation.values());
        assertThat(methods).as("methods").hasSizeGreaterThan(40);
        assertThat(errors).as("errors among the answers, seed %d", seed).isGreaterThan(count / 20);
    }

    private void compare(RandomCalls calls) {
        List<Call> batch = new ArrayList<>();
        List<String> direct = new ArrayList<>();
        List<String> odd = new ArrayList<>();
        for (int id = 0; id < BATCH; id++) {
            Call call = calls.next();
            batch.add(call);
            direct.add(text(id, call.method(), call.params().normal()));
            odd.add(text(id, call.method(), call.params().odd()));
        }
        Map<Integer, Answer> ofNode = answers(node, direct);
        Map<Integer, Answer> ofProxy = answers(proxy, odd);
        for (int id = 0; id < BATCH; id++) {
            compare(batch.get(id), ofNode.get(id), ofProxy.get(id));
        }
    }

    private static String text(int id, String method, String params) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"" + method + "\",\"params\":" + params + "}";
    }

    private static Map<Integer, Answer> answers(JsonRpcClient client, List<String> calls) {
        Map<Integer, Answer> answers =
                Answers.read(client.post("[" + String.join(",", calls) + "]").body());
        assertThat(answers).hasSize(calls.size());
        return answers;
    }

    private void compare(Call call, Answer ofNode, Answer ofProxy) {
        methods.add(call.method());
        errors += ofNode.code() == null ? 0 : 1;
        if (ofNode.same(ofProxy)) {
            return;
        }
        Arrays.stream(Deviation.values())
                .filter(one -> one.explains(call.method(), ofNode, ofProxy))
                .findFirst()
                .ifPresentOrElse(
                        seen::add,
                        () -> differences.add("%s %s%n  as %s%n  node:  %s%n  proxy: %s"
                                .formatted(
                                        call.method(),
                                        call.params().normal(),
                                        call.params().odd(),
                                        ofNode,
                                        ofProxy)));
    }
}
