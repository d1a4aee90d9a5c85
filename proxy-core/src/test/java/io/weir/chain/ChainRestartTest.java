package io.weir.chain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A restarted view contains no earlier block. */
class ChainRestartTest {

    private final ChainView view = new ChainView();
    private final List<List<Long>> reorgs = new ArrayList<>();

    @BeforeEach
    void twoUpstreamsAgreeOnBlockTwelve() {
        view.listen(reorg -> reorgs.add(List.of(reorg.from(), reorg.to(), reorg.ancestor())));
        view.restart(List.of(block(11, "a")), "one");
        view.attach(List.of(block(12, "a")), "one");
        view.attach(List.of(block(12, "a")), "other");
        assertThat(view.isAgreed(12)).isTrue();
    }

    private static BlockLink block(long number, String branch) {
        return new BlockLink(number, branch + number, branch + (number - 1));
    }

    @Test
    void anAgreementDoesNotOutliveARestart() {
        view.restart(List.of(block(12, "b"), block(11, "b")), "one");

        assertThat(view.isAgreed(12)).isFalse();
        assertThat(view.isAgreed(11)).isFalse();
        assertThat(view.isAgreed(0)).isFalse();
        assertThat(view.namedBy()).containsExactly("one");
    }

    @Test
    void anAgreementDoesNotOutliveARestartFarAhead() {
        view.restart(List.of(block(1_000, "a")), "one");

        assertThat(view.isAgreed(12)).isFalse();
        assertThat(view.isAgreed(1_000)).isFalse();
        view.attach(List.of(block(1_000, "a")), "other");
        assertThat(view.isAgreed(1_000)).as("named by both since").isTrue();
    }

    @Test
    void noBlockOfBeforeIsFoundAfterARestart() {
        view.restart(List.of(block(20, "b")), "one");

        assertThat(view.find("a12")).isNull();
        assertThat(view.hash(12)).isNull();
        assertThat(view.top()).isEqualTo(20);
        assertThat(view.size()).isEqualTo(1);
    }

    @Test
    void aBlockThatComesBackAtItsPositionIsAnotherSlot() {
        long before = view.at(12).stamp();
        view.restart(List.of(block(12, "a"), block(11, "a")), "one");

        assertThat(view.at(12).stamp()).isNotEqualTo(before);
    }

    @Test
    void aRestartBesideKnownBlocksIsAReorganisationAndOneAboveThemIsNot() {
        view.restart(List.of(block(20, "b")), "one", 5);
        assertThat(reorgs).isEmpty();
        view.restart(List.of(block(20, "c")), "one", 5);
        assertThat(reorgs).containsExactly(List.of(20L, 20L, 5L));
    }
}
