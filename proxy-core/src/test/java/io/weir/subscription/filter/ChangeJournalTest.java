package io.weir.subscription.filter;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RawJson;
import io.weir.subscription.delivery.Delivered;
import io.weir.subscription.delivery.SubscriptionKind;
import io.weir.subscription.filter.ChangeJournal.Change;
import io.weir.subscription.filter.ChangeJournal.ChangeRing;
import io.weir.subscription.filter.ChangeJournal.State;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class ChangeJournalTest {

    private static final int MAX = 10_000;

    private long nanos;
    private final ChangeJournal journal = new ChangeJournal(MAX, () -> nanos);

    /** A reader in the hands of a test. */
    private static final class HandReader implements ChangeJournal.Reader {

        private final SubscriptionKind kind;
        private volatile long position;

        HandReader(SubscriptionKind kind) {
            this.kind = kind;
        }

        @Override
        public SubscriptionKind kind() {
            return kind;
        }

        @Override
        public long position() {
            return position;
        }

        @Override
        public void begin(long start) {
            position = start;
        }
    }

    private HandReader opened(SubscriptionKind kind) {
        HandReader reader = new HandReader(kind);
        journal.open(reader);
        return reader;
    }

    private void tell(SubscriptionKind kind, String text) {
        byte[] json = text.getBytes(StandardCharsets.US_ASCII);
        journal.take(new Delivered.Result(kind, json, json));
    }

    private List<String> read(HandReader reader) {
        long end = journal.end(reader.kind);
        List<Change> changes = journal.read(reader.kind, reader.position, end);
        List<String> texts = Objects.requireNonNull(changes).stream()
                .map(change -> ((Change.Value) change).text().toString())
                .toList();
        reader.position = end;
        return texts;
    }

    private State state(HandReader reader) {
        return journal.state(reader.kind, reader.position);
    }

    @Test
    void aReaderGetsWhatCameAfterItBegan() {
        tell(SubscriptionKind.NEW_HEADS, "1");
        HandReader first = opened(SubscriptionKind.NEW_HEADS);
        tell(SubscriptionKind.NEW_HEADS, "2");
        HandReader second = opened(SubscriptionKind.NEW_HEADS);
        tell(SubscriptionKind.NEW_HEADS, "3");
        tell(SubscriptionKind.PENDING, "4");

        assertThat(read(first)).containsExactly("2", "3");
        assertThat(read(second)).containsExactly("3");
        assertThat(read(first)).isEmpty();
    }

    @Test
    void withoutReadersNothingIsKept() {
        tell(SubscriptionKind.PENDING, "1");
        assertThat(journal.bytes()).isZero();
        HandReader one = opened(SubscriptionKind.PENDING);
        HandReader other = opened(SubscriptionKind.PENDING);
        tell(SubscriptionKind.PENDING, "2");
        journal.close(one);
        assertThat(journal.bytes()).isPositive();
        journal.close(other);
        assertThat(journal.bytes()).isZero();
    }

    @Test
    void changesThatAllReadersHavePassedAreDropped() {
        HandReader fast = opened(SubscriptionKind.NEW_HEADS);
        HandReader slow = opened(SubscriptionKind.NEW_HEADS);
        for (int i = 10; i < 20; i++) {
            tell(SubscriptionKind.NEW_HEADS, Integer.toString(i));
        }
        long all = journal.bytes();
        read(fast);
        nanos += TimeUnit.SECONDS.toNanos(2);
        tell(SubscriptionKind.NEW_HEADS, "20");
        assertThat(journal.bytes()).isGreaterThan(all);
        assertThat(read(slow)).hasSize(11);
        read(fast);
        nanos += TimeUnit.SECONDS.toNanos(2);
        tell(SubscriptionKind.NEW_HEADS, "21");
        assertThat(journal.bytes()).isEqualTo(all / 10);
        assertThat(read(slow)).containsExactly("21");
    }

    @Test
    void theKindThatTakesTheMostLosesItsOldestChange() {
        HandReader heads = opened(SubscriptionKind.NEW_HEADS);
        HandReader pending = opened(SubscriptionKind.PENDING);
        tell(SubscriptionKind.NEW_HEADS, "1");
        for (int i = 0; i < 1_000; i++) {
            tell(SubscriptionKind.PENDING, Integer.toString(i));
            assertThat(journal.bytes()).isLessThanOrEqualTo(MAX);
        }
        assertThat(state(pending)).isEqualTo(State.EVICTED);
        assertThat(journal.read(SubscriptionKind.PENDING, pending.position, pending.position + 1))
                .isNull();
        assertThat(read(heads)).containsExactly("1");
        HandReader late = opened(SubscriptionKind.PENDING);
        tell(SubscriptionKind.PENDING, "last");
        assertThat(read(late)).containsExactly("last");
    }

    @Test
    void aChangeLargerThanTheJournalEndsItsReadersAlone() {
        HandReader heads = opened(SubscriptionKind.NEW_HEADS);
        HandReader whole = opened(SubscriptionKind.WHOLE_PENDING);
        tell(SubscriptionKind.WHOLE_PENDING, '"' + "x".repeat(MAX) + '"');
        assertThat(journal.bytes()).isZero();
        assertThat(state(whole)).isEqualTo(State.EVICTED);
        assertThat(state(heads)).isEqualTo(State.KNOWN);
    }

    @Test
    void nobodyReadsOnOverAGap() {
        HandReader heads = opened(SubscriptionKind.NEW_HEADS);
        HandReader logs = opened(SubscriptionKind.LOGS);
        HandReader pending = opened(SubscriptionKind.PENDING);
        tell(SubscriptionKind.NEW_HEADS, "1");
        read(heads);
        journal.take(new Delivered.End(SubscriptionKind.LOGS, "lost"));
        assertThat(state(logs)).isEqualTo(State.UNKNOWN);
        assertThat(state(heads)).isEqualTo(State.KNOWN);
        journal.take(new Delivered.End(null, "lost"));
        assertThat(state(heads)).as("a reader of all changes before the gap").isEqualTo(State.UNKNOWN);
        assertThat(state(pending)).isEqualTo(State.KNOWN);
        journal.take(new Delivered.Failure(SubscriptionKind.PENDING, ErrorCode.INTERNAL_ERROR.error("lost")));
        assertThat(state(pending)).isEqualTo(State.UNKNOWN);
        HandReader later = opened(SubscriptionKind.NEW_HEADS);
        tell(SubscriptionKind.NEW_HEADS, "2");
        assertThat(read(later)).containsExactly("2");
        assertThat(state(heads)).isEqualTo(State.UNKNOWN);
    }

    @Test
    void theRingHoldsWhatAListWouldHold() {
        long seed = Long.getLong("weir.seed", new Random().nextLong());
        Random random = new Random(seed);
        ChangeRing ring = new ChangeRing();
        List<Change> list = new ArrayList<>();
        long first = 0;
        for (int step = 0; step < 20_000; step++) {
            int grows = step % 4_000 < 2_000 ? 6 : 3;
            if (random.nextInt(10) < grows) {
                Change change = new Change.Value(RawJson.of(Integer.toString(step)));
                ring.add(change);
                list.add(change);
            } else if (!list.isEmpty()) {
                assertThat(ring.removeFirst()).isSameAs(list.remove(0));
                first++;
            }
            assertThat(ring.first()).as("-Dweir.seed=%d, step %d", seed, step).isEqualTo(first);
            assertThat(ring.end()).isEqualTo(first + list.size());
            assertThat(ring.bytes())
                    .isEqualTo(list.stream().mapToLong(Change::bytes).sum());
            if (!list.isEmpty()) {
                int at = random.nextInt(list.size());
                assertThat(ring.at(first + at)).isSameAs(list.get(at));
            }
        }
    }

    @Test
    void readersOnOtherThreadsMissNothing() throws Exception {
        ChangeJournal large = new ChangeJournal(1L << 30, System::nanoTime);
        int count = 200_000;
        AtomicBoolean told = new AtomicBoolean();
        List<CompletableFuture<Long>> sums = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            HandReader reader = new HandReader(SubscriptionKind.PENDING);
            large.open(reader);
            sums.add(CompletableFuture.supplyAsync(() -> readAll(large, reader, told)));
        }
        for (int i = 0; i < count; i++) {
            byte[] text = Integer.toString(i).getBytes(StandardCharsets.US_ASCII);
            large.take(new Delivered.Result(SubscriptionKind.PENDING, text, text));
        }
        told.set(true);
        for (CompletableFuture<Long> sum : sums) {
            assertThat(sum.get(60, TimeUnit.SECONDS)).isEqualTo(count);
        }
    }

    /** Reads until the last change and returns their number, which fails if one is out of place. */
    private static long readAll(ChangeJournal journal, HandReader reader, AtomicBoolean told) {
        long next = 0;
        while (true) {
            boolean last = told.get();
            long end = journal.end(reader.kind);
            List<Change> changes = journal.read(reader.kind, reader.position, Math.min(end, reader.position + 64));
            for (Change change : Objects.requireNonNull(changes)) {
                if (!((Change.Value) change).text().toString().equals(Long.toString(next))) {
                    throw new AssertionError(change + " (expected: " + next + ")");
                }
                next++;
            }
            reader.position += changes.size();
            if (last && reader.position == end) {
                return next;
            }
        }
    }
}
