package io.weir.jsonrpc.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NameTableTest {

    @Test
    void aKnownNameIsTheVeryStringThatWasPutIn() {
        List<String> names =
                IntStream.range(0, 500).mapToObj(i -> "eth_method" + i).toList();
        NameTable table = NameTable.of(names);
        assertThat(names).allSatisfy(name -> {
            byte[] text = ("\"" + name + "\"").getBytes(UTF_8);
            assertThat(table.find(text, 1, text.length - 1)).isSameAs(name);
        });
    }

    @Test
    void anUnknownNameIsNull() {
        NameTable table = NameTable.of(List.of("eth_call", "eth_chainId", "AaAa", "é"));
        byte[] text = "eth_callx".getBytes(UTF_8);
        assertThat(table.find(text, 0, text.length)).isNull();
        assertThat(table.find(text, 0, text.length - 1)).isEqualTo("eth_call");
        assertThat(table.find(text, 0, 0)).isNull();
        // The same hash as AaAa.
        assertThat(table.find("BBBB".getBytes(UTF_8), 0, 4)).isNull();
        assertThat(table.find("é".getBytes(UTF_8), 0, 2)).isEqualTo("é");
    }

    @Test
    void aTableOfNothingKnowsNothing() {
        assertThat(NameTable.EMPTY.find(new byte[] {'a'}, 0, 1)).isNull();
    }
}
