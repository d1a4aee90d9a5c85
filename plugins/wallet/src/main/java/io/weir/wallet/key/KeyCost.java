package io.weir.wallet.key;

import java.util.List;

/**
 * What it costs to make a key of a passphrase with Argon2id: the dearer, the fewer guesses a thief of the file has. The bounds hold
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

    /** What is out of bounds, as the names of settings are written; empty where all is well. */
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
