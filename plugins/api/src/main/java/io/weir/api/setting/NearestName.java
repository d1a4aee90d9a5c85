package io.weir.api.setting;

import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import io.weir.hocon.Problem;
import io.weir.hocon.Sources;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the known name that an unknown name probably means, or why there is no such setting any more. */
public final class NearestName {

    /** The behaviour in place of each removed setting, by its path below {@code defaults}. */
    private static final ConfigObject REMOVED = ConfigFactory.parseResources(
                    NearestName.class.getClassLoader(), "removed-settings.conf")
            .root();

    private NearestName() {}

    /** Returns the problem of an unknown setting. Its value is hidden, because it may be a misspelt secret. */
    static Problem unknown(List<String> path, Collection<List<String>> known, Sources sources) {
        ConfigValue removed = REMOVED.get(ofEveryEntry(Sources.render(path)));
        if (removed != null) {
            return sources.atName(path, "removed setting", "nothing: " + removed.unwrapped());
        }
        List<String> nearest = nearest(path, known);
        String rule =
                nearest == null ? "a known setting" : "a known setting; did you mean " + Sources.render(nearest) + "?";
        return sources.atName(path, "unknown setting", rule);
    }

    /** Returns whether there were settings in an unknown block. */
    static boolean isRemovedBlock(List<String> path) {
        String below = ofEveryEntry(Sources.render(path) + '.');
        return REMOVED.keySet().stream().anyMatch(removed -> removed.startsWith(below));
    }

    /** Returns a path with the defaults of all entries in place of one entry of a map. */
    static String ofEveryEntry(String path) {
        return path.replaceFirst("^networks\\.[^.]+\\.upstreams\\.[^.]+\\.", "defaults.upstream.")
                .replaceFirst("^networks\\.[^.]+\\.", "defaults.network.")
                .replaceFirst("^access\\.keys\\.[^.]+\\.", "defaults.key.");
    }

    /** Returns a name of the same block that differs in few letters; else the same name in another block. */
    static @Nullable List<String> nearest(List<String> path, Collection<List<String>> known) {
        String name = last(path);
        int most = Math.max(1, name.length() / 3);
        return known.stream()
                .filter(other -> other.size() == path.size() && parent(other).equals(parent(path)))
                .filter(other -> distance(name, last(other)) <= most)
                .min(Comparator.comparingInt(other -> distance(name, last(other))))
                .orElseGet(() -> elsewhere(path, known));
    }

    /** Returns a name that differs in few letters; null if there is none. */
    public static @Nullable String nearest(String name, Collection<String> known) {
        List<List<String>> paths = known.stream().map(List::of).toList();
        List<String> nearest = nearest(List.of(name), paths);
        return nearest == null ? null : last(nearest);
    }

    /** Returns {@code ; did you mean NAME?} of a name that differs in few letters; empty if there is none. */
    public static String hint(String name, Collection<String> known) {
        String nearest = nearest(name, known);
        return nearest == null ? "" : "; did you mean " + nearest + "?";
    }

    private static @Nullable List<String> elsewhere(List<String> path, Collection<List<String>> known) {
        String whole = Sources.render(path);
        return known.stream()
                .filter(candidate -> last(candidate).equals(last(path)))
                .min(Comparator.comparingInt(candidate -> distance(whole, Sources.render(candidate))))
                .orElse(null);
    }

    private static String last(List<String> path) {
        return path.get(path.size() - 1);
    }

    private static List<String> parent(List<String> path) {
        return path.subList(0, path.size() - 1);
    }

    /** Returns the Levenshtein distance, with a swap of two neighbours as one edit. */
    public static int distance(String a, String b) {
        int[] beforeLast = new int[b.length() + 1];
        int[] last = new int[b.length() + 1];
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            last[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = last[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(replaced, 1 + Math.min(last[j], row[j - 1]));
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    row[j] = Math.min(row[j], beforeLast[j - 2] + 1);
                }
            }
            int[] free = beforeLast;
            beforeLast = last;
            last = row;
            row = free;
        }
        return last[b.length()];
    }
}
