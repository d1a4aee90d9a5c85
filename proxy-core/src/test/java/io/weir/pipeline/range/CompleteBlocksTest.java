package io.weir.pipeline.range;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CompleteBlocksTest {

    private final Notes notes = new Notes();
    private final CompleteBlocks blocks = new CompleteBlocks(notes);

    private void open() {
        blocks.open(new EmbeddedChannel().eventLoop(), () -> {});
    }

    /** Store of a note. */
    private static final class Notes extends LogRangeFixture.NoStore {

        private @Nullable String note = "";
        private final List<String> written = new ArrayList<>();

        @Override
        public boolean isUsed() {
            return true;
        }

        @Override
        public void readNote(EventLoop loop, Consumer<@Nullable String> sink) {
            sink.accept(note);
        }

        @Override
        public void writeNote(String text, Consumer<Boolean> sink) {
            note = text;
            written.add(text);
            sink.accept(true);
        }
    }

    private static BlockRange range(long from, long to) {
        return new BlockRange(from, to);
    }

    @Test
    void rangesThatMeetAreOne() {
        open();
        blocks.add(range(10, 19));
        blocks.add(range(30, 39));
        assertThat(blocks.covers(range(12, 35))).isFalse();
        blocks.add(range(20, 29));
        assertThat(blocks.texts()).containsExactly("10-39");
        assertThat(notes.note).isEqualTo("10-39");
    }

    @Test
    void whatAnEarlierStartKnewIsReadBeforeAnythingIsWritten() {
        notes.note = "1-5,x-y,90-80,7-9";
        blocks.add(range(6, 6));
        open();
        assertThat(blocks.covers(range(1, 9))).isTrue();
        assertThat(notes.written).allMatch(text -> text.startsWith("1-9"));
    }

    @Test
    void aRangeThatEndsBeforeItBeginsHidesNoOther() {
        notes.note = "85-100,90-80,200-150";
        open();
        assertThat(blocks.texts()).containsExactly("85-100");
    }

    @Test
    void nothingIsWrittenWhileTheNoteCannotBeRead() {
        notes.note = null;
        open();
        blocks.add(range(1, 2));
        assertThat(notes.written).isEmpty();
        notes.note = "3-4";
        open();
        blocks.add(range(5, 6));
        assertThat(notes.note).isEqualTo("1-6");
    }

    @Test
    void theShortestRangesAreForgotten() {
        for (int i = 0; i < 150; i++) {
            blocks.add(range(i * 100L, i * 100L + (i % 50)));
        }
        assertThat(blocks.texts()).hasSize(100).contains("4900-4949").doesNotContain("5000-5000");
    }

    @Test
    void theyEqualASetOfNumbers() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        TreeSet<Long> model = new TreeSet<>();
        for (int i = 0; i < 2_000; i++) {
            long from = random.nextInt(80);
            long to = from + random.nextInt(10);
            if (random.nextInt(3) > 0) {
                blocks.add(range(from, to));
                for (long number = from; number <= to; number++) {
                    model.add(number);
                }
            } else {
                blocks.remove(from);
                model.remove(from);
            }
            boolean covered = true;
            for (long number = from; number <= to + 1; number++) {
                covered &= model.contains(number);
            }
            assertThat(blocks.covers(range(from, to + 1))).as("seed " + seed).isEqualTo(covered);
        }
    }
}
