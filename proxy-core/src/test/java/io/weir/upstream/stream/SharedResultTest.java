package io.weir.upstream.stream;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.Counter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import io.weir.jsonrpc.RawJson;
import io.weir.limit.Budget;
import io.weir.testing.NoLeaks;
import io.weir.upstream.FakeStream;
import io.weir.upstream.stream.SharedResult.PieceLog;
import io.weir.upstream.stream.SharedResult.StreamSharing;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One result that goes on to several clients and to the cache. */
@NoLeaks
class SharedResultTest {

    private static final int PIECE = 50_000;
    private static final int WINDOW = 300_000;

    private final MockTicker ticker = Ticker.newMockTicker();
    private final EmbeddedChannel channel =
            EmbeddedChannel.builder().ticker(ticker).build();
    private final EmbeddedChannel otherChannel =
            EmbeddedChannel.builder().ticker(ticker).build();
    private final Counter cuts = new Counter();
    private final Budget budget = new Budget(4_000_000);
    private final FakeStream source = new FakeStream();
    private final List<String> copies = new ArrayList<>();
    private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
    private final Random random = new Random(1);
    private boolean copied;
    private int shuts;
    private int visible;
    private @Nullable SharedResult made;

    private SharedResult result() {
        StreamSharing sharing = new StreamSharing(WINDOW, TimeUnit.SECONDS.toNanos(5), budget, cuts);
        made = new SharedResult(source, "holder", channel.eventLoop(), sharing, () -> visible++, () -> shuts++);
        return made;
    }

    private void copyUpTo(SharedResult result, int bytes) {
        result.first().copyTo(bytes, value -> copies.add(value == null ? "none" : value.toString()));
    }

    private void send(int pieces) {
        for (int i = 0; i < pieces; i++) {
            byte[] piece = new byte[PIECE];
            for (int at = 0; at < PIECE; at++) {
                piece[at] = (byte) ('a' + random.nextInt(26));
            }
            sent.writeBytes(piece);
            // As from a socket, or as one that must be copied.
            ByteBuf given = copied && i % 2 == 1
                    ? Unpooled.wrappedBuffer(piece)
                    : PooledByteBufAllocator.DEFAULT.directBuffer(PIECE).writeBytes(piece);
            source.receiver().take(given);
            run();
        }
        source.receiver().flush();
    }

    private void end(boolean valid) {
        source.receiver().ended(valid);
        run();
    }

    private void run() {
        for (int i = 0; i < 5; i++) {
            channel.runPendingTasks();
            otherChannel.runPendingTasks();
        }
    }

    private void pause(FakeClient client) {
        client.reader.pause();
        run();
    }

    private void resume(FakeClient client) {
        client.reader.resume();
        run();
    }

    private void assertWhole(FakeClient client) {
        assertThat(client.whole).isTrue();
        assertThat(client.got.toByteArray()).isEqualTo(sent.toByteArray());
    }

    @AfterEach
    void everythingIsGivenBack() {
        assertThat(budget.taken()).isZero();
        assertThat(source.isClosed()).isTrue();
        assertThat(shuts).isPositive();
        assertThat(requireNonNull(made).isOpen()).isFalse();
    }

    @Test
    void aResultIsCollectedWhileItGoesOn() {
        SharedResult result = result();
        copyUpTo(result, 2_000_000);
        FakeClient client = new FakeClient(result.first());
        send(30);
        assertThat(client.got.size()).as("before the end").isEqualTo(30 * PIECE);
        assertThat(budget.taken()).isGreaterThanOrEqualTo(30 * PIECE);
        assertThat(copies).isEmpty();
        end(true);
        assertWhole(client);
        assertThat(copies).containsExactly(sent.toString(US_ASCII));
        assertThat(visible).isEqualTo(1);
    }

    @Test
    void whatIsLargerThanTheCacheTakesIsDroppedAtOnceAndGoesOn() {
        SharedResult result = result();
        copyUpTo(result, 20 * PIECE);
        FakeClient client = new FakeClient(result.first());
        send(20);
        assertThat(copies).isEmpty();
        send(1);
        assertThat(copies).containsExactly("none");
        assertThat(budget.taken()).isZero();
        assertThat(shuts).isEqualTo(1);
        send(50);
        assertThat(budget.taken()).isZero();
        end(true);
        assertWhole(client);
        assertThat(copies).hasSize(1);
    }

    @Test
    void whatIsTakenIsDroppedHoweverItWasKept() {
        FakeClient client = new FakeClient(result().first());
        copied = true;
        send(100);
        assertThat(budget.taken()).isLessThanOrEqualTo(2 * PieceLog.CHUNK_BYTES);
        end(true);
        assertWhole(client);
    }

    @Test
    void nothingIsCollectedBeyondTheBudget() {
        SharedResult result = result();
        copyUpTo(result, Integer.MAX_VALUE);
        FakeClient client = new FakeClient(result.first());
        send(100);
        assertThat(copies).containsExactly("none");
        assertThat(budget.taken()).isZero();
        end(true);
        assertWhole(client);
    }

    @Test
    void aResultThatBreaksOffIsNotStored() {
        SharedResult result = result();
        copyUpTo(result, 2_000_000);
        FakeClient client = new FakeClient(result.first());
        FakeClient second = new FakeClient(result.join(otherChannel.eventLoop(), "holder"));
        send(3);
        end(false);
        assertThat(copies).containsExactly("none");
        assertThat(client.whole).isFalse();
        assertThat(second.whole).isFalse();
    }

    @Test
    void aSlowClientDoesNotHoldTheNodeWhileTheResultIsCollected() {
        SharedResult result = result();
        copyUpTo(result, 2_000_000);
        FakeClient slow = new FakeClient(result.first());
        pause(slow);
        send(30);
        assertThat(source.isPaused()).isFalse();
        end(true);
        assertThat(copies).containsExactly(sent.toString(US_ASCII));
        assertThat(slow.whole).isNull();
        resume(slow);
        assertWhole(slow);
    }

    @Test
    void aClientThatIsAloneHoldsTheNodeOnceNothingIsKept() {
        SharedResult result = result();
        FakeClient client = new FakeClient(result.first());
        send(30);
        pause(client);
        assertThat(source.isPaused()).isTrue();
        assertThat(budget.taken()).isZero();
        resume(client);
        assertThat(source.isPaused()).isFalse();
        send(2);
        end(true);
        assertWhole(client);
    }

    @Test
    void clientsJoinWithinTheWindowAndEachGetsAll() {
        SharedResult result = result();
        FakeClient first = new FakeClient(result.first());
        send(3);
        FakeClient second = new FakeClient(result.join(otherChannel.eventLoop(), "holder"));
        FakeClient third = new FakeClient(result.join(channel.eventLoop(), "holder"));
        run();
        assertThat(second.got.size()).isEqualTo(3 * PIECE);
        send(4);
        assertThat(result.isOpen()).isFalse();
        assertThat(result.join(channel.eventLoop(), "holder")).isNull();
        send(40);
        end(true);
        assertWhole(first);
        assertWhole(second);
        assertWhole(third);
    }

    @Test
    void whatAClientTookIsFlushedAlsoOnAnotherLoop() {
        SharedResult result = result();
        FakeClient first = new FakeClient(result.first());
        FakeClient second = new FakeClient(result.join(otherChannel.eventLoop(), "holder"));
        run();
        first.flushes = 0;
        second.flushes = 0;
        send(1);
        assertThat(first.flushes).isPositive();
        assertThat(second.flushes).isPositive();
        end(true);
    }

    @Test
    void noClientJoinsWhereTheBudgetIsSpent() {
        SharedResult result = result();
        FakeClient first = new FakeClient(result.first());
        budget.take(budget.max());
        assertThat(result.join(channel.eventLoop(), "holder")).isNull();
        budget.give(budget.max());
        end(true);
        assertWhole(first);
    }

    @Test
    void noClientJoinsWhoseHolderHasItsShare() {
        SharedResult result = result();
        FakeClient first = new FakeClient(result.first());
        budget.share("other").tryTake(3_700_000);
        assertThat(result.join(channel.eventLoop(), "other")).isNull();
        FakeClient second = new FakeClient(result.join(channel.eventLoop(), "holder"));
        budget.share("other").give(3_700_000);
        end(true);
        assertWhole(first);
        assertWhole(second);
    }

    @Test
    void aSlowClientHoldsTheOthersUpToTheWindowAndIsCutOffInTheEnd() {
        SharedResult result = result();
        FakeClient fast = new FakeClient(result.first());
        FakeClient slow = new FakeClient(result.join(otherChannel.eventLoop(), "holder"));
        send(1);
        pause(slow);
        int held = 1;
        for (; !source.isPaused(); held++) {
            send(1);
        }
        assertThat(held * PIECE).isBetween(WINDOW, WINDOW + 4 * PIECE);
        assertThat(fast.got.size()).isEqualTo(held * PIECE);
        resume(slow);
        assertThat(source.isPaused()).isFalse();
        pause(slow);
        while (!source.isPaused()) {
            send(1);
        }
        ticker.advance(4, TimeUnit.SECONDS);
        channel.runScheduledPendingTasks();
        assertThat(slow.whole).isNull();
        ticker.advance(1, TimeUnit.SECONDS);
        channel.runScheduledPendingTasks();
        run();
        assertThat(slow.whole).isFalse();
        assertThat(source.isPaused()).isFalse();
        assertThat(cuts.getCount()).isEqualTo(1);
        send(10);
        end(true);
        assertWhole(fast);
    }

    @Test
    void theWaitsOfOneStreamCountTogether() {
        SharedResult result = result();
        FakeClient fast = new FakeClient(result.first());
        FakeClient slow = new FakeClient(result.join(otherChannel.eventLoop(), "holder"));
        int rounds = 0;
        while (slow.whole == null) {
            rounds++;
            pause(slow);
            while (!source.isPaused()) {
                send(1);
            }
            ticker.advance(2, TimeUnit.SECONDS);
            channel.runScheduledPendingTasks();
            run();
            resume(slow);
        }
        assertThat(rounds).isEqualTo(3);
        end(true);
        assertWhole(fast);
    }

    @Test
    void theOthersGoOnWhenTheFirstClientLeaves() {
        SharedResult result = result();
        copyUpTo(result, 2_000_000);
        FakeClient first = new FakeClient(result.first());
        FakeClient second = new FakeClient(result.join(otherChannel.eventLoop(), "holder"));
        send(2);
        first.reader.close();
        send(10);
        assertThat(source.isClosed()).isFalse();
        end(true);
        assertWhole(second);
        assertThat(copies).containsExactly(sent.toString(US_ASCII));
    }

    @Test
    void withoutAnyClientTheNodesAnswerIsGivenUp() {
        SharedResult result = result();
        copyUpTo(result, 2_000_000);
        FakeClient first = new FakeClient(result.first());
        FakeClient second = new FakeClient(result.join(otherChannel.eventLoop(), "holder"));
        send(2);
        first.reader.close();
        second.reader.close();
        run();
        assertThat(source.isClosed()).isTrue();
        assertThat(copies).containsExactly("none");
        assertThat(result.join(channel.eventLoop(), "holder")).isNull();
    }

    @Test
    void aClientThatFailsDoesNotFailTheOthers() {
        SharedResult result = result();
        FakeClient first = new FakeClient(result.first());
        FakeClient second = new FakeClient(result.join(channel.eventLoop(), "holder"));
        first.fails = true;
        send(2);
        assertThat(first.whole).isFalse();
        end(true);
        assertWhole(second);
    }

    @Test
    void aCallThatComesWhileTheResultIsStoredHasAllOfIt() {
        SharedResult result = result();
        List<FakeClient> late = new ArrayList<>();
        result.first().copyTo(2_000_000, value -> {
            copies.add(String.valueOf(value));
            late.add(new FakeClient(result.join(channel.eventLoop(), "holder")));
        });
        FakeClient first = new FakeClient(result.first());
        send(20);
        end(true);
        assertWhole(first);
        assertWhole(late.get(0));
        assertThat(copies).containsExactly(sent.toString(US_ASCII));
    }

    @Test
    void aResultThatMustBeTooLargeForTheCopyIsNotCollected() {
        source.declare(1_001);
        SharedResult result = result();
        assertThat(result.first().copyTo(1_001, value -> {})).isTrue();
        source.declare(1_002);
        SharedResult larger = result();
        assertThat(larger.first().copyTo(1_001, value -> copies.add("called"))).isFalse();
        FakeClient client = new FakeClient(larger.first());
        send(2);
        end(true);
        assertWhole(client);
        assertThat(copies).isEmpty();
    }

    @Test
    void theCopyOfAValueIsTheValue() {
        SharedResult result = result();
        List<@Nullable RawJson> values = new ArrayList<>();
        result.first().copyTo(1_000, values::add);
        FakeClient client = new FakeClient(result.first());
        source.receiver().take(Unpooled.wrappedBuffer("[1,".getBytes(US_ASCII)));
        source.receiver().take(Unpooled.wrappedBuffer("2]".getBytes(US_ASCII)));
        end(true);
        assertThat(values).containsExactly(RawJson.of("[1,2]"));
        assertThat(client.got.toString(US_ASCII)).isEqualTo("[1,2]");
    }
}
