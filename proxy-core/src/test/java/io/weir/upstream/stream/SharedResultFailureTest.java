package io.weir.upstream.stream;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.Counter;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.weir.limit.Budget;
import io.weir.testing.NoLeaks;
import io.weir.upstream.FakeStream;
import io.weir.upstream.stream.SharedResult.StreamSharing;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A result that breaks off, or whose clients fail, ends for everybody, and gives back all that it holds. */
@NoLeaks
class SharedResultFailureTest {

    private static final int PIECE = 50_000;

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final EmbeddedChannel otherChannel = new EmbeddedChannel();
    private final Budget budget = new Budget(4_000_000);
    private final FakeStream source = new FakeStream();
    private final List<String> copies = new ArrayList<>();
    private int shuts;
    private final SharedResult result = new SharedResult(
            source,
            "holder",
            channel.eventLoop(),
            new StreamSharing(300_000, TimeUnit.SECONDS.toNanos(5), budget, new Counter()),
            () -> {},
            () -> shuts++);

    private FakeClient join(EmbeddedChannel of) {
        return new FakeClient(result.join(of.eventLoop(), "holder"));
    }

    private void send(int pieces) {
        for (int i = 0; i < pieces; i++) {
            source.receiver().take(Unpooled.wrappedBuffer(new byte[PIECE]));
        }
        source.receiver().flush();
    }

    private void run() {
        for (int i = 0; i < 5; i++) {
            channel.runPendingTasks();
            otherChannel.runPendingTasks();
        }
    }

    @AfterEach
    void everythingIsGivenBack() {
        run();
        assertThat(budget.taken()).isZero();
        assertThat(source.isClosed()).isTrue();
        assertThat(shuts).isPositive();
        assertThat(result.isOpen()).isFalse();
    }

    @Test
    void aResultThatBreaksOffEndsForTheClientsThatAreFarBehindToo() {
        FakeClient first = new FakeClient(result.first());
        FakeClient pausing = join(channel);
        FakeClient late = join(otherChannel);
        run();
        pausing.reader.pause();
        // The other loop does something else meanwhile.
        send(10);
        source.receiver().ended(false);
        assertThat(first.whole).isFalse();
        pausing.reader.resume();
        run();
        assertThat(pausing.whole).isFalse();
        assertThat(late.whole).isFalse();
    }

    @Test
    void aClientThatFailsEvenAtItsEndFailsNeitherTheOthersNorTheSource() {
        FakeClient first = new FakeClient(result.first());
        FakeClient second = join(channel);
        FakeClient third = join(otherChannel);
        run();
        first.fails = true;
        first.failsAtTheEnd = true;
        send(3);
        assertThat(first.whole).isFalse();
        second.failsAtTheEnd = true;
        source.receiver().ended(true);
        run();
        assertThat(second.whole).isTrue();
        assertThat(third.whole).isTrue();
        assertThat(third.got.size()).isEqualTo(3 * PIECE);
    }

    @Test
    void aCopyOfAResultThatBreaksOffIsDroppedHoweverFarItsClientIsBehind() {
        result.first().copyTo(2_000_000, value -> copies.add(String.valueOf(value)));
        FakeClient client = new FakeClient(result.first());
        client.reader.pause();
        send(20);
        source.receiver().ended(false);
        assertThat(copies).containsExactly("null");
        assertThat(budget.taken()).isZero();
        client.reader.close();
    }
}
