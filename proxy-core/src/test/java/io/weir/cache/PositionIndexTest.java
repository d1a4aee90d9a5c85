package io.weir.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PositionIndexTest {

    @Test
    void anEntryIsThereUntilItIsRemoved() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        PositionIndex index = new PositionIndex();
        Map<Long, Integer> model = new HashMap<>();
        // Few enough that most recur, many enough that runs of slots form, wrap around and grow.
        int fingerprints = 1 + random.nextInt(3_000);
        for (int i = 0; i < 100_000; i++) {
            long fingerprint = random.nextInt(fingerprints) - fingerprints / 2;
            if (random.nextInt(3) == 0) {
                index.remove(fingerprint);
                model.remove(fingerprint);
            } else {
                index.put(fingerprint, i);
                model.put(fingerprint, i);
            }
            long asked = random.nextInt(fingerprints) - fingerprints / 2;
            assertThat(index.get(asked)).as("seed %d, step %d", seed, i).isEqualTo(model.getOrDefault(asked, -1));
        }
        assertThat(index.entries()).as("seed %d", seed).isEqualTo(model.size());
    }

    @Test
    void addingAndRemovingDoesNotGrowTheTable() {
        PositionIndex index = new PositionIndex();
        for (int i = 0; i < 40; i++) {
            index.put(i, i);
        }
        long before = index.bytes();
        for (int i = 40; i < 100_000; i++) {
            index.remove(i - 40);
            index.put(i, i);
        }
        assertThat(index.bytes()).isEqualTo(before);
        assertThat(index.entries()).isEqualTo(40);
    }

    @Test
    void removedEntriesReleaseTheirMemory() {
        PositionIndex index = new PositionIndex();
        long before = index.bytes();
        for (int i = 0; i < 1_000; i++) {
            index.put(i, i);
        }
        long full = index.bytes();
        assertThat(full).isGreaterThan(before);
        for (int i = 0; i < 900; i++) {
            index.remove(i);
        }
        assertThat(index.bytes()).isBetween(before + 1, full / 2);
        index.clear();
        assertThat(index.bytes()).isEqualTo(before);
        assertThat(index.get(999)).isEqualTo(-1);
    }
}
