package io.weir.jsonrpc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.jsonrpc.text.NameTable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestWriterTest {

    private final RequestWriter writer = new RequestWriter();

    @Test
    void aCallIsSentWithANumberOfTheProxy() {
        assertThat(new String(writer.write(7, "eth_call", RawJson.of("[{},\"latest\"]")), UTF_8))
                .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"eth_call\",\"params\":[{},\"latest\"]}");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 9, 10, 99, 100, 1_234_567_890_123L, Long.MAX_VALUE})
    void anIdIsWrittenInDecimalDigits(long id) {
        assertThat(new String(writer.write(id, "a", null), UTF_8))
                .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"a\",\"params\":[]}");
    }

    @Test
    void absentParamsGoOutAsAnEmptyArray() {
        assertThat(new String(writer.write(0, "eth_chainId", null), UTF_8))
                .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"eth_chainId\",\"params\":[]}");
    }

    @Test
    void aRequestWithAnyMethodNameIsReadBackUnchanged() {
        RequestReader reader = new RequestReader(1, NameTable.EMPTY);
        for (String method : new String[] {"eth_call", "", "a\"b\\c\u0001", "é😀"}) {
            byte[] body = writer.write(Long.MAX_VALUE, method, RawJson.of("{\"a\":1}"));
            assertThat(reader.read(body, 0, body.length))
                    .isEqualTo(new RpcCall(RawJson.of("9223372036854775807"), method, RawJson.of("{\"a\":1}")));
        }
    }
}
