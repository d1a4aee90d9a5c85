package io.weir.wallet.chain;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A version of the network's JSON-RPC specification, by its first two numbers. Immutable. */
record SpecVersion(int major, int minor) {
    private static final Pattern TEXT = Pattern.compile("v?([0-9]{1,4})\\.([0-9]{1,4})(\\..*)?");
    private static final int OLDEST_MINOR = 8;
    private static final int NEWEST_MINOR = 10;
    private static final int FIRST_WITH_PRE_CONFIRMED = 9;

    /**
     * Reads what nodes answer, such as {@code 0.9.0}.
     *
     * @throws IllegalArgumentException when it is no version
     */
    static SpecVersion parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("a version");
        }
        return new SpecVersion(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)));
    }

    /** Whether the wallet speaks it. */
    boolean isSpoken() {
        return major == 0 && minor >= OLDEST_MINOR && minor <= NEWEST_MINOR;
    }

    /** The tag of the block that is being made. */
    String pendingTag() {
        return minor >= FIRST_WITH_PRE_CONFIRMED ? "pre_confirmed" : "pending";
    }
}
