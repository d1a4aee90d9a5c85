package io.weir.chain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CanonicalLinksTest {

    private long bottom;

    private static BlockLink block(long number) {
        return new BlockLink(number, "h" + number, "h" + (number - 1));
    }

    private static CanonicalLinks links(int max, long from, long to) {
        CanonicalLinks links = CanonicalLinks.empty(max);
        for (long number = from; number <= to; number++) {
            links = links.with(block(number), number + 1);
        }
        return links;
    }

    @Test
    void anEditLeavesEarlierLinksAsTheyWere() {
        CanonicalLinks before = links(1_000, 100, 500);
        CanonicalLinks longer = before.with(block(501), 1);
        CanonicalLinks shorter = before.upTo(300);
        CanonicalLinks upper = before.from(400);

        assertThat(before.top()).isEqualTo(500);
        assertThat(before.size()).isEqualTo(401);
        assertThat(longer.size()).isEqualTo(402);
        assertThat(shorter.top()).isEqualTo(300);
        assertThat(shorter.size()).isEqualTo(201);
        assertThat(shorter.hash(301)).isNull();
        assertThat(upper.hash(399)).isNull();
        assertThat(upper.hash(400)).isEqualTo("h400");
        assertThat(before.hash(399)).isEqualTo("h399");
    }

    @Test
    void theBoundHoldsToTheBlock() {
        CanonicalLinks links = links(200, 0, 1_000);
        assertThat(links.size()).isEqualTo(200);
        assertThat(links.bottom()).isEqualTo(801);
        assertThat(links.at(801)).isEqualTo(new Slot(block(801), 802));
        assertThat(links.at(800)).isNull();
        assertThat(links.hash(800)).as("the parent of the lowest").isEqualTo("h800");
        assertThat(links.hash(799)).isNull();
        assertThat(links.knownAbove(-1)).isEqualTo(800);
    }

    @Test
    void theFirstBlockHasNoParentAmongThem() {
        CanonicalLinks links = CanonicalLinks.empty(200).with(new BlockLink(0, "h0", "0x00"), 5);
        assertThat(links.at(0).block()).isEqualTo(new BlockLink(0, "h0", BlockLink.NO_PARENT));
        assertThat(links.hash(-1)).isNull();
        assertThat(links.size()).isOne();
    }

    @Test
    void aJumpBeyondTheBoundLeavesOnlyTheNewBlock() {
        CanonicalLinks links = links(200, 0, 300).with(block(1L << 50), 7);
        assertThat(links.size()).isOne();
        assertThat(links.top()).isEqualTo(1L << 50);
        assertThat(links.hash((1L << 50) - 1)).isEqualTo("h" + ((1L << 50) - 1));
        assertThat(links.links(0, Long.MAX_VALUE)).isEqualTo(List.of(block(1L << 50)));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void randomEditsAgreeWithAMap(long seed) {
        Random random = new Random(seed);
        int max = 128 + random.nextInt(300);
        CanonicalLinks links = CanonicalLinks.empty(max);
        bottom = 0;
        TreeMap<Long, String> model = new TreeMap<>();
        for (int i = 0; i < 3_000; i++) {
            long top = links.top();
            int kind = random.nextInt(100);
            if (kind < 70 || top < 0) {
                long number = top + 1 + (random.nextInt(20) == 0 ? random.nextInt(200) : 0);
                links = put(links, model, number, max);
            } else if (kind < 80) {
                long number = Math.max(0, top - random.nextInt(max));
                links = put(links, model, number, max);
            } else if (kind < 84) {
                Long known = model.floorKey(top - random.nextInt(40));
                if (known != null && known >= bottom) {
                    links = links.upTo(known);
                    model.tailMap(known, false).clear();
                }
            } else if (kind < 85) {
                long number = top - random.nextInt(max);
                links = links.from(number);
                model.headMap(number, false).clear();
            }
            assertSame(links, model, random);
        }
    }

    private CanonicalLinks put(CanonicalLinks links, TreeMap<Long, String> model, long number, int max) {
        model.put(number, "h" + number);
        if (number > 0) {
            model.putIfAbsent(number - 1, "h" + (number - 1));
        }
        bottom = Math.max(bottom, model.lastKey() - max + 1);
        model.headMap(bottom - 1, false).clear();
        return links.with(block(number), number + 1);
    }

    private static void assertSame(CanonicalLinks links, TreeMap<Long, String> model, Random random) {
        if (model.isEmpty()) {
            return;
        }
        assertThat(links.top()).isEqualTo(model.lastKey());
        long number = links.top() - random.nextInt(700);
        assertThat(links.hash(number)).as("hash at %s", number).isEqualTo(model.get(number));
        Long above = model.higherKey(number);
        assertThat(links.knownAbove(number)).isEqualTo(above == null ? -1 : above);
        Long below = model.floorKey(number);
        assertThat(links.knownUpTo(number)).isEqualTo(below == null ? -1 : below);
    }
}
