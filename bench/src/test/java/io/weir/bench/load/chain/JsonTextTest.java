package io.weir.bench.load.chain;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class JsonTextTest {

    @Test
    void membersAreCutOutWhateverIsAroundThem() {
        JsonText text = new JsonText(
                " { \"a\" : \"x,}\\\"y\" ,\"method\":\"m\", \"nested\":{\"id\":1,\"b\":[1,{\"id\":2}]},\"id\": 7 } ");

        assertThat(text.member("a")).isEqualTo("\"x,}\\\"y\"");
        assertThat(text.member("nested")).isEqualTo("{\"id\":1,\"b\":[1,{\"id\":2}]}");
        assertThat(text.member("id")).isEqualTo("7");
        assertThat(text.member("none")).isEmpty();
    }

    @Test
    void elementsAreCutOutWhateverIsAroundThem() {
        assertThat(new JsonText("[ 1 ,\"a]\",[2,3] , {\"b\":[]},null]").elements())
                .containsExactly("1", "\"a]\"", "[2,3]", "{\"b\":[]}", "null");
        assertThat(new JsonText("[]").elements()).isEmpty();
    }

    @Test
    void aBatchIsReadAsItsCalls() {
        String body =
                "[{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"method\":\"a\",\"params\":[]},{\"method\":\"b\",\"params\":[1,\"c\"]}]";

        assertThat(CallText.read(body.getBytes(UTF_8)))
                .containsExactly(new CallText("\"x\"", "a", List.of()), new CallText("", "b", List.of("1", "\"c\"")));
    }
}
