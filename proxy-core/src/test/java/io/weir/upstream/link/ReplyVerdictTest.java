package io.weir.upstream.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.upstream.NodeOutcome;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ReplyVerdictTest {

    @Test
    void aNullBesideAStatusOfAnErrorIsNoResult() {
        byte[] body = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":null}".getBytes(StandardCharsets.UTF_8);
        assertThat(ReplyVerdict.ofBody(500, body, body.length, 1))
                .isInstanceOfSatisfying(
                        NodeOutcome.Failed.class,
                        failed -> assertThat(failed.toString()).contains("HTTP 500"));
        assertThat(ReplyVerdict.ofBody(200, body, body.length, 1)).isNotInstanceOf(NodeOutcome.Failed.class);
    }
}
