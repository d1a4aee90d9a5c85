package io.weir.transport.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.websocketx.ContinuationWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.weir.testing.NoLeaks;
import org.junit.jupiter.api.Test;

@NoLeaks
final class MessageOrderHandlerTest {

    private final EmbeddedChannel channel = new EmbeddedChannel(new WebSocketUpgrade.MessageOrderHandler());

    private ChannelFuture write(Object frame) {
        return channel.writeAndFlush(frame);
    }

    private void assertSent(Object... frames) {
        for (Object frame : frames) {
            assertThat(channel.<Object>readOutbound()).isSameAs(frame);
        }
        assertThat(channel.<Object>readOutbound()).isNull();
    }

    @Test
    void messagesWaitForTheLastFragmentOfAnotherOneAndControlFramesDoNot() {
        TextWebSocketFrame first = new TextWebSocketFrame(false, 0, "a");
        TextWebSocketFrame whole = new TextWebSocketFrame("b");
        TextWebSocketFrame next = new TextWebSocketFrame(false, 0, "c");
        TextWebSocketFrame later = new TextWebSocketFrame("d");
        PingWebSocketFrame ping = new PingWebSocketFrame();
        ContinuationWebSocketFrame last = new ContinuationWebSocketFrame(true, 0, Unpooled.EMPTY_BUFFER);
        write(first);
        ChannelFuture held = write(whole);
        write(next);
        write(later);
        write(ping);
        assertSent(first, ping);
        assertThat(held.isDone()).isFalse();
        write(last);
        assertSent(last, whole, next);
        assertThat(held.isSuccess()).isTrue();
        ContinuationWebSocketFrame end = new ContinuationWebSocketFrame(true, 0, Unpooled.EMPTY_BUFFER);
        write(end);
        assertSent(end, later);
    }

    @Test
    void whatStillWaitsAtTheEndOfTheConnectionFailsAndIsReleased() {
        write(new TextWebSocketFrame(false, 0, "a"));
        TextWebSocketFrame whole = new TextWebSocketFrame("b");
        ChannelFuture held = write(whole);
        channel.releaseOutbound();
        channel.finish();
        assertThat(held.cause()).isNotNull();
        assertThat(whole.refCnt()).isZero();
    }
}
