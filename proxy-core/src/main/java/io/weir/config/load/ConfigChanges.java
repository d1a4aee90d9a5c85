package io.weir.config.load;

import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import io.weir.api.setting.Binder;
import io.weir.config.NetworkConfig;
import io.weir.config.WeirConfig;
import io.weir.config.load.ConfigLoader.Loaded;
import io.weir.hocon.Sources;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The differences between the configuration that a proxy runs with and the next one: names and paths, never values. Immutable.
 *
 * @param networks those that the next configuration adds, changes or removes
 * @param keys the API keys, likewise
 * @param settings the paths of the changed settings that a reload puts in force
 * @param restart the paths of the changed settings that need a restart
 */
public record ConfigChanges(Names networks, Names keys, List<String> settings, List<String> restart) {

    public static final ConfigChanges NONE = new ConfigChanges(Names.NONE, Names.NONE, List.of(), List.of());

    /** Names of entries that differ, each list in order. Immutable. */
    public record Names(List<String> added, List<String> changed, List<String> removed) {

        public static final Names NONE = new Names(List.of(), List.of(), List.of());

        static <T> Names between(Map<String, T> before, Map<String, T> after, BiPredicate<T, T> same) {
            List<String> added = new ArrayList<>();
            List<String> changed = new ArrayList<>();
            for (String name : new TreeSet<>(after.keySet())) {
                T old = before.get(name);
                if (old == null) {
                    added.add(name);
                } else if (!same.test(old, Objects.requireNonNull(after.get(name)))) {
                    changed.add(name);
                }
            }
            List<String> removed = new TreeSet<>(before.keySet())
                    .stream().filter(name -> !after.containsKey(name)).toList();
            return new Names(List.copyOf(added), List.copyOf(changed), removed);
        }

        public boolean isEmpty() {
            return added.isEmpty() && changed.isEmpty() && removed.isEmpty();
        }

        @Override
        public String toString() {
            return "added " + added + ", changed " + changed + ", removed " + removed;
        }
    }

    public static ConfigChanges between(Loaded running, Loaded next) {
        WeirConfig before = running.config();
        WeirConfig after = next.config();
        Names networks = Names.between(before.networks(), after.networks(), ConfigChanges::isSame);
        Names keys = Names.between(before.access().keys(), after.access().keys(), Object::equals);
        List<String> settings = new ArrayList<>();
        boolean reloaded = !networks.isEmpty()
                || !before.access().equals(after.access())
                || before.reloadWatchMillis() != after.reloadWatchMillis()
                || before.logLevel() != after.logLevel()
                || !before.defaultNetwork().equals(after.defaultNetwork());
        List<String> restart = new ArrayList<>();
        if (reloaded) {
            difference(running, next, "defaults", settings);
        }
        for (RecordComponent part : WeirConfig.class.getRecordComponents()) {
            boolean stays = WeirConfig.needsRestart(part);
            boolean differs = stays ? !Objects.equals(Binder.get(part, before), Binder.get(part, after)) : reloaded;
            if (differs) {
                difference(running, next, Binder.path(part).get(0), stays ? restart : settings);
            }
        }
        List<String> live = restart.stream().filter(ConfigChanges::isLive).toList();
        restart.removeAll(live);
        settings.removeAll(restart);
        settings.addAll(live);
        return new ConfigChanges(networks, keys, settings.stream().distinct().toList(), List.copyOf(restart));
    }

    private static boolean isLive(String path) {
        return WeirConfig.livePaths().stream()
                .map(Sources::render)
                .anyMatch(live -> path.equals(live) || path.startsWith(live + "."));
    }

    /** Returns whether a reload changes anything. */
    public boolean isEmpty() {
        return networks.isEmpty() && keys.isEmpty() && settings.isEmpty();
    }

    private static boolean isSame(NetworkConfig before, NetworkConfig after) {
        return before.equals(after) && before.servesLike(after);
    }

    private static void difference(Loaded running, Loaded next, String part, List<String> paths) {
        difference(running.values().get(part), next.values().get(part), List.of(part), paths);
    }

    private static void difference(
            @Nullable ConfigValue before, @Nullable ConfigValue after, List<String> path, List<String> paths) {
        if (Objects.equals(before, after)) {
            return;
        }
        if (before instanceof ConfigObject old && after instanceof ConfigObject anew) {
            TreeSet<String> names = new TreeSet<>(old.keySet());
            names.addAll(anew.keySet());
            for (String name : names) {
                List<String> inner = new ArrayList<>(path);
                inner.add(name);
                difference(old.get(name), anew.get(name), inner, paths);
            }
        } else {
            paths.add(Sources.render(path));
        }
    }
}
