package io.weir.transport.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ReadPauseHandlerTest {

    private final ReadPauseHandler pause = new ReadPauseHandler();
    private final EmbeddedChannel channel = new EmbeddedChannel(pause);

    @Test
    void messagesAreHeldWhileThereIsAReasonAndGoOnInOrder() {
        pause.pause(ReadPauseHandler.Cause.IN_FLIGHT);
        pause.pause(ReadPauseHandler.Cause.ENDING);
        channel.writeInbound(1, 2, 3);
        pause.resume(ReadPauseHandler.Cause.ENDING);
        assertThat(channel.config().isAutoRead()).isFalse();
        assertThat(channel.<Integer>readInbound()).isNull();
        pause.resume(ReadPauseHandler.Cause.IN_FLIGHT);
        assertThat(channel.config().isAutoRead()).isTrue();
        assertThat(channel.<Integer>readInbound()).isEqualTo(1);
        assertThat(channel.<Integer>readInbound()).isEqualTo(2);
        assertThat(channel.<Integer>readInbound()).isEqualTo(3);
    }

    @Test
    void aMessageThatContinuesMayStopThoseAfterIt() {
        StringBuilder seen = new StringBuilder();
        channel.pipeline().addLast(new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext ctx, Object message) {
                seen.append(message);
                pause.pause(ReadPauseHandler.Cause.IN_FLIGHT);
                if (message.equals(3)) {
                    // Answered at once: there and back within the replay.
                    pause.resume(ReadPauseHandler.Cause.IN_FLIGHT);
                }
            }
        });
        channel.writeInbound(1, 2, 3, 4);
        assertThat(seen).hasToString("1");
        pause.resume(ReadPauseHandler.Cause.IN_FLIGHT);
        assertThat(seen).hasToString("12");
        pause.resume(ReadPauseHandler.Cause.IN_FLIGHT);
        assertThat(seen).hasToString("1234");
        assertThat(channel.config().isAutoRead()).isFalse();
        assertThat(pause.holdsMessages()).isFalse();
    }

    @Test
    void aMessageThatArrivesDuringAReplayGoesBehindThoseThatAreHeld() {
        StringBuilder seen = new StringBuilder();
        channel.pipeline().addLast(new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext ctx, Object message) {
                seen.append(message);
                if (message.equals(1)) {
                    channel.pipeline().fireChannelRead(3);
                }
            }
        });
        pause.pause(ReadPauseHandler.Cause.IN_FLIGHT);
        channel.writeInbound(1, 2);
        pause.resume(ReadPauseHandler.Cause.IN_FLIGHT);
        assertThat(seen).hasToString("123");
    }

    @Test
    void messagesWaitWhileThereIsAReasonOrOneIsHeldAndTheEndOfThatIsToldOnce() {
        AtomicInteger ends = new AtomicInteger();
        pause.whenNothingIsHeld(ends::incrementAndGet);
        channel.pipeline().addLast(new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext ctx, Object message) {
                assertThat(pause.isWaiting()).isEqualTo(message.equals(1));
            }
        });
        assertThat(pause.isWaiting()).isFalse();
        pause.pause(ReadPauseHandler.Cause.IN_FLIGHT);
        assertThat(pause.isWaiting()).isTrue();
        channel.writeInbound(1, 2);
        pause.resume(ReadPauseHandler.Cause.IN_FLIGHT);
        assertThat(ends).hasValue(1);
        pause.pause(ReadPauseHandler.Cause.IN_FLIGHT);
        channel.writeInbound(1);
        pause.discard();
        pause.discard();
        assertThat(ends).hasValue(2);
    }

    @Test
    void heldMessagesAreReleasedWhenTheConnectionEnds() {
        ByteBuf message = Unpooled.buffer().writeByte(1);
        pause.pause(ReadPauseHandler.Cause.IN_FLIGHT);
        channel.writeInbound(message);
        assertThat(message.refCnt()).isEqualTo(1);
        channel.close();
        assertThat(message.refCnt()).isZero();
    }
}
