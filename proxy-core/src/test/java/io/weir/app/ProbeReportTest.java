package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.app.ProbeReport.Node;
import io.weir.testing.NetworkSettings;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class ProbeReportTest {

    private static Node node(String id, long head) {
        Node node = new Node(id);
        node.facts().put("chainId", "1");
        node.facts().put("head", head);
        node.facts().put("blocksBehind", null);
        return node;
    }

    private static ProbeReport report(Node... nodes) {
        return new ProbeReport("net", "ethereum", "1", List.of(nodes));
    }

    private static String printed(ProbeReport report) {
        StringWriter text = new StringWriter();
        report.print(new PrintWriter(text));
        return text.toString();
    }

    @Test
    void eachFactOfANodeIsALineWithItsNote() {
        Node first = node("first", 1_000);
        first.facts().put("stateAtBlock1", true);
        first.facts().put("proof", false);
        first.note("debugTrace", "rate limited: HTTP 429");
        first.facts().put("batch", 10);
        first.note("batch", "20 refused: too many");
        Node second = new Node("b");
        second.note("chainId", "no connection");
        second.problems().add("no chain id: no connection");
        ProbeReport report = report(first, second);
        report.compare(8);
        assertThat(report.isGood()).isFalse();
        assertThat(printed(report)).isEqualTo("""
                network net: chain 1
                  node first
                    chain id                  1
                    head                      1000
                    blocks behind             0
                    state at block 1          yes
                    proof                     no
                    debug trace               ?; rate limited: HTTP 429
                    batch                     10; 20 refused: too many
                  node b
                    chain id                  ?; no connection
                problem: net.b: no chain id: no connection
                """);
    }

    @Test
    void aNodeOfTheChainIsComparedWithTheHighestOne() {
        Node best = node("best", 1_008);
        Node near = node("near", 1_000);
        Node behind = node("behind", 999);
        Node other = node("other", 5_000);
        other.problems().add("chain id 5 (expected: 1)");
        report(best, near, behind, other).compare(8);
        assertThat(best.facts()).containsEntry("blocksBehind", 0L);
        assertThat(near.facts()).containsEntry("blocksBehind", 8L);
        assertThat(near.problems()).isEmpty();
        assertThat(behind.problems()).containsExactly("9 blocks behind (expected: at most 8, as health.max-lag)");
        assertThat(other.facts()).containsEntry("blocksBehind", null);
    }

    @Test
    void jsonHasTheFactsByName() {
        Node node = node("a", 7);
        node.note("proof", "an error");
        assertThat(new JsonMapper().writeValueAsString(report(node)))
                .isEqualTo(
                        "{\"name\":\"net\",\"kind\":\"ethereum\",\"chainId\":\"1\",\"nodes\":[{\"id\":\"a\",\"facts\":"
                                + "{\"chainId\":\"1\",\"head\":7,\"blocksBehind\":null,\"proof\":null},"
                                + "\"notes\":{\"proof\":\"an error\"},\"problems\":[]}]}");
    }

    @Test
    void textsOfANodeComeWithoutItsAddressItsCredentialsAndControlCharacters() throws Exception {
        ProbeClient client =
                new ProbeClient(NetworkSettings.of("net", """
                upstreams.a { url = "http://provider.example/v2/k3yOfTheProvider42", headers { Authorization = "Bearer t0kenOfHeader" } }
                """).upstreams().get("a"));
        for (String secret : List.of(
                "http://provider.example/v2/k3yOfTheProvider42",
                "no such project: K3YOFTHEPROVIDER42",
                "provider.example is busy",
                "token t0kenOfHeader is over")) {
            assertThat(client.shown(secret)).as(secret).isEqualTo("internal error");
        }
        assertThat(client.shown("Geth/v1\u001b[31m\nx")).isEqualTo("Geth/v1\ufffd[31m x");
        assertThat(client.shown("y".repeat(500))).hasSize(161).endsWith("…");
    }
}
