package io.weir.testing;

import com.typesafe.config.ConfigUtil;
import io.weir.api.setting.About;
import io.weir.api.setting.Binder;
import io.weir.api.setting.Form;
import io.weir.api.setting.Setting;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Declared settings, and the tables and files that are printed from them. Stateless. */
public final class DeclaredSettings {

    /**
     * A setting, or a block of settings.
     *
     * @param name within its block, or a path
     * @param value its default; empty for a block
     * @param values those that it takes, in words
     * @param inner the settings of a block
     */
    public record Declared(String name, String about, String value, String values, List<Declared> inner) {

        /** Returns whether it is a block of settings. */
        public boolean isBlock() {
            return value.isEmpty();
        }
    }

    private DeclaredSettings() {}

    /** Returns the settings below some, by path, without those that are blocks. */
    public static Map<String, Declared> leaves(String prefix, List<Declared> settings) {
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

    /**
     * Returns the settings that a record declares.
     *
     * @param withEntries whether entries of maps are described where the map is, as {@code map.<name>.setting}
     */
    public static List<Declared> of(Class<?> type, boolean withEntries) {
        List<Declared> settings = new ArrayList<>();
        for (RecordComponent component : type.getRecordComponents()) {
            Setting declared = component.getAnnotation(Setting.class);
            About about = component.getAnnotation(About.class);
            if (declared == null) {
                continue;
            }
            if (declared.path().equals(".")) {
                settings.addAll(of(component.getType(), withEntries));
            } else if (about != null) {
                settings.addAll(of(component, declared, about.value(), withEntries));
            }
        }
        return settings;
    }

    private static List<Declared> of(RecordComponent component, Setting declared, String about, boolean withEntries) {
        String name = String.join(".", Binder.path(component));
        if (Binder.isBlock(component, declared)) {
            return List.of(new Declared(name, about, "", "", of(component.getType(), withEntries)));
        }
        Class<? extends Record> entry = Binder.entryType(component);
        String value = entry == null ? declared.value() : "{}";
        List<Declared> settings = new ArrayList<>();
        settings.add(new Declared(name, about, value, values(component, declared), List.of()));
        if (entry != null && withEntries) {
            settings.add(new Declared(name + ".<name>", about, "", "", of(entry, true)));
        }
        Class<? extends Record> element = Binder.elementType(component);
        if (element != null && declared.form() == Form.None.class) {
            // What an element groups is described where the list is.
            List<Declared> own = of(element, true);
            own.removeIf(setting -> Stream.of(element.getRecordComponents())
                    .noneMatch(part -> String.join(".", Binder.path(part)).equals(setting.name)));
            settings.add(new Declared(name + ".<place>", about, "", "", own));
        }
        return settings;
    }

    private static String values(RecordComponent component, Setting declared) {
        Class<?> type = component.getType();
        if (!declared.range().isEmpty()) {
            return declared.range();
        }
        if (declared.form() != Form.None.class) {
            return Binder.form(declared).rule();
        }
        if (Binder.entryType(component) != null) {
            return "blocks, by name";
        }
        if (Binder.elementType(component) != null) {
            return "a list of blocks";
        }
        if (type == boolean.class || type == Boolean.class) {
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

    /**
     * Returns a page with its tables printed anew.
     *
     * @param settings all of them, by path
     */
    public static String page(String page, Map<String, Declared> settings) {
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
                        .append(table(line.replaceAll("<!-- settings: | -->", ""), settings))
                        .append('\n');
            }
        }
        return text.substring(0, text.length() - 1);
    }

    private static String table(String block, Map<String, Declared> settings) {
        StringBuilder table = new StringBuilder("| setting | default | values | effect |\n|---|---|---|---|\n");
        settings.forEach((path, setting) -> {
            if (path.equals(block) || path.startsWith(block + '.')) {
                boolean below = block.startsWith("defaults.") || block.startsWith("plugins.");
                String name = below ? path.substring(block.length() + 1) : path;
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

    /**
     * Prints the table of a plugin's settings on its page if the property {@code weir.print} is set.
     *
     * @throws AssertionError if the page has another one
     */
    public static void assertPrinted(Path page, String plugin, Class<? extends Record> type) throws IOException {
        String block = ConfigUtil.joinPath("plugins", plugin);
        String text = Files.readString(page);
        if (!text.contains("<!-- settings: " + block + " -->\n")) {
            throw new AssertionError(page + " has no table of settings (expected: <!-- settings: " + block + " -->)");
        }
        assertPrinted(page, page(text, leaves(block + '.', of(type, true))));
    }

    /**
     * Prints a file if the property {@code weir.print} is set.
     *
     * @throws AssertionError if it has another text
     */
    public static void assertPrinted(Path file, String text) throws IOException {
        if (Boolean.getBoolean("weir.print")) {
            Files.writeString(file, text);
        }
        if (!Files.readString(file).equals(text)) {
            throw new AssertionError(
                    file + " is printed from the declarations (expected: mvn -Prules -Dweir.print=true test)");
        }
    }
}
