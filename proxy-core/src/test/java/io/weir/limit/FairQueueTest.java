package io.weir.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FairQueueTest {

    private final PlaceShares places = new PlaceShares(100, () -> 0);

    /** Entries are a holder's letter and a number. */
    private final FairQueue<String> queue = new FairQueue<>(entry -> entry.charAt(0));

    private void add(String... entries) {
        for (String entry : entries) {
            queue.add(entry);
        }
    }

    private List<String> takeAll() {
        List<String> taken = new ArrayList<>();
        for (String next = queue.peek(places); next != null; next = queue.peek(places)) {
            queue.takeTurn(next);
            taken.add(next);
        }
        return taken;
    }

    @Test
    void holdersTakeTurnsAndKeepTheirOrder() {
        add("a1", "a2", "a3", "b1", "c1", "c2");
        assertThat(takeAll()).containsExactly("a1", "b1", "c1", "a2", "c2", "a3");
        assertThat(queue.size()).isZero();
    }

    @Test
    void whoComesLaterWaitsForOneTurnOfEachOther() {
        add("a1", "a2", "a3", "a4");
        queue.takeTurn("a1");
        add("b1");
        assertThat(takeAll()).containsExactly("a2", "b1", "a3", "a4");
    }

    @Test
    void theHolderWithTheFewestPlacesComesFirst() {
        add("a1", "b1", "c1", "d1");
        for (char holder : new char[] {'a', 'a', 'a', 'b', 'b', 'd'}) {
            places.take(holder);
        }
        assertThat(takeAll()).containsExactly("c1", "d1", "b1", "a1");
    }

    @Test
    void aHolderThatMayNotTakeAPlaceIsPassedOver() {
        add("a1", "a2", "b1");
        for (int i = 0; i < 89; i++) {
            places.take('a');
        }
        assertThat(takeAll()).containsExactly("b1");
        assertThat(queue.size('a')).isEqualTo(2);
        assertThat(queue.size('b')).isZero();
        places.give('a');
        assertThat(takeAll()).containsExactly("a1", "a2");
    }

    @Test
    void anEntryIsRemovedWhereverItIsAndOnce() {
        add("a1", "a2", "b1");
        assertThat(queue.remove("a2")).isTrue();
        assertThat(queue.remove("a2")).isFalse();
        assertThat(queue.remove("b1")).isTrue();
        assertThat(queue.remove("c1")).isFalse();
        assertThat(queue.size()).isEqualTo(1);
        assertThat(queue.entries()).containsExactly("a1");
        assertThat(queue.next()).isEqualTo("a1");
        assertThat(queue.next()).isNull();
    }

    @Test
    void aDrainedQueueIsEmpty() {
        add("a1", "b1", "a2");
        assertThat(queue.drain()).containsExactly("a1", "a2", "b1");
        assertThat(queue.size()).isZero();
        assertThat(queue.peek(places)).isNull();
    }
}
