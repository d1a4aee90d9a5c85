package io.weir.testing;

/** How much a random test does: a part in each build, and much more with {@code mvn -Pthorough}. */
public final class Runs {

    private static final boolean THOROUGH = Boolean.getBoolean("weir.thorough");

    private Runs() {}

    /** Whether the profile {@code thorough} is on. */
    public static boolean isThorough() {
        return THOROUGH;
    }

    /**
     * Returns how many runs a test does.
     *
     * @param property the system property that says another number
     * @param usual the number of each build
     * @param thorough the number with the profile {@code thorough}
     */
    public static int number(String property, int usual, int thorough) {
        return Integer.getInteger(property, THOROUGH ? thorough : usual);
    }
}
