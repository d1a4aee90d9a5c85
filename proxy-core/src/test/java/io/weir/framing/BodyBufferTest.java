package io.weir.framing;

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
        BodyBuffer buffer =
                BodyBuffer.ofClient(random.nextBoolean() ? whole.length : 0, whole.length, BUDGET.reserve());
        for (int at = 0; at < whole.length; ) {
            int end = Math.min(whole.length, at + random.nextInt(9000));
            assertThat(buffer.add(Unpooled.wrappedBuffer(whole, at, end - at)))
                    .as("seed %d", seed)
                    .isEqualTo(BodyBuffer.AddResult.ADDED);
            at = end;
        }
        assertThat(Arrays.copyOf(buffer.array(), buffer.length()))
                .as("seed %d", seed)
                .isEqualTo(whole);
    }

    @Test
    void bytesOverTheMaximumAreNotTaken() {
        BodyBuffer buffer = BodyBuffer.ofClient(0, 10, BUDGET.reserve());
        assertThat(buffer.add(Unpooled.wrappedBuffer(new byte[8]))).isEqualTo(BodyBuffer.AddResult.ADDED);
        assertThat(buffer.add(Unpooled.wrappedBuffer(new byte[3]))).isEqualTo(BodyBuffer.AddResult.TOO_LARGE);
        assertThat(buffer.length()).isEqualTo(8);
        assertThat(buffer.add(Unpooled.wrappedBuffer(new byte[2]))).isEqualTo(BodyBuffer.AddResult.ADDED);
    }

    @Test
    void anAnnouncedLengthTakesNoMemoryByItself() {
        assertThat(BodyBuffer.ofClient(100 << 20, 100 << 20, BUDGET.reserve()).array().length)
                .isZero();
    }

    @Test
    void aBodyThatComesAtOnceFitsExactly() {
        BodyBuffer buffer = BodyBuffer.ofClient(5, 1000, BUDGET.reserve());
        buffer.add(Unpooled.wrappedBuffer(new byte[5]));
        assertThat(buffer.array()).hasSize(5);
    }

    @Test
    void bytesOverTheBudgetAreNotTaken() {
        Budget budget = new Budget(10);
        Reservation reservation = budget.reserve();
        BodyBuffer buffer = BodyBuffer.ofClient(0, 1000, reservation);
        assertThat(buffer.add(Unpooled.wrappedBuffer(new byte[8]))).isEqualTo(BodyBuffer.AddResult.ADDED);
        assertThat(buffer.add(Unpooled.wrappedBuffer(new byte[3]))).isEqualTo(BodyBuffer.AddResult.OVER_BUDGET);
        assertThat(budget.taken()).isEqualTo(8);
        buffer.reservation().close();
        assertThat(budget.taken()).isZero();
    }

    @Test
    void theSpareCapacityOfABodyCountsToo() {
        Budget budget = new Budget(1_000_000);
        Reservation partial = budget.reserve();
        partial.add(30_000);
        BodyBuffer buffer = BodyBuffer.ofClient(0, 100_000, budget.reserve());
        buffer.add(Unpooled.wrappedBuffer(new byte[20_000]));
        buffer.add(Unpooled.wrappedBuffer(new byte[1_000]), partial);
        assertThat(buffer.array().length).isGreaterThan(21_000);
        assertThat(budget.taken()).isEqualTo(buffer.array().length + partial.taken());
        buffer.add(Unpooled.wrappedBuffer(new byte[5_000]), partial);
        assertThat(budget.taken()).isEqualTo(buffer.array().length + partial.taken());
    }

    @Test
    void withoutMoreBudgetABodyGrowsOnlyAsFarAsItMust() {
        Budget budget = new Budget(25_000);
        BodyBuffer buffer = BodyBuffer.ofClient(0, 100_000, budget.reserve());
        assertThat(buffer.add(Unpooled.wrappedBuffer(new byte[20_000]))).isEqualTo(BodyBuffer.AddResult.ADDED);
        assertThat(buffer.add(Unpooled.wrappedBuffer(new byte[5_000]))).isEqualTo(BodyBuffer.AddResult.ADDED);
        assertThat(buffer.add(Unpooled.wrappedBuffer(new byte[1]))).isEqualTo(BodyBuffer.AddResult.OVER_BUDGET);
        assertThat(budget.taken()).isEqualTo(25_000);
    }

    @Test
    void anAnswerOfKnownLengthIsReservedAndAllocatedAtOnce() {
        Budget budget = new Budget(100_000);
        BodyBuffer buffer = BodyBuffer.ofNode(60_000, 100_000, budget.reserve());
        assertThat(buffer.add(Unpooled.wrappedBuffer(new byte[1]))).isEqualTo(BodyBuffer.AddResult.ADDED);
        assertThat(buffer.array()).hasSize(60_000);
        assertThat(budget.taken()).isEqualTo(60_000);
        BodyBuffer other = BodyBuffer.ofNode(60_000, 100_000, budget.reserve());
        assertThat(other.add(Unpooled.wrappedBuffer(new byte[1]))).isEqualTo(BodyBuffer.AddResult.OVER_BUDGET);
        assertThat(budget.taken()).as("a refused answer blocks no budget").isEqualTo(60_000);
    }

    @Test
    void aSmallAnswerIsTakenOverTheBudget() {
        Budget budget = new Budget(1);
        BodyBuffer buffer = BodyBuffer.ofNode(-1, 100_000, budget.reserve());
        assertThat(buffer.add(Unpooled.wrappedBuffer(new byte[BodyBuffer.SMALL_BYTES])))
                .isEqualTo(BodyBuffer.AddResult.ADDED);
        assertThat(buffer.add(Unpooled.wrappedBuffer(new byte[1]))).isEqualTo(BodyBuffer.AddResult.OVER_BUDGET);
    }
}
