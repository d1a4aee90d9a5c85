package io.weir.upstream.stream;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.testing.NoLeaks;
import io.weir.upstream.FakeStream;
import io.weir.upstream.ResultStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Results of a batch that go on one after the other. */
@NoLeaks
class BatchStreamTest {

    private static final RpcReply STREAMED = RpcReply.Streamed.RESULT;

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final OneStreamed batch = new OneStreamed();
    private final Client client = new Client();
    private final BatchStream stream =
            new BatchStream(List.of(RawJson.of("1"), RawJson.of("2")), channel.eventLoop(), batch);

    /** A batch whose first result streams. Confined to one thread. */
    private static final class OneStreamed implements BatchStream.Batch {
        private final List<String> events = new ArrayList<>();
        private Runnable goingOn = () -> {};

        @Override
        public @Nullable RpcReply reply(int place) {
            return place == 0 ? STREAMED : null;
        }

        @Override
        public void passedOn(RpcReply reply) {}

        @Override
        public void streamed(int bytes) {}

        @Override
        public void streamEnded() {
            events.add("stream ended");
        }

        @Override
        public void goOn() {
            goingOn.run();
        }

        @Override
        public void closed() {
            events.add("closed");
        }
    }

    /** A client. Confined to one thread. */
    private static final class Client implements ResultStream.Receiver {
        private final StringBuilder text = new StringBuilder();

        @Override
        public void take(ByteBuf bytes) {
            text.append(bytes.toString(US_ASCII));
            bytes.release();
        }

        @Override
        public void flush() {}

        @Override
        public void ended(boolean whole) {
            text.append(whole ? "." : "!");
        }
    }

    @AfterEach
    void close() {
        stream.close();
        channel.finishAndReleaseAll();
    }

    @Test
    void noOtherResultMayGoOnBeforeTheEndOfTheFirstHasGoneOut() {
        FakeStream first = new FakeStream();
        stream.stream(first);
        stream.begin(client);
        channel.runPendingTasks();
        stream.pause();
        first.receiver().take(Unpooled.copiedBuffer("\"a\"", US_ASCII));
        first.receiver().ended(true);
        channel.runPendingTasks();
        assertThat(batch.events).isEmpty();

        stream.resume();
        channel.runPendingTasks();
        assertThat(client.text).hasToString("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"a\"}");
        assertThat(first.isClosed()).isTrue();
        assertThat(batch.events).containsExactly("stream ended");
    }

    @Test
    void theBatchGoesOnBeforeItsEndBecauseNotificationsMayWaitBehindTheLastReply() {
        FakeStream only = new FakeStream();
        batch.goingOn = () -> client.text.append('+');
        BatchStream single = new BatchStream(List.of(RawJson.of("1")), channel.eventLoop(), batch);
        single.stream(only);
        single.begin(client);
        only.receiver().take(Unpooled.copiedBuffer("\"a\"", US_ASCII));
        only.receiver().ended(true);
        channel.runPendingTasks();
        assertThat(client.text).hasToString("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"a\"}+.");
        single.close();
    }
}
