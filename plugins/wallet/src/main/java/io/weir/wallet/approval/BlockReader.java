package io.weir.wallet.approval;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigUtil;
import io.weir.l2.Felt;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A block of the settings whose form the host cannot check. Each mistake is one line for the operator. Confined to one thread.
 *
 * @param path of the block, as in those lines
 */
record BlockReader(String path, Config block, List<String> problems) {

    private static final int MAX_DIGITS = 40;

    /** Returns whether it has a member. */
    boolean has(String name) {
        return block.hasPath(name);
    }

    void problem(String name, String mistake) {
        problems.add(path + "." + name + ": " + mistake);
    }

    /** Notes members of other names. */
    void allow(Set<String> names) {
        for (String name : block.root().keySet()) {
            if (!names.contains(name)) {
                problem(ConfigUtil.quoteString(name), "unknown (expected: one of " + String.join(", ", names) + ")");
            }
        }
    }

    String text(String name) {
        try {
            return block.getString(name);
        } catch (ConfigException e) {
            problem(name, "not understood (expected: a text)");
            return "";
        }
    }

    /** Returns a flag, or what it is without the member. */
    boolean flag(String name, boolean otherwise) {
        try {
            return has(name) ? block.getBoolean(name) : otherwise;
        } catch (ConfigException e) {
            problem(name, "not understood (expected: true or false)");
            return false;
        }
    }

    /** Returns a number, or what it is without the member. */
    int number(String name, int otherwise, int most) {
        String text = has(name) ? text(name) : String.valueOf(otherwise);
        if (text.matches("[0-9]{1,4}") && Integer.parseInt(text) <= most) {
            return Integer.parseInt(text);
        }
        problem(name, text + " (expected: a whole number from 0 to " + most + ")");
        return most;
    }

    Set<String> texts(String name) {
        try {
            return Set.copyOf(block.getStringList(name));
        } catch (ConfigException e) {
            problem(name, "missing or no list (expected: a list [ … ], [\"*\"] for all)");
            return Set.of();
        }
    }

    /**
     * Returns addresses.
     *
     * @param every the one text that is no address
     */
    Set<Felt> addresses(String name, Set<String> texts, String every) {
        Set<Felt> addresses = new HashSet<>();
        texts.stream().filter(text -> !text.equals(every)).forEach(text -> {
            try {
                addresses.add(Felt.parseHex(text));
            } catch (IllegalArgumentException e) {
                String rest = every.isEmpty() ? "" : ", or " + every;
                problem(name, text + " (expected: 0x and the digits of an address" + rest + ")");
            }
        });
        return Set.copyOf(addresses);
    }

    /**
     * Returns an amount in the smallest unit. It is written as text: 10^18 and more has digits that a floating-point number would
     * lose.
     *
     * @param decimals the number of decimal places that it may have
     */
    BigInteger amount(String name, int decimals) {
        String text = has(name) ? text(name) : "nothing";
        if (text.length() <= MAX_DIGITS && text.matches("[0-9]+(\\.[0-9]+)?")) {
            BigDecimal amount = new BigDecimal(text).movePointRight(decimals).stripTrailingZeros();
            if (amount.scale() <= 0) {
                return amount.toBigIntegerExact();
            }
        }
        String form = decimals == 0
                ? "a whole number of the token's smallest unit"
                : "a number with up to " + decimals + " decimal places";
        problem(name, text + " (expected: " + form + ", in quotes, at most " + MAX_DIGITS + " digits)");
        return BigInteger.ZERO;
    }
}
