package io.weir.method.params;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** Tables of each method's parameters, read from text beside this class. Pure. */
final class ParamsTable {

    static final String ADDRESS = "0x7a250d5630b4cf539739df2c5dacb4c659f2488d";
    static final String HASH = "0xb903239f8543d04b5dc1ba6579132b143087c68db1b2168786408fcbce568238";

    private static final String[] FILES = {"blocks", "transactions", "state", "executions", "logs", "traces"};
    private static final String[] TAGS = {"latest", "earliest", "pending", "safe", "finalized"};

    private ParamsTable() {}

    /**
     * One line of a table.
     *
     * @param normal the normal form; null where {@code error} says what is wrong instead
     * @param untouched whether the very bytes that came are passed on
     */
    record Row(String method, String given, String normal, boolean untouched, String error) {
        @Override
        public String toString() {
            return method + " " + (given.length() > 100 ? given.substring(0, 97) + "..." : given);
        }
    }

    static List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        for (String file : FILES) {
            String method = "";
            for (String line : read(file + ".txt").split("\n")) {
                if (line.startsWith("  ")) {
                    addRows(method, line.strip(), rows);
                } else if (!line.startsWith("#")) {
                    method = line.strip();
                }
            }
        }
        return rows;
    }

    private static void addRows(String method, String line, List<Row> rows) {
        if (line.contains("@tag")) {
            for (String tag : TAGS) {
                addRows(method, line.replace("@tag", tag), rows);
            }
            return;
        }
        String text = expand(line);
        if (text.endsWith(" ==")) {
            String given = text.substring(0, text.length() - 3);
            rows.add(new Row(method, given, given, true, null));
        } else if (text.contains(" !! ")) {
            String[] halves = text.split(" !! ", 2);
            rows.add(new Row(method, halves[0], null, false, halves[1]));
        } else {
            String[] halves = text.split(" -> ", 2);
            rows.add(new Row(method, halves[0], halves[1], false, null));
        }
    }

    private static String expand(String line) {
        String text = line;
        for (int length : new int[] {63, 62, 50}) {
            text = text.replace("@~" + length, HASH.substring(0, length));
        }
        return text.replace("@w0", "0x" + "0".repeat(64))
                .replace("@w1", "0x" + "0".repeat(63) + "1")
                .replace("@w2", "0x" + "0".repeat(63) + "2")
                .replace("@a", ADDRESS)
                .replace("@A", upperCase(ADDRESS))
                .replace("@h", HASH)
                .replace("@H", upperCase(HASH))
                .replace("@X", "0X" + HASH.substring(2));
    }

    /** With the digits in upper case, as checksums have some of them. */
    static String upperCase(String hex) {
        return "0x" + hex.substring(2).toUpperCase(Locale.ROOT);
    }

    private static String read(String name) {
        try (InputStream file = Objects.requireNonNull(ParamsTable.class.getResourceAsStream(name), name)) {
            return new String(file.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
