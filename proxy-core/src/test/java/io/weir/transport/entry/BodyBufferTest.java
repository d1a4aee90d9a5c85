package io.weir.transport.entry;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.weir.limit.Budget;
import io.weir.limit.Reservation;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BodyBufferTest {

    private static final Budget BUDGET = new Budget(Long.MAX_VALUE);

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void piecesAreJoinedAsTheyCame(long seed) {
        Random random = new Random(seed);
        byte[] whole = new byte[random.nextInt(200_000)];
        random.nextBytes(whole);
        BodyBuffer buffer = new BodyBuffer(random.nextBoolean() ? whole.length : 0, whole.length, BUDGET.share());
        for (int at = 0; at < whole.length; ) {
            int end = Math.min(whole.length, at + random.nextInt(9000));
            assertThat(buffer.add(Unpooled.wrappedBuffer(whole, at, end - at)))
                    .as("seed %d", seed)
                    .isEqualTo(BodyBuffer.Added.WHOLE);
            at = end;
        }
        assertThat(Arrays.copyOf(buffer.array(), buffer.length()))
                .as("seed %d", seed)
                .isEqualTo(whole);
    }

    @Test
    void whatWouldBeTooMuchIsNotTaken() {
        BodyBuffer buffer = new BodyBuffer(0, 10, BUDGET.share());
        assertThat(buffer.add(Unpooled.wrappedBuffer(new byte[8]))).isEqualTo(BodyBuffer.Added.WHOLE);
        assertThat(buffer.add(Unpooled.wrappedBuffer(new byte[3]))).isEqualTo(BodyBuffer.Added.TOO_LARGE);
        assertThat(buffer.length()).isEqualTo(8);
        assertThat(buffer.add(Unpooled.wrappedBuffer(new byte[2]))).isEqualTo(BodyBuffer.Added.WHOLE);
    }

    @Test
    void anAnnouncedLengthTakesNoMemoryByItself() {
        assertThat(new BodyBuffer(100 << 20, 100 << 20, BUDGET.share()).array().length)
                .isZero();
    }

    @Test
    void aBodyThatComesAtOnceFitsExactly() {
        BodyBuffer buffer = new BodyBuffer(5, 1000, BUDGET.share());
        buffer.add(Unpooled.wrappedBuffer(new byte[5]));
        assertThat(buffer.array()).hasSize(5);
    }

    @Test
    void whatThereIsNoRoomForIsNotTaken() {
        Budget budget = new Budget(10);
        Reservation share = budget.share();
        BodyBuffer buffer = new BodyBuffer(0, 1000, share);
        assertThat(buffer.add(Unpooled.wrappedBuffer(new byte[8]))).isEqualTo(BodyBuffer.Added.WHOLE);
        assertThat(buffer.add(Unpooled.wrappedBuffer(new byte[3]))).isEqualTo(BodyBuffer.Added.NO_ROOM);
        assertThat(budget.taken()).isEqualTo(8);
        buffer.share().close();
        assertThat(budget.taken()).isZero();
    }

    @Test
    void theRoomThatABodyGrowsIntoCountsToo() {
        Budget budget = new Budget(1_000_000);
        Reservation partial = budget.share();
        partial.add(30_000);
        BodyBuffer buffer = new BodyBuffer(0, 100_000, budget.share());
        buffer.add(Unpooled.wrappedBuffer(new byte[20_000]));
        buffer.add(Unpooled.wrappedBuffer(new byte[1_000]), partial);
        assertThat(buffer.array().length).isGreaterThan(21_000);
        assertThat(budget.taken()).isEqualTo(buffer.array().length + partial.taken());
        buffer.add(Unpooled.wrappedBuffer(new byte[5_000]), partial);
        assertThat(budget.taken()).isEqualTo(buffer.array().length + partial.taken());
    }

    @Test
    void whereThereIsNoMoreRoomABodyGrowsOnlyAsFarAsItMust() {
        Budget budget = new Budget(25_000);
        BodyBuffer buffer = new BodyBuffer(0, 100_000, budget.share());
        assertThat(buffer.add(Unpooled.wrappedBuffer(new byte[20_000]))).isEqualTo(BodyBuffer.Added.WHOLE);
        assertThat(buffer.add(Unpooled.wrappedBuffer(new byte[5_000]))).isEqualTo(BodyBuffer.Added.WHOLE);
        assertThat(buffer.add(Unpooled.wrappedBuffer(new byte[1]))).isEqualTo(BodyBuffer.Added.NO_ROOM);
        assertThat(budget.taken()).isEqualTo(25_000);
    }
}
