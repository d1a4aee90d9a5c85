package io.weir.hocon;

import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigOrigin;
import com.typesafe.config.ConfigRenderOptions;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import io.weir.hocon.Outline.Entry;
import io.weir.hocon.Outline.Spot;
import io.weir.hocon.Outline.Substitution;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The positions of all settings of a configuration, for {@link Problem}s. Filled while the files are read, on one
 * thread; then immutable and thread-safe.
 */
public final class Sources {

    private static final int MAX_SHOWN = 80;
    private static final Pattern SUBSTITUTION = Pattern.compile("\\$\\{[^}]*}");
    private static final Pattern DESCRIPTION = Pattern.compile("(.*): (\\d+)(-\\d+)?", Pattern.DOTALL);

    /** The replacement for a secret. */
    static final String HIDDEN = "(hidden)";

    private record Position(String file, Entry entry, int sequence) {

        boolean is(ConfigOrigin origin) {
            Matcher known = DESCRIPTION.matcher(origin.description());
            return known.matches() && known.group(1).equals(file) && entry.isOnLine(origin.lineNumber());
        }
    }

    /** A substitution with its full path, which begins with that of the block it was included into. Immutable. */
    record LocatedSubstitution(String file, List<String> owner, List<String> path, Substitution where) {}

    private final String mainFile;
    private final Map<List<String>, List<Position>> positions = new HashMap<>();
    private final List<LocatedSubstitution> substitutions = new ArrayList<>();
    private final Set<Path> files = new LinkedHashSet<>();
    private int entries;

    Sources(String mainFile) {
        this.mainFile = mainFile;
    }

    /** Notes a file that was read, or could not be. */
    void add(Path file) {
        files.add(file);
    }

    /** Returns the files of the configuration, those with secrets and those that could not be read too. */
    public List<Path> files() {
        return List.copyOf(files);
    }

    String mainFile() {
        return mainFile;
    }

    void add(String file, List<String> prefix, Entry entry) {
        positions
                .computeIfAbsent(join(prefix, entry.path()), path -> new ArrayList<>())
                .add(new Position(file, entry, entries++));
    }

    void add(String file, List<String> prefix, Substitution substitution) {
        substitutions.add(new LocatedSubstitution(
                file, join(prefix, substitution.owner()), join(prefix, substitution.name()), substitution));
    }

    List<LocatedSubstitution> substitutions() {
        return substitutions;
    }

    /**
     * Returns the problem of a wrong value.
     *
     * @param path of the setting, names unquoted
     * @param value as read
     * @param secret whether the value must be hidden
     */
    public Problem wrong(List<String> path, ConfigValue value, boolean secret, String rule) {
        Position position = valuePosition(path, value.origin());
        String shown = secret ? hidden(value) : shown(position, value);
        Spot spot = position == null ? null : position.entry().value();
        if (position == null || spot == null) {
            return atName(path, shown, rule);
        }
        return new Problem(position.file(), spot.line(), spot.column(), render(path), shown, rule);
    }

    /**
     * Returns the problem of a setting's name or absence. Its position is that of the name, or of the nearest enclosing
     * block.
     */
    public Problem atName(List<String> path, String shown, String rule) {
        for (int length = path.size(); length > 0; length--) {
            List<Position> found = positions.get(path.subList(0, length));
            if (found != null) {
                Position position = found.get(found.size() - 1);
                Spot key = position.entry().key();
                return new Problem(position.file(), key.line(), key.column(), render(path), shown, rule);
            }
        }
        return new Problem(mainFile, 1, 0, render(path), shown, rule);
    }

    /**
     * Returns a setting as a line of a file, with the origin of its value as a comment: a file and a line, a preset, or the default.
     *
     * @param secret whether the value must be hidden, unless the file takes all of it from elsewhere
     */
    public String line(List<String> path, ConfigValue value, boolean secret) {
        String rendered = value.render(ConfigRenderOptions.concise());
        String shown = secret ? '"' + HIDDEN + '"' : rendered;
        String origin = value.origin().description();
        if (isDefault(value)) {
            return render(path) + " = " + rendered + "  # default";
        }
        Position position = valuePosition(path, value.origin());
        Spot spot = position == null ? null : position.entry().value();
        if (position != null && spot != null) {
            origin = position.file() + ':' + spot.line();
            // A secret may be written beside a substitution.
            String text = position.entry().text();
            boolean whole = SUBSTITUTION.matcher(text).matches();
            shown = whole || (!secret && position.entry().substituted()) ? text : shown;
        }
        return render(path) + " = " + shown + "  # " + origin;
    }

    /** Returns whether a value is the default of its setting. */
    public static boolean isDefault(ConfigValue value) {
        return value.origin().description().startsWith("reference.conf");
    }

    /** Returns whether some file names this setting. */
    public boolean isWritten(List<String> path) {
        return positions.containsKey(path);
    }

    /** Returns a path relative to the file of a value; as it is if no file has the value. */
    public Path beside(List<String> path, ConfigOrigin origin, String text) {
        Position position = valuePosition(path, origin);
        return position == null ? Path.of(text) : Path.of(position.file()).resolveSibling(text);
    }

    /** Returns the problem of a setting that one file states twice with values of its own; null if none does. */
    public @Nullable Problem statedTwice(List<String> path) {
        List<Position> all = positions.getOrDefault(path, List.of());
        int last = all.size() - 1;
        boolean twice = last > 0
                && !all.get(last).entry().substituted()
                && all.subList(0, last).stream()
                        .anyMatch(one -> one.file().equals(all.get(last).file()));
        return twice ? atName(path, "a second time", "one value, or another name for the second block") : null;
    }

    /** Returns the paths of all settings and blocks that files name. */
    public Set<List<String>> written() {
        return Collections.unmodifiableSet(positions.keySet());
    }

    /** Sorts the names in a block by their first position. */
    public List<String> inFileOrder(List<String> block, Collection<String> names) {
        return names.stream()
                .sorted(Comparator.<String>comparingInt(name -> sequence(join(block, List.of(name))))
                        .thenComparing(Comparator.naturalOrder()))
                .toList();
    }

    private int sequence(List<String> path) {
        List<Position> found = positions.get(path);
        return found == null ? Integer.MAX_VALUE : found.get(0).sequence();
    }

    /** Returns the path as written in a file. */
    public static String render(List<String> path) {
        return path.isEmpty() ? "file" : ConfigUtil.joinPath(path);
    }

    /**
     * Returns the position of the value that was read. The first choice is the last position in its origin. The second is a
     * substitution, because then the origin is elsewhere. The third is the last position, which is the effective one in
     * HOCON. A value that came with a whole block from elsewhere has no position under its own path. Its position is
     * that in its origin.
     */
    private @Nullable Position valuePosition(List<String> path, ConfigOrigin origin) {
        Position of = null;
        Position last = null;
        Position lastSubstituted = null;
        for (Position position : positions.getOrDefault(path, List.of())) {
            if (position.entry().value() == null) {
                continue;
            }
            of = position.is(origin) ? position : of;
            last = position;
            lastSubstituted = position.entry().substituted() ? position : lastSubstituted;
        }
        if (of != null) {
            return of;
        }
        if (last == null) {
            return foreignPosition(path.get(path.size() - 1), origin);
        }
        return lastSubstituted != null ? lastSubstituted : last;
    }

    private @Nullable Position foreignPosition(String name, ConfigOrigin origin) {
        for (Map.Entry<List<String>, List<Position>> entry : positions.entrySet()) {
            List<String> path = entry.getKey();
            if (path.get(path.size() - 1).equals(name)) {
                for (Position position : entry.getValue()) {
                    if (position.is(origin)) {
                        return position;
                    }
                }
            }
        }
        return null;
    }

    private static String hidden(ConfigValue value) {
        return value.valueType() == ConfigValueType.NULL ? "null" : HIDDEN;
    }

    private static String shown(@Nullable Position position, ConfigValue value) {
        if (value instanceof ConfigObject) {
            return "a block";
        }
        if (value instanceof ConfigList) {
            return "a list";
        }
        // Shows the written text, not the resolved one: a value from the environment may be a secret.
        return position == null ? HIDDEN : clean(position.entry().text());
    }

    /** Makes a text safe for one line of a terminal. */
    public static String clean(String text) {
        StringBuilder clean = new StringBuilder();
        text.codePoints().limit(MAX_SHOWN).forEach(c -> {
            boolean unseen = Character.isISOControl(c) || Character.getType(c) == Character.FORMAT;
            clean.appendCodePoint(unseen ? '?' : c);
        });
        return text.codePointCount(0, text.length()) > MAX_SHOWN ? clean + "…" : clean.toString();
    }

    private static List<String> join(List<String> prefix, List<String> path) {
        List<String> joined = new ArrayList<>(prefix);
        joined.addAll(path);
        return List.copyOf(joined);
    }
}
