package io.weir.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.testing.NoLeaks;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The examples of the JSON-RPC 2.0 specification, section 7, retyped. The words of an error's message are the server's own;
 * all else must be as the specification shows.
 */
@NoLeaks
class SpecificationExamplesIT {

    private static final JsonMapper MAPPER = new JsonMapper();
    private static final String INVALID =
            "{'jsonrpc':'2.0','error':{'code':-32600,'message':'Invalid Request'},'id':null}";
    private static final String UNREADABLE =
            "{'jsonrpc':'2.0','error':{'code':-32700,'message':'Parse error'},'id':null}";

    private TestProxy proxy;

    /** A request and its answer; empty if there is no answer. */
    record Example(String request, String response) {}

    static List<Example> examples() {
        return List.of(
                new Example(
                        "{'jsonrpc':'2.0','method':'subtract','params':[42,23],'id':1}",
                        "{'jsonrpc':'2.0','result':19,'id':1}"),
                new Example(
                        "{'jsonrpc':'2.0','method':'subtract','params':[23,42],'id':2}",
                        "{'jsonrpc':'2.0','result':-19,'id':2}"),
                new Example(
                        "{'jsonrpc':'2.0','method':'subtract','params':{'subtrahend':23,'minuend':42},'id':3}",
                        "{'jsonrpc':'2.0','result':19,'id':3}"),
                new Example(
                        "{'jsonrpc':'2.0','method':'subtract','params':{'minuend':42,'subtrahend':23},'id':4}",
                        "{'jsonrpc':'2.0','result':19,'id':4}"),
                new Example("{'jsonrpc':'2.0','method':'update','params':[1,2,3,4,5]}", ""),
                new Example("{'jsonrpc':'2.0','method':'foobar'}", ""),
                new Example(
                        "{'jsonrpc':'2.0','method':'foobar','id':'1'}",
                        "{'jsonrpc':'2.0','error':{'code':-32601,'message':'Method not found'},'id':'1'}"),
                new Example("{'jsonrpc':'2.0','method':'foobar,'params':'bar','baz]", UNREADABLE),
                new Example("{'jsonrpc':'2.0','method':1,'params':'bar'}", INVALID),
                new Example(
                        "[{'jsonrpc':'2.0','method':'sum','params':[1,2,4],'id':'1'},{'jsonrpc':'2.0','method'",
                        UNREADABLE),
                new Example("[]", INVALID),
                new Example("[1]", "[" + INVALID + "]"),
                new Example("[1,2,3]", "[" + INVALID + "," + INVALID + "," + INVALID + "]"),
                new Example(
                        "[{'jsonrpc':'2.0','method':'sum','params':[1,2,4],'id':'1'},"
                                + "{'jsonrpc':'2.0','method':'notify_hello','params':[7]},"
                                + "{'jsonrpc':'2.0','method':'subtract','params':[42,23],'id':'2'},{'foo':'boo'},"
                                + "{'jsonrpc':'2.0','method':'foo.get','params':{'name':'myself'},'id':'5'},"
                                + "{'jsonrpc':'2.0','method':'get_data','id':'9'}]",
                        "[{'jsonrpc':'2.0','result':7,'id':'1'},{'jsonrpc':'2.0','result':19,'id':'2'}," + INVALID
                                + ",{'jsonrpc':'2.0','error':{'code':-32601,'message':'Method not found'},'id':'5'},"
                                + "{'jsonrpc':'2.0','result':['hello',5],'id':'9'}]"),
                new Example(
                        "[{'jsonrpc':'2.0','method':'notify_sum','params':[1,2,4]},"
                                + "{'jsonrpc':'2.0','method':'notify_hello','params':[7]}]",
                        ""));
    }

    @BeforeEach
    void start() throws Exception {
        proxy = new TestProxy();
        proxy.runner
                .on("subtract", SpecificationExamplesIT::subtract)
                .on("sum", call -> {
                    int sum = 0;
                    for (JsonNode number : params(call)) {
                        sum += number.intValue();
                    }
                    return RawJson.of(Integer.toString(sum));
                })
                .on("get_data", call -> RawJson.of("[\"hello\",5]"))
                .on("update", call -> RawJson.NULL)
                .on("notify_hello", call -> RawJson.NULL)
                .on("notify_sum", call -> RawJson.NULL);
    }

    @AfterEach
    void stop() {
        proxy.close();
    }

    @Test
    void allOfThemAreHere() {
        assertThat(examples()).hasSize(15);
    }

    @ParameterizedTest
    @MethodSource("examples")
    void overHttp(Example example) throws Exception {
        try (RawConnection connection = new RawConnection(proxy)) {
            connection.send(RawConnection.post("/v3/" + TestProxy.KEY, quoted(example.request())));
            RawConnection.Answer answer = connection.read();
            if (example.response().isEmpty()) {
                assertThat(answer.status()).isEqualTo(204);
                assertThat(answer.body()).isEmpty();
            } else {
                assertThat(answer.status()).isEqualTo(200);
                assertThat(compared(answer.body())).isEqualTo(compared(quoted(example.response())));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("examples")
    void overWebSocket(Example example) throws Exception {
        try (RawWebSocket socket = new RawWebSocket(proxy, "/ws/v3/" + TestProxy.KEY)) {
            socket.text(quoted(example.request()));
            if (example.response().isEmpty()) {
                // The answer to what comes next is the first that comes.
                socket.text("{\"jsonrpc\":\"2.0\",\"id\":\"next\",\"method\":\"get_data\"}");
                assertThat(socket.read().text()).contains("\"id\":\"next\"");
            } else {
                assertThat(compared(socket.read().text())).isEqualTo(compared(quoted(example.response())));
            }
        }
    }

    private static RawJson subtract(RpcCall call) {
        JsonNode params = params(call);
        JsonNode minuend = params.isArray() ? params.get(0) : params.get("minuend");
        JsonNode subtrahend = params.isArray() ? params.get(1) : params.get("subtrahend");
        return RawJson.of(Integer.toString(minuend.intValue() - subtrahend.intValue()));
    }

    private static JsonNode params(RpcCall call) {
        return MAPPER.readTree(String.valueOf(call.params()));
    }

    /** The examples are written with single quotes, to be read. */
    private static String quoted(String text) {
        return text.replace('\'', '"');
    }

    /** A tree without the words of messages. */
    private static JsonNode compared(String json) {
        JsonNode tree = MAPPER.readTree(json);
        for (JsonNode error : tree.findValues("error")) {
            assertThat(error.get("message").isString()).isTrue();
            ((ObjectNode) error).put("message", "");
        }
        return tree;
    }
}
