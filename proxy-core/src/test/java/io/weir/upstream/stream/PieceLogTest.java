package io.weir.upstream.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.util.IllegalReferenceCountException;
import io.weir.limit.Budget;
import io.weir.testing.NoLeaks;
import io.weir.upstream.stream.SharedResult.PieceLog;
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
        assertThatThrownBy(() -> log.append(unreadable, false)).isInstanceOf(IllegalReferenceCountException.class);
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
}
