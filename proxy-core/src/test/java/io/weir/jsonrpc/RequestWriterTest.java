package io.weir.jsonrpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.jsonrpc.text.NameTable;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestWriterTest {

    private final RequestWriter writer = new RequestWriter();

    @Test
    void aCallIsSentWithANumberOfTheProxy() {
        assertThat(writer.write(7, "eth_call", RawJson.of("[{},\"latest\"]")))
                .hasToString("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"eth_call\",\"params\":[{},\"latest\"]}");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 9, 10, 99, 100, 1_234_567_890_123L, Long.MAX_VALUE})
    void anIdIsWrittenInDecimalDigits(long id) {
        assertThat(writer.write(id, "a", null))
                .hasToString("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"a\",\"params\":[]}");
    }

    @Test
    void absentParamsGoOutAsAnEmptyArray() {
        assertThat(writer.write(0, "eth_chainId", null))
                .hasToString("{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"eth_chainId\",\"params\":[]}");
    }

    @Test
    void aRequestWithAnyMethodNameIsReadBackUnchanged() {
        RequestReader reader = new RequestReader(1, NameTable.EMPTY);
        for (String method : new String[] {"eth_call", "", "a\"b\\c\u0001", "é😀"}) {
            RawJson body = writer.write(Long.MAX_VALUE, method, RawJson.of("{\"a\":1}"));
            assertThat(reader.read(body.array(), 0, body.length()))
                    .isEqualTo(new RpcCall(RawJson.of("9223372036854775807"), method, RawJson.of("{\"a\":1}")));
        }
    }

    @Test
    void aBatchCountsItsIdsUpAndAnyTextFollowsALargeOne() {
        RawJson large = RawJson.of("[\"" + "x".repeat(100_000) + "\"]");
        assertThat(writer.write(1, "a", large).length()).isGreaterThan(100_000);
        List<RpcCall> calls =
                List.of(new RpcCall(RawJson.NULL, "a", null), new RpcCall(RawJson.NULL, "b", RawJson.of("[1]")));
        assertThat(writer.writeBatch(9, calls))
                .hasToString("[{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"a\",\"params\":[]},"
                        + "{\"jsonrpc\":\"2.0\",\"id\":10,\"method\":\"b\",\"params\":[1]}]");
        assertThat(writer.write(7, "c", null))
                .hasToString("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"c\",\"params\":[]}");
    }
}
