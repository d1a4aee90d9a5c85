package io.weir.config.load;

import io.weir.config.AccessConfig.KeyConfig;
import io.weir.config.NetworkConfig;
import io.weir.config.TlsConfig.KeyFiles;
import io.weir.config.UpstreamConfig;
import io.weir.config.WeirConfig;
import io.weir.config.setting.About;
import io.weir.config.setting.Binder;
import io.weir.config.setting.Form;
import io.weir.config.setting.Setting;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The declared settings of the proxy, printed for the files and pages that show them. Stateless. */
final class DeclaredSettings {

    private static final int WIDTH = 138;

    /** The records of the entries of maps, by the block with their defaults. */
    private static final Map<String, Class<? extends Record>> ENTRIES = new LinkedHashMap<>();

    static {
        ENTRIES.put("network", NetworkConfig.class);
        ENTRIES.put("upstream", UpstreamConfig.class);
        ENTRIES.put("certificate", KeyFiles.class);
        ENTRIES.put("key", KeyConfig.class);
    }

    /**
     * A setting, or a block of settings.
     *
     * @param name within its block, or a path
     * @param value its default; empty for a block
     * @param values those that it takes, in words
     * @param inner the settings of a block
     */
    record Declared(String name, String about, String value, String values, List<Declared> inner) {

        boolean isBlock() {
            return value.isEmpty();
        }
    }

    private DeclaredSettings() {}

    /** Returns all settings, those of {@code defaults} last. */
    static List<Declared> all() {
        List<Declared> all = new ArrayList<>(of(WeirConfig.class));
        List<Declared> defaults = new ArrayList<>();
        ENTRIES.forEach((name, type) -> defaults.add(new Declared(name, "Of each " + name + ".", "", "", of(type))));
        all.add(new Declared(
                "defaults",
                "Defaults of entries of maps. The configuration file may override them here too.",
                "",
                "",
                defaults));
        return all;
    }

    /** Returns the leaves below settings, by path. */
    static Map<String, Declared> leaves(String prefix, List<Declared> settings) {
        Map<String, Declared> leaves = new LinkedHashMap<>();
        for (Declared setting : settings) {
            if (setting.isBlock()) {
                leaves.putAll(leaves(prefix + setting.name + '.', setting.inner));
            } else {
                leaves.put(prefix + setting.name, setting);
            }
        }
        return leaves;
    }

    private static List<Declared> of(Class<?> type) {
        List<Declared> settings = new ArrayList<>();
        for (RecordComponent component : type.getRecordComponents()) {
            Setting declared = component.getAnnotation(Setting.class);
            About about = component.getAnnotation(About.class);
            Class<? extends Record> entry = Binder.entryType(component);
            if (declared == null || entry == UpstreamConfig.class) {
                continue;
            }
            if (declared.path().equals(".")) {
                settings.addAll(of(component.getType()));
            } else if (about != null) {
                String name = String.join(".", Binder.path(component));
                boolean block = component.getType().isRecord() && declared.form() == Form.None.class;
                settings.add(
                        block
                                ? new Declared(name, about.value(), "", "", of(component.getType()))
                                : new Declared(
                                        name,
                                        about.value(),
                                        value(declared, entry),
                                        values(component, declared),
                                        List.of()));
            }
        }
        return settings;
    }

    private static String value(Setting declared, Class<? extends Record> entry) {
        return entry == null ? declared.value() : "{}";
    }

    private static String values(RecordComponent component, Setting declared) {
        Class<?> type = component.getType();
        if (!declared.range().isEmpty()) {
            return declared.range();
        }
        if (Binder.entryType(component) != null) {
            return "blocks, by name";
        }
        if (declared.form() != Form.None.class) {
            return Binder.form(declared).rule();
        }
        if (type == boolean.class) {
            return "";
        }
        if (type.isEnum()) {
            return Stream.of(type.getEnumConstants())
                    .map(constant ->
                            ((Enum<?>) constant).name().toLowerCase(Locale.ROOT).replace('_', '-'))
                    .collect(Collectors.joining(", "));
        }
        return declared.rule();
    }

    /** Returns the text of {@code reference.conf}. */
    static String reference() {
        StringBuilder text = new StringBuilder("""
                # Every setting of the proxy with its default, printed from the declarations in io.weir.config. The configuration file overrides
                # this file. Networks, upstreams, certificates and API keys have no defaults of their own: their entries take those below `defaults`.
                """);
        print(all(), "", text);
        return text.toString();
    }

    private static void print(List<Declared> settings, String indent, StringBuilder text) {
        for (Declared setting : settings) {
            if (indent.isEmpty()) {
                text.append('\n');
            }
            comment(setting.about, indent, text);
            text.append(indent).append(setting.name);
            if (setting.isBlock()) {
                text.append(" {\n");
                print(setting.inner, indent + "  ", text);
                text.append(indent).append("}\n");
            } else if (setting.value.equals("{}")) {
                text.append(" {}\n");
            } else {
                text.append(" = ").append(setting.value).append('\n');
            }
        }
    }

    private static void comment(String about, String indent, StringBuilder text) {
        StringBuilder line = new StringBuilder(indent).append('#');
        for (String word : about.split(" ", -1)) {
            if (line.length() + 1 + word.length() > WIDTH) {
                text.append(line).append('\n');
                line = new StringBuilder(indent).append('#');
            }
            line.append(' ').append(word);
        }
        text.append(line).append('\n');
    }

    /** Returns the page of settings with its tables printed anew. */
    static String page(String page) {
        StringBuilder text = new StringBuilder();
        boolean old = false;
        for (String line : page.split("\n", -1)) {
            if (line.equals("<!-- /settings -->")) {
                old = false;
            }
            if (!old) {
                text.append(line).append('\n');
            }
            if (line.startsWith("<!-- settings: ")) {
                old = true;
                text.append('\n')
                        .append(table(line.replaceAll("<!-- settings: | -->", "")))
                        .append('\n');
            }
        }
        return text.substring(0, text.length() - 1);
    }

    private static String table(String block) {
        StringBuilder table = new StringBuilder("| setting | default | values | effect |\n|---|---|---|---|\n");
        leaves("", all()).forEach((path, setting) -> {
            if (path.equals(block) || path.startsWith(block + '.')) {
                String name = block.startsWith("defaults.") ? path.substring(block.length() + 1) : path;
                String values = setting.values
                        .replaceFirst("^(\\d+) to (\\d+)$", "$1–$2")
                        .replace("*", "\\*");
                table.append("| `" + name + "` | `" + setting.value + "` | " + cell(values) + " | "
                        + cell(setting.about) + " |\n");
            }
        });
        return table.toString();
    }

    private static String cell(String text) {
        return text.replace("|", "\\|").replace("<", "&lt;");
    }
}
