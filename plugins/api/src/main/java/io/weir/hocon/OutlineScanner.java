package io.weir.hocon;

import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigUtil;
import io.weir.hocon.Outline.Entry;
import io.weir.hocon.Outline.Include;
import io.weir.hocon.Outline.Item;
import io.weir.hocon.Outline.Mixture;
import io.weir.hocon.Outline.Spot;
import io.weir.hocon.Outline.Substitution;
import io.weir.hocon.Outline.Target;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Finds names, values, includes and substitutions in HOCON that Typesafe Config has accepted. For any other text the
 * result is undefined, but the scan ends. Confined to one thread.
 *
 * <p>It scans the text once, by recursive descent. A value is a sequence of parts up to a new line, a comma, a closing
 * bracket or a comment. The parts are blocks, lists, quoted texts, substitutions and plain characters.
 */
final class OutlineScanner {

    private final String text;
    private final LineTable lines;
    private final List<Item> items = new ArrayList<>();
    private int at;

    private OutlineScanner(String text) {
        this.text = text;
        this.lines = new LineTable(text);
    }

    static Outline scan(String text) {
        OutlineScanner scanner = new OutlineScanner(text);
        scanner.skipBlank(false);
        if (scanner.looksAt("{")) {
            scanner.at++;
        }
        scanner.block(List.of(), List.of());
        return new Outline(List.copyOf(scanner.items));
    }

    /** Reads the content of braces. The {@code owner} is the path without list indexes. */
    private void block(List<String> path, List<String> owner) {
        while (true) {
            skipBlank(true);
            if (at >= text.length()) {
                return;
            }
            if (looksAt("}")) {
                at++;
                return;
            }
            if (atInclude()) {
                include(path);
            } else {
                field(path, owner);
            }
        }
    }

    private boolean atInclude() {
        int after = at + "include".length();
        return looksAt("include")
                && after < text.length()
                && (text.charAt(after) == '"' || isBlank(text.charAt(after)) || text.charAt(after) == '\n');
    }

    private void include(List<String> path) {
        int start = at;
        at = text.indexOf('"', at);
        if (at < 0) {
            at = text.length();
            return;
        }
        String words = text.substring(start, at);
        int quote = at;
        skipQuoted();
        // The parser of the values knows the escapes of a quoted text.
        String name =
                ConfigFactory.parseString("v = " + text.substring(quote, at)).getString("v");
        Target target =
                words.contains("url(") ? Target.URL : words.contains("classpath(") ? Target.CLASSPATH : Target.FILE;
        items.add(new Include(path, target, name, lines.spot(quote)));
        skipBlank(false);
        while (looksAt(")")) {
            at++;
            skipBlank(false);
        }
    }

    private void field(List<String> parent, List<String> owner) {
        int start = at;
        skipKey();
        String key = text.substring(start, at).stripTrailing();
        List<String> names = ConfigUtil.splitPath(key);
        List<Spot> spots = nameSpots(start, key, names.size());
        List<String> path = parent;
        for (int i = 0; i < names.size(); i++) {
            path = with(path, names.get(i));
            if (i < names.size() - 1) {
                items.add(new Entry(path, spots.get(i), null, "", false));
            }
        }
        skipBlank(false);
        if (looksAt("+=")) {
            at += 2;
        } else if (looksAt("=") || looksAt(":")) {
            at++;
        }
        skipBlank(false);
        // Inside a list the owner remains the list, because a path cannot address its content.
        value(path, owner.size() == parent.size() ? path : owner, spots.get(names.size() - 1));
    }

    private void skipKey() {
        while (at < text.length() && "=:{\n".indexOf(text.charAt(at)) < 0 && !looksAt("+=") && !atComment()) {
            if (looksAt("\"")) {
                skipQuoted();
            } else {
                at++;
            }
        }
    }

    /** Returns the position of each name in a dotted key. */
    private List<Spot> nameSpots(int start, String key, int count) {
        List<Spot> spots = new ArrayList<>(List.of(lines.spot(start)));
        boolean quoted = false;
        for (int i = 0; i < key.length(); i++) {
            if (key.charAt(i) == '\\') {
                i++;
            } else if (key.charAt(i) == '"') {
                quoted = !quoted;
            } else if (key.charAt(i) == '.' && !quoted) {
                spots.add(lines.spot(start + i + 1));
            }
        }
        while (spots.size() < count) {
            spots.add(spots.get(0));
        }
        return spots;
    }

    private void value(List<String> path, List<String> owner, Spot key) {
        int start = at;
        int end = at;
        boolean structured = false;
        boolean plain = false;
        boolean substituted = false;
        while (at < text.length() && ",}]\n".indexOf(text.charAt(at)) < 0 && !atComment()) {
            char first = text.charAt(at);
            if (looksAt("${")) {
                substitution(owner);
                substituted = true;
            } else if (first == '{' || first == '[') {
                structure(path, owner);
                structured = true;
            } else if (first == '"') {
                skipQuoted();
                plain = true;
            } else {
                at++;
                plain |= !isBlank(first);
            }
            end = isBlank(first) ? end : at;
        }
        items.add(new Entry(path, key, lines.spot(start), text.substring(start, end), substituted));
        if (structured && plain) {
            items.add(new Mixture(path, lines.spot(start)));
        }
    }

    private void structure(List<String> path, List<String> owner) {
        boolean block = looksAt("{");
        at++;
        if (block) {
            block(path, owner);
        } else {
            list(path, owner);
        }
    }

    private void list(List<String> path, List<String> owner) {
        for (int index = 0; ; index++) {
            skipBlank(true);
            if (at >= text.length()) {
                return;
            }
            if (looksAt("]")) {
                at++;
                return;
            }
            int before = at;
            value(with(path, Integer.toString(index)), owner, lines.spot(at));
            if (at == before) {
                // An unmatched closing bracket is not accepted HOCON, but must not cause an endless loop.
                at++;
            }
        }
    }

    private void substitution(List<String> owner) {
        int start = at;
        at += 2;
        boolean optional = looksAt("?");
        int from = optional ? at + 1 : at;
        while (at < text.length() && !looksAt("}")) {
            if (looksAt("\"")) {
                skipQuoted();
            } else {
                at++;
            }
        }
        String name = text.substring(Math.min(from, at), at).strip();
        at = Math.min(at + 1, text.length());
        // `${NAME[]}` reads a list from the environment.
        String plain = name.endsWith("[]") ? name.substring(0, name.length() - 2) : name;
        items.add(new Substitution(owner, ConfigUtil.splitPath(plain), optional, lines.spot(start)));
    }

    private void skipQuoted() {
        if (looksAt("\"\"\"")) {
            int close = text.indexOf("\"\"\"", at + 3);
            at = close < 0 ? text.length() : close + 3;
            while (looksAt("\"")) {
                at++;
            }
            return;
        }
        at++;
        while (at < text.length() && text.charAt(at) != '"') {
            at += text.charAt(at) == '\\' ? 2 : 1;
        }
        at = Math.min(at + 1, text.length());
    }

    private void skipBlank(boolean commas) {
        while (at < text.length()) {
            char c = text.charAt(at);
            if (atComment()) {
                int newLine = text.indexOf('\n', at);
                at = newLine < 0 ? text.length() : newLine;
            } else if (isBlank(c) || c == '\n' || (commas && c == ',')) {
                at++;
            } else {
                return;
            }
        }
    }

    private boolean atComment() {
        return looksAt("#") || looksAt("//");
    }

    private boolean looksAt(String word) {
        return text.startsWith(word, at);
    }

    private static boolean isBlank(char c) {
        return c != '\n' && (Character.isWhitespace(c) || Character.isSpaceChar(c) || c == '\uFEFF');
    }

    private static List<String> with(List<String> path, String name) {
        List<String> longer = new ArrayList<>(path);
        longer.add(name);
        return List.copyOf(longer);
    }

    /** The conversion of offsets in a text into lines and columns. Immutable. */
    private static final class LineTable {

        private final int[] starts;

        LineTable(String text) {
            int count = 1 + (int) text.chars().filter(c -> c == '\n').count();
            starts = new int[count];
            int line = 1;
            for (int i = 0; i < text.length(); i++) {
                if (text.charAt(i) == '\n') {
                    starts[line++] = i + 1;
                }
            }
        }

        Spot spot(int offset) {
            int found = Arrays.binarySearch(starts, offset);
            int line = found >= 0 ? found : -found - 2;
            return new Spot(line + 1, offset - starts[line] + 1);
        }
    }
}
