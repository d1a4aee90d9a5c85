package io.weir.cache.tier;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.cache.tier.entry.TierEntry.Source;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RevocationsTest {

    private static final String SPACE = "2:ethereum:1:space";
    private static final int NODE = -7;
    private static final int OTHER = 8;

    private final HandTier hand = new HandTier();
    private int renewed;
    private int minutes;
    private final Revocations revocations = read(SPACE);

    /** The counts as a process that starts now reads them. */
    private Revocations read(String space) {
        Revocations read = new Revocations(hand, () -> renewed++, () -> minutes);
        List<Boolean> known = new ArrayList<>();
        read.whenRead(space, known::add);
        assertThat(known).containsExactly(true);
        return read;
    }

    @Test
    void entriesOfBeforeAreRefusedAndLaterOnesAreNot() {
        Source before = revocations.source(NODE);
        Source other = revocations.source(OTHER);
        assertThat(revocations.isRevoked(before)).isFalse();
        revocations.revoke(NODE);
        assertThat(revocations.isRevoked(before)).isTrue();
        assertThat(revocations.isRevoked(revocations.source(NODE))).isFalse();
        assertThat(revocations.isRevoked(other)).isFalse();
        assertThat(revocations.isRevoked(Source.NONE)).isFalse();
    }

    @Test
    void aRestartKeepsThem() {
        Source first = revocations.source(NODE);
        revocations.revoke(NODE);
        Source second = revocations.source(NODE);
        revocations.revoke(OTHER);
        Revocations restarted = read(SPACE);
        assertThat(restarted.isRevoked(first)).isTrue();
        assertThat(restarted.isRevoked(second)).isFalse();
        restarted.revoke(NODE);
        assertThat(read(SPACE).isRevoked(second)).isTrue();
        assertThat(renewed).isZero();
    }

    @Test
    void anotherNameSpaceBeginsWithoutAny() {
        Source source = revocations.source(NODE);
        revocations.revoke(NODE);
        revocations.whenRead("2:ethereum:1:next", known -> {});
        assertThat(revocations.isRevoked(source)).isFalse();
        assertThat(revocations.source(NODE)).isEqualTo(new Source(NODE, 0));
    }

    @Test
    void aRevocationBeforeTheRecordIsReadCountsFromThenOn() {
        Source source = revocations.source(NODE);
        Revocations early = new Revocations(hand, () -> renewed++, () -> minutes);
        early.revoke(NODE);
        early.whenRead(SPACE, known -> {});
        assertThat(early.isRevoked(source)).isTrue();
        assertThat(read(SPACE).isRevoked(source)).as("after a restart").isTrue();
    }

    @Test
    void countsThatCannotBeWrittenDropAllEntries() {
        hand.failing = true;
        revocations.revoke(NODE);
        assertThat(renewed).isEqualTo(1);
    }

    @Test
    void moreNodesThanOneRecordHoldsDropAllEntries() {
        for (int i = 1; i <= Revocations.MAX_NODES; i++) {
            revocations.revoke(Integer.MAX_VALUE - i);
        }
        assertThat(renewed).isZero();
        assertThat(hand.records.get(SPACE + ":revoked")).hasSizeLessThan(4_000);
        revocations.revoke(NODE);
        assertThat(renewed).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "1:", "1:2,3:4", "4294967296000:1", "-1:2"})
    void aDamagedRecordDropsAllEntries(String text) {
        hand.records.put(SPACE + ":revoked", text.getBytes(StandardCharsets.UTF_8));
        List<Boolean> known = new ArrayList<>();
        new Revocations(hand, () -> renewed++, () -> minutes).whenRead(SPACE, known::add);
        assertThat(known).containsExactly(false);
        assertThat(renewed).isEqualTo(1);
    }

    @Test
    void aRecordThatCannotBeReadNowIsReadLater() {
        hand.failing = true;
        Revocations late = new Revocations(hand, () -> renewed++, () -> minutes);
        List<Boolean> known = new ArrayList<>();
        late.whenRead(SPACE, known::add);
        hand.failing = false;
        late.whenRead(SPACE, known::add);
        assertThat(known).containsExactly(false, true);
        assertThat(renewed).isZero();
    }

    @Test
    void countsOfAnotherProxyAreKept() {
        Revocations another = read(SPACE);
        Source source = another.source(NODE);
        revocations.revoke(NODE);
        assertThat(another.isRevoked(source)).as("not read yet").isFalse();
        another.revoke(OTHER);
        assertThat(another.isRevoked(source)).isTrue();
        Revocations restarted = read(SPACE);
        assertThat(restarted.isRevoked(source)).isTrue();
        assertThat(restarted.isRevoked(new Source(OTHER, 0))).isTrue();
    }

    @Test
    void aCountExceedsEarlierOnesAlsoIfTheRecordWasLost() {
        minutes = 29_000_000;
        revocations.revoke(NODE);
        revocations.revoke(NODE);
        Source source = revocations.source(NODE);
        assertThat(source.count()).isEqualTo(29_000_001);
        hand.records.clear();
        Revocations restarted = read(SPACE);
        minutes += 2;
        restarted.revoke(NODE);
        assertThat(restarted.isRevoked(source)).isTrue();
    }

    @Test
    void aRevocationWhoseWriteIsUnderWayCountsInTheNextNameSpaceToo() {
        SlowTier slow = new SlowTier();
        Revocations counted = slow.read();
        counted.revoke(NODE);
        counted.whenRead("next", known -> {});
        counted.revoke(OTHER);
        assertThat(slow.texts).containsExactly("4294967289:1");
        slow.writes.get(0).accept(false);
        assertThat(slow.texts).hasSize(2);
        assertThat(slow.texts.get(1).split(" ")).containsExactlyInAnyOrder("4294967289:1", "8:1");
        assertThat(renewed)
                .as("the failed write was one of an earlier name space")
                .isZero();
        slow.writes.get(1).accept(true);
        assertThat(slow.texts).hasSize(2);
    }

    @Test
    void theLargestRecordFitsIntoAFile() {
        minutes = 29_000_000;
        for (int i = 1; i <= Revocations.MAX_NODES; i++) {
            revocations.revoke(-i);
        }
        assertThat(hand.records.get(SPACE + ":revoked")).hasSizeLessThanOrEqualTo(4_000);
        assertThat(renewed).isZero();
    }

    /** Writes that take as long as the test wants. */
    private final class SlowTier extends HandTier {

        private final List<Consumer<Boolean>> writes = new ArrayList<>();
        private final List<String> texts = new ArrayList<>();

        SlowTier() {
            super("slow");
        }

        Revocations read() {
            Revocations counted = new Revocations(this, () -> renewed++, () -> minutes);
            counted.whenRead(SPACE, known -> {});
            return counted;
        }

        @Override
        public void writeRecord(String name, byte[] value, Consumer<Boolean> sink) {
            texts.add(new String(value, StandardCharsets.UTF_8));
            writes.add(sink);
        }
    }

    @Test
    void theLastWriteHasAllCountsThoughWritesTakeTime() {
        SlowTier slow = new SlowTier();
        Revocations counted = slow.read();
        counted.revoke(OTHER);
        counted.revoke(OTHER);
        counted.revoke(OTHER);
        assertThat(slow.texts).containsExactly("8:1");
        slow.writes.get(0).accept(true);
        assertThat(slow.texts).containsExactly("8:1", "8:3");
        slow.writes.get(1).accept(true);
        assertThat(slow.texts).hasSize(2);
    }
}
