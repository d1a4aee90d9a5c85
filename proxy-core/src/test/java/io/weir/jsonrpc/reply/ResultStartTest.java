package io.weir.jsonrpc.reply;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ResultStartTest {

    private static int find(String text) {
        byte[] bytes = text.getBytes(UTF_8);
        return ResultStart.find(bytes, bytes.length);
    }

    @Test
    void theResultIsFoundBehindShortMembersInAnyOrder() {
        String before = " {\"jsonrpc\" : \"2.0\",\"more\":{\"result\":[1]},\"error\":null,\"id\":7, \"result\" : ";
        for (String result : new String[] {"[", "{\"a\"", "\"x"}) {
            assertThat(find(before + result)).isEqualTo(before.length());
        }
        assertThat(find("{\"result\":[")).isEqualTo(10);
    }

    @Test
    void everyBeginningOfAnAnswerSaysLater() {
        String before = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":";
        for (int length = 0; length <= before.length(); length++) {
            assertThat(find(before.substring(0, length)))
                    .as("length %d", length)
                    .isEqualTo(ResultStart.LATER);
        }
    }

    @Test
    void answersThatMustBeCollectedSayNone() {
        for (String text : new String[] {
            "[",
            "x",
            "{}",
            "{\"id\":1}",
            "{\"result\":null",
            "{\"result\":1",
            "{\"result\":true",
            "{\"error\":{\"code\":1},\"result\":[",
            "{\"id\" 1",
            "{\"more\":\"" + "x".repeat(2000) + "\",\"result\":["
        }) {
            assertThat(find(text)).as(text).isEqualTo(ResultStart.NONE);
        }
    }
}
