package io.weir.app.bytes;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.app.LocalProxy;
import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.JsonRpcSocket;
import io.weir.testing.traffic.BytesNode;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Content that the proxy does not know passes unchanged, to the node and from it. */
final class UntouchedBytesIT {

    private static final String HASH = "\"0x" + "ab".repeat(32) + '"';
    private static final String ADDRESS = "\"0x" + "cd".repeat(20) + '"';
    private static final String IDS = "[\"a\\u0062\",1.50,9007199254740993]";

    private static BytesNode node;
    private static LocalProxy weir;
    private static JsonRpcClient http;
    private static JsonRpcSocket socket;

    @BeforeAll
    static void start() {
        node = BytesNode.start();
        weir = LocalProxy.start(
                ConfigurationText.of("main", "1").upstream("node", node.url()).text());
        http = new JsonRpcClient(weir.url());
        socket = JsonRpcSocket.connect(weir.socketUrl());
    }

    @AfterAll
    static void stop() {
        if (socket != null) {
            socket.close();
        }
        if (weir != null) {
            weir.close();
        }
        if (node != null) {
            node.close();
        }
    }

    static Stream<String> results() {
        return Stream.of(
                "null",
                "\"\"",
                "[ ]",
                "{\n\t\r }",
                "{ \"a\" : 1 ,\"a\":2 , \"\\u0061\":3}",
                "[1E+2,1e2,100.0,-0,-0.0,0e0,1.000000000000000000000000001]",
                "123456789012345678901234567890123456789012345678901234567890",
                "-1.5e-99999",
                "\"\\u00e9\\ud83d\\ude00 \u00e9\ud83d\ude00\\/ \\u0000\\u001f\u2028\"",
                "\"half a pair: \\ud83d\"",
                "{\"\u4e16\u754c\":{\"number\":\"0X01\",\"future\\tField\":[true,false,null]}}",
                "[".repeat(1000) + "1" + "]".repeat(1000),
                "{\"a\":".repeat(1000) + "[ 1 , 2 ]" + "}".repeat(1000),
                "\"" + "\u00e9\\u00E9".repeat(20_000) + "\"",
                "{\"id\":7,\"result\":1,\"error\":{\"code\":3},\"jsonrpc\":\"1.0\"}");
    }

    @ParameterizedTest
    @MethodSource("results")
    void aResultArrivesAsItWasWritten(String result) {
        for (String call : List.of("\"method\":\"x_future\"", "\"method\":\"eth_config\"")) {
            for (String around : List.of("", " \r\n\t")) {
                node.says("\"result\"" + around + ":" + around + result + around);
                assertArrives(call, "\"result\":" + result);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{ \"a\" : [1E+2, -0 ] , \"\\u0062\":\"\\u00e9 \u00e9\" }",
                "[ 1.0 ]",
                "\"0xAB\"",
                "\"plain words\"",
                "12345678901234567890.00"
            })
    void anErrorsDataArrivesAsItWasWritten(String data) {
        node.says("\"error\":{\"data\": " + data + " ,\"extra\":1,\"message\":\"no such thing\",\"code\":-32000}");
        assertArrives(
                "\"method\":\"x_future\"",
                "\"error\":{\"code\":-32000,\"message\":\"no such thing\",\"data\":" + data + "}");
    }

    private static void assertArrives(String call, String outcome) {
        String start = "{\"jsonrpc\":\"2.0\",\"id\":";
        String single = start + "\"\\u0061\"," + call + "}";
        String answer = start + "\"\\u0061\"," + outcome + "}";
        StringBuilder batch = new StringBuilder();
        StringBuilder answers = new StringBuilder();
        for (String id : IDS.substring(1, IDS.length() - 1).split(",")) {
            batch.append(batch.isEmpty() ? "[" : ",")
                    .append(start)
                    .append(id)
                    .append(",")
                    .append(call)
                    .append("}");
            answers.append(answers.isEmpty() ? "[" : ",")
                    .append(start)
                    .append(id)
                    .append(",")
                    .append(outcome)
                    .append("}");
        }
        assertThat(http.post(single).body()).isEqualTo(answer);
        assertThat(http.post(batch + "]").body()).isEqualTo(answers + "]");
        socket.send(single);
        assertThat(socket.await()).isEqualTo(answer);
        socket.send(batch + "]");
        assertThat(socket.await()).isEqualTo(answers + "]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[]",
                "[ 1E+2 , -0, 1.000 ,\"0XAB\", \"\\u0041\\/\u00e9\ud83d\ude00\" ]",
                "{ \"by\" : \"name\" , \"\\u0061\":[ ] , \"\u00e9\":{ } }",
                "[{\"a\":null}, null , [ [ ] ]]",
                "[123456789012345678901234567890]"
            })
    void parametersOfAMethodThatNobodyKnowsReachTheNodeAsTheyWereWritten(String params) {
        assertReaches("x_future", params, params);
    }

    @Test
    void parametersNestedAsDeepAsMayBeReachTheNode() {
        String params = "[".repeat(60) + "{ }" + "]".repeat(60);
        assertReaches("x_future", params, params);
    }

    @Test
    void membersOfACallObjectThatNobodyKnowsReachTheNodeAsTheyWereWritten() {
        String others = "\"fut\\u0075re\":{ \"a\" : 1e0,\"b\":[ null ] },\"\u00e9\":-0.0,\"x\":\"0XAB\"";
        String earliest = ",\"earliest\"]";
        for (String method : List.of("eth_call", "eth_estimateGas", "eth_createAccessList")) {
            assertReaches(
                    method,
                    "[{\"to\":" + ADDRESS + "," + others + "}" + earliest,
                    "[{\"to\":" + ADDRESS + "," + others + "}" + earliest);
            assertReaches(
                    method,
                    "[ { " + others + " , \"to\":" + "\"0x" + "CD".repeat(20) + "\"" + "}" + earliest,
                    "[{\"to\":" + ADDRESS + "," + others + "}" + earliest);
        }
    }

    @Test
    void membersOfOtherObjectsThatNobodyKnowsReachTheNodeAsTheyWereWritten() {
        assertReaches(
                "eth_getLogs",
                "[{\"limit\" : 1e1 , \"fromBlock\":\"0x01\",\"toBlock\":\"0x2\"}]",
                "[{\"fromBlock\":\"0x1\",\"toBlock\":\"0x2\",\"limit\":1e1}]");
        assertReaches(
                "eth_getBalance",
                "[" + ADDRESS + ",{\"blockHash\":" + HASH + ",\"depth\":[ 1 ]}]",
                "[" + ADDRESS + ",{\"blockHash\":" + HASH + ",\"depth\":[ 1 ]}]");
        assertReaches(
                "eth_call",
                "[{},\"earliest\",{" + ADDRESS + ":{\"future\":{ }}},{\"beacon\\u0052oot\" : 1.0}]",
                "[{},\"earliest\",{" + ADDRESS + ":{\"future\":{ }}},{\"beacon\\u0052oot\":1.0}]");
    }

    private static void assertReaches(String method, String params, String expected) {
        String outcome = switch (method) {
            // A list would be kept.
            case "eth_getLogs" -> "\"error\":{\"code\":3,\"message\":\"execution reverted\"}";
            case "eth_createAccessList" -> "\"result\":{\"gasUsed\":\"0x1\"}";
            case "x_future" -> "\"result\":true";
            default -> "\"result\":\"0x1\"";
        };
        node.says(outcome);
        String call = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + method + "\",\"params\":" + params + "}";
        int before = node.requests().size();
        String answer = "{\"jsonrpc\":\"2.0\",\"id\":1," + outcome + "}";
        // Each waits for the answer of the one before: equal calls that are under way together reach the node as one.
        assertThat(http.post(call).body()).isEqualTo(answer);
        assertThat(http.post("[" + call + "]").body()).isEqualTo("[" + answer + "]");
        socket.send(call);
        assertThat(socket.await()).isEqualTo(answer);
        socket.send("[" + call + "]");
        assertThat(socket.await()).isEqualTo("[" + answer + "]");
        // A call about a fixed block may still share the answer of the one before.
        assertThat(node.requests().subList(before, node.requests().size()))
                .hasSizeBetween(3, 4)
                .allSatisfy(request -> assertThat(request).endsWith("\"params\":" + expected + "}"));
    }
}
