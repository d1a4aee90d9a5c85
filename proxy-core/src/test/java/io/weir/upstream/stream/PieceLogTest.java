package io.weir.upstream.stream;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.weir.limit.Budget;
import io.weir.testing.NoLeaks;
import io.weir.upstream.stream.SharedResult.PieceLog;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What the budget counts of the bytes that are kept. */
@NoLeaks
class PieceLogTest {

    private static final int CHUNK = PieceLog.CHUNK_BYTES;

    private final Budget budget = new Budget(10L * CHUNK);
    private final PieceLog log = new PieceLog(budget.reserve());

    private void append(int bytes) {
        ByteBuf piece = Unpooled.wrappedBuffer(new byte[bytes]);
        assertThat(log.append(piece, false)).isTrue();
        piece.release();
    }

    @Test
    void aPieceThatCannotBeCopiedTakesTheBudgetOfTheChunksThatWereMadeOnly() {
        append(CHUNK);
        ByteBuf unreadable = Unpooled.wrappedBuffer(new byte[3 * CHUNK]);
        unreadable.release();
        assertThatThrownBy(() -> log.append(unreadable, false)).isInstanceOf(RuntimeException.class);
        assertThat(log.end()).isEqualTo(CHUNK);
        log.clear();
        assertThat(budget.taken()).isZero();
    }

    @Test
    void aPositionBeforeAllThatIsKeptDropsNothing() {
        append(3 * CHUNK);
        log.clear();
        log.dropBefore(0);
        append(2 * CHUNK);
        log.dropBefore(CHUNK);
        assertThat(log.kept()).isEqualTo(2 * CHUNK);
        log.dropBefore(4 * CHUNK);
        assertThat(log.kept()).isEqualTo(CHUNK);
        log.clear();
        assertThat(budget.taken()).isZero();
    }

    @Test
    void aPieceThatFillsHalfOfItsBufferIsKeptAndASmallerOneIsCopied() {
        ByteBuf piece = PooledByteBufAllocator.DEFAULT.directBuffer(CHUNK).writeZero(CHUNK);
        assertThat(log.append(piece.slice(0, CHUNK / 2), false)).isTrue();
        assertThat(piece.refCnt()).isEqualTo(2);
        assertThat(log.append(piece.slice(0, CHUNK / 2 - 1), false)).isTrue();
        assertThat(piece.refCnt()).isEqualTo(2);
        assertThat(budget.taken()).isEqualTo(2 * CHUNK);
        log.clear();
        assertThat(piece.refCnt()).isEqualTo(1);
        assertThat(budget.taken()).isZero();
        piece.release();
    }

    @Test
    void bytesAreThereFromEachPositionHoweverTheyAreKept() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        byte[] sent = new byte[8 * CHUNK];
        random.nextBytes(sent);
        long dropped = 0;
        for (int at = 0; at < sent.length; ) {
            int length = Math.min(sent.length - at, 1 + random.nextInt(CHUNK));
            ByteBuf piece = random.nextBoolean()
                    ? PooledByteBufAllocator.DEFAULT.directBuffer(length).writeBytes(sent, at, length)
                    : Unpooled.wrappedBuffer(sent, at, length);
            log.append(piece, true);
            piece.release();
            at += length;
            long from = dropped + random.nextInt((int) (at - dropped));
            ByteBuf found = requireNonNull(log.from(from));
            assertThat(ByteBufUtil.getBytes(found))
                    .as("seed %d, position %d", seed, from)
                    .isEqualTo(Arrays.copyOfRange(sent, (int) from, (int) from + found.readableBytes()));
            found.release();
            if (random.nextInt(3) == 0) {
                log.dropBefore(from);
                dropped = from;
            }
            assertThat(log.kept()).isBetween(at - dropped, at - dropped + CHUNK);
        }
        assertThat(log.from(sent.length)).isNull();
        log.clear();
        assertThat(budget.taken()).isZero();
    }
}
