package io.weir.api.setting;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import io.weir.hocon.HoconDocument;
import io.weir.hocon.Problem;
import io.weir.hocon.Sources;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** One pass over a configuration, which collects problems and requested names. Confined to one thread. */
public final class Reading {

    private final HoconDocument document;
    private final List<Problem> problems;
    private final Set<List<String>> known = new LinkedHashSet<>();
    private final Set<List<String>> unknown = new LinkedHashSet<>();
    private final Map<List<String>, SettingValue> settings = new LinkedHashMap<>();

    /** Begins with the existing problems of the document. */
    public Reading(HoconDocument document) {
        this.document = document;
        this.problems = new ArrayList<>(document.problems());
    }

    /**
     * Begins to read a block over the defaults that the declarations of a record state.
     *
     * @param sources the positions of the values
     */
    public static Reading over(Class<? extends Record> type, ConfigObject block, Sources sources) {
        return new Reading(new HoconDocument(block.withFallback(Binder.defaults(type)), sources, List.of(), true));
    }

    /** Returns the outermost block. */
    public Block root() {
        return block(List.of());
    }

    /** Returns all of the document as the block with that path. */
    public Block block(List<String> path) {
        return new Block(this, path, document.root());
    }

    /** Returns all problems, unknown names last. Call it once, after everything was read. */
    public List<Problem> finish() {
        for (List<String> path : unknown) {
            problems.add(NearestName.unknown(path, known, document.sources()));
        }
        return List.copyOf(problems);
    }

    /** Notes a setting that is in force. The last one of a path counts: it has the presets. A secret remains one. */
    void read(SettingValue setting) {
        setting.replaces(settings.put(setting.path(), setting));
    }

    /** Returns the settings in force as lines of a file, block by block, without those that have the same value there. */
    public List<String> lines(Config without) {
        Map<List<String>, List<String>> blocks = new LinkedHashMap<>();
        // A list is printed whole: with a secret in it, it is one.
        settings.values().stream()
                .filter(SettingValue::isSecret)
                .map(this::listAround)
                .filter(Objects::nonNull)
                .forEach(SettingValue::secret);
        for (SettingValue setting : settings.values()) {
            String line = listAround(setting) == null ? setting.line(without) : null;
            if (line != null) {
                List<String> block = setting.path().subList(0, setting.path().size() - 1);
                blocks.computeIfAbsent(block, path -> new ArrayList<>()).add(line);
            }
        }
        return blocks.values().stream().flatMap(List::stream).toList();
    }

    /** Returns the list that a setting is part of; null if there is none. */
    private @Nullable SettingValue listAround(SettingValue setting) {
        return IntStream.range(1, setting.path().size())
                .mapToObj(length -> settings.get(setting.path().subList(0, length)))
                .filter(around -> around != null && around.isList())
                .findFirst()
                .orElse(null);
    }

    void know(List<String> path) {
        known.add(path);
    }

    void unknown(List<String> path) {
        unknown.add(path);
    }

    void wrong(List<String> path, ConfigValue value, boolean secret, String rule) {
        problems.add(document.sources().wrong(path, value, secret, rule));
    }

    /** Reports a problem about {@code path} at the name {@code position}. They are the same if the name may be shown. */
    void wrongName(List<String> position, List<String> path, String shown, String rule) {
        Problem problem = document.sources().atName(position, Sources.clean(shown), rule);
        problems.add(new Problem(
                problem.file(), problem.line(), problem.column(), Sources.render(path), problem.value(), rule));
    }

    /** Reports an absent setting, unless it may be in a part that could not be read. */
    void absent(List<String> path, String shown, String rule) {
        if (document.complete()) {
            wrongName(path, path, shown, rule);
        }
    }

    boolean complete() {
        return document.complete();
    }

    Sources sources() {
        return document.sources();
    }
}
