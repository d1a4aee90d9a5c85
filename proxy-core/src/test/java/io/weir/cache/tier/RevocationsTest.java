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
    private final Revocations revocations = read(SPACE);

    /** The counts as a process that starts now reads them. */
    private Revocations read(String space) {
        Revocations read = new Revocations(hand, () -> renewed++);
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
        Revocations early = new Revocations(hand, () -> renewed++);
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
        new Revocations(hand, () -> renewed++).whenRead(SPACE, known::add);
        assertThat(known).containsExactly(false);
        assertThat(renewed).isEqualTo(1);
    }

    @Test
    void aRecordThatCannotBeReadNowIsReadLater() {
        hand.failing = true;
        Revocations late = new Revocations(hand, () -> renewed++);
        List<Boolean> known = new ArrayList<>();
        late.whenRead(SPACE, known::add);
        hand.failing = false;
        late.whenRead(SPACE, known::add);
        assertThat(known).containsExactly(false, true);
        assertThat(renewed).isZero();
    }

    @Test
    void theLastWriteHasAllCountsThoughWritesTakeTime() {
        List<Consumer<Boolean>> writes = new ArrayList<>();
        List<String> texts = new ArrayList<>();
        HandTier slow = new HandTier("slow") {
            @Override
            public void writeRecord(String name, byte[] value, Consumer<Boolean> sink) {
                texts.add(new String(value, StandardCharsets.UTF_8));
                writes.add(sink);
            }
        };
        Revocations counted = new Revocations(slow, () -> renewed++);
        counted.whenRead(SPACE, known -> {});
        counted.revoke(OTHER);
        counted.revoke(OTHER);
        counted.revoke(OTHER);
        assertThat(texts).containsExactly("8:1");
        writes.get(0).accept(true);
        assertThat(texts).containsExactly("8:1", "8:3");
        writes.get(1).accept(true);
        assertThat(texts).hasSize(2);
    }
}
