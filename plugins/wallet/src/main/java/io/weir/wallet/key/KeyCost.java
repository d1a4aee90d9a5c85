package io.weir.wallet.key;

import java.util.List;

/**
 * The cost of making a key of a passphrase with Argon2id. A higher cost leaves a thief of the file fewer guesses. The bounds hold
 * for settings and for files alike, so that no file can ask for more than the process can give. Immutable.
 *
 * @param memoryKib memory in KiB
 * @param iterations how often the memory is gone through
 * @param lanes into how many parts the memory is cut
 */
record KeyCost(int memoryKib, int iterations, int lanes) {

    static final int MIN_MEMORY_KIB = 8 * 1024;
    static final int MAX_MEMORY_KIB = 512 * 1024;
    static final int MAX_ITERATIONS = 16;
    static final int MAX_LANES = 16;

    /** Returns the values that are out of bounds, by the names of the settings; empty if all are within. */
    List<String> problems() {
        return List.of(
                        within("memory", memoryKib, MIN_MEMORY_KIB, MAX_MEMORY_KIB, " KiB"),
                        within("iterations", iterations, 1, MAX_ITERATIONS, ""),
                        within("lanes", lanes, 1, MAX_LANES, ""))
                .stream()
                .filter(problem -> !problem.isEmpty())
                .toList();
    }

    private static String within(String name, int value, int least, int most, String unit) {
        return value >= least && value <= most
                ? ""
                : name + ": " + value + unit + " (expected: from " + least + unit + " to " + most + unit + ")";
    }
}
