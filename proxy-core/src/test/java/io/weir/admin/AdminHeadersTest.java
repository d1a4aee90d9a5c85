package io.weir.admin;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.util.ReferenceCountUtil;
import org.junit.jupiter.api.Test;

class AdminHeadersTest {

    private static Throwable faultWith(int lines) {
        EmbeddedChannel channel = new EmbeddedChannel(new HttpServerCodec(AdminListener.AdminHeaders.bounded(20)));
        String head = "GET / HTTP/1.1\r\n" + "a: b\r\n".repeat(lines) + "\r\n";
        channel.writeInbound(Unpooled.copiedBuffer(head, US_ASCII));
        HttpRequest request = channel.readInbound();
        Throwable fault = request.decoderResult().cause();
        ReferenceCountUtil.release(request);
        channel.finishAndReleaseAll();
        return fault;
    }

    @Test
    void asManyLinesAsAllowedAreRead() {
        assertThat(faultWith(20)).isNull();
    }

    @Test
    void oneLineMoreIsRejectedWithTheBoundInItsMessage() {
        assertThat(faultWith(21)).hasMessage("headers: too many lines (expected: at most 20)");
    }
}
