package io.weir.bench.subscription;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The options of a command line: names that begin with two dashes, some with a value. Immutable. */
public record Arguments(Map<String, String> values) {

    public Arguments {
        values = Map.copyOf(values);
    }

    /**
     * Reads a command line.
     *
     * @param switches the options without a value
     * @param options the options with a value
     * @throws IllegalArgumentException if it is wrong
     */
    public static Arguments of(List<String> args, Set<String> switches, Set<String> options) {
        Map<String, String> values = new HashMap<>();
        for (int i = 0; i < args.size(); i++) {
            String name = args.get(i);
            if (switches.contains(name)) {
                values.put(name, "true");
            } else if (options.contains(name) && i + 1 < args.size()) {
                values.put(name, args.get(++i));
            } else {
                Set<String> known = new TreeSet<>(switches);
                known.addAll(options);
                throw new IllegalArgumentException(
                        "option: " + name + " (expected: one of " + known + ", with its value)");
            }
        }
        return new Arguments(values);
    }

    /** Returns whether an option was given. */
    public boolean has(String name) {
        return values.containsKey(name);
    }

    /** Returns the value of an option. */
    public String text(String name, String otherwise) {
        return values.getOrDefault(name, otherwise);
    }

    /** Returns the number of an option. */
    public long number(String name, long otherwise) {
        String text = values.get(name);
        try {
            return text == null ? otherwise : Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + ": " + text + " (expected: a whole number)", e);
        }
    }

    /** Returns the small number of an option. */
    public int count(String name, int otherwise) {
        return Math.toIntExact(number(name, otherwise));
    }
}
