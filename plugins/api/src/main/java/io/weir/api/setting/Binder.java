package io.weir.api.setting;

import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigUtil;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads blocks into records, whose components declare their settings with {@link Setting}. It reports every problem and unknown name, and
 * binds harmless values in place of wrong ones. A component without a declaration gets the name of its entry in a map. Confined to one
 * thread.
 */
public final class Binder {

    private static final ConfigParseOptions DECLARED =
            ConfigParseOptions.defaults().setOriginDescription("reference.conf");
    private static final String BYTES = "Bytes";
    private static final String MILLIS = "Millis";
    private static final String ABSENT = "null";
    private static final String AUTO = "auto";
    private static final String OWN_BLOCK = ".";

    private final Folders folders;
    private final Map<Class<?>, Entries> entries = new HashMap<>();

    /** The entries of maps of one record: their defaults, and what a preset puts over these. */
    private record Entries(@Nullable Block defaults, UnaryOperator<Block> presets) {}

    /** @param folders at which relative paths begin that are not relative to their file */
    public Binder(Folders folders) {
        this.folders = folders;
    }

    /** Sets where entries of maps take their defaults from, and checks these. A preset may put its own values between the two. */
    public void putDefaults(Class<? extends Record> type, Block template, UnaryOperator<Block> presets) {
        entries.put(type, new Entries(template, presets));
        read(type, presets.apply(template), "");
    }

    /** Returns the settings of a block. */
    public <R extends Record> R read(Class<R> type, Block block) {
        return read(type, block, "");
    }

    /** Returns the defaults that the declarations of a record state, those of inner records too. */
    public static ConfigObject defaults(Class<?> type) {
        StringBuilder text = new StringBuilder();
        addDefaults(type, "", text);
        // Parsed once: as many texts as settings would take a noticeable part of a start.
        return ConfigFactory.parseString(text.toString(), DECLARED).root();
    }

    private static void addDefaults(Class<?> type, String prefix, StringBuilder text) {
        for (RecordComponent component : type.getRecordComponents()) {
            Setting declared = component.getAnnotation(Setting.class);
            if (declared == null) {
                continue;
            }
            if (declared.path().equals(OWN_BLOCK)) {
                addDefaults(component.getType(), prefix, text);
                continue;
            }
            String path = prefix + ConfigUtil.joinPath(path(component));
            if (isBlock(component, declared)) {
                addDefaults(component.getType(), path + '.', text);
            } else {
                text.append(path).append(" = ").append(declared.value()).append('\n');
            }
        }
    }

    /** Returns whether the settings of a component are a block of their own. */
    public static boolean isBlock(RecordComponent component, Setting declared) {
        return component.getType().isRecord() && declared.form() == Form.None.class;
    }

    /** Returns the settings of a block. The component without a declaration gets this name. */
    public <R extends Record> R read(Class<R> type, Block block, String name) {
        Scope scope = new Scope(block, name);
        R read = scope.read(type);
        scope.end();
        return read;
    }

    /** Returns a record of the same type with these values of its components. */
    public static <R extends Record> R with(R record, Function<RecordComponent, @Nullable Object> values) {
        @SuppressWarnings("unchecked")
        Class<R> type = (Class<R>) record.getClass();
        return construct(type, values);
    }

    /** Returns the value of a component. */
    public static @Nullable Object get(RecordComponent component, Record record) {
        try {
            return component.getAccessor().invoke(record);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static <R extends Record> R construct(Class<R> type, Function<RecordComponent, @Nullable Object> value) {
        RecordComponent[] components = type.getRecordComponents();
        Object[] values = Stream.of(components).map(value).toArray();
        try {
            var constructor = type.getDeclaredConstructor(
                    Stream.of(components).map(RecordComponent::getType).toArray(Class[]::new));
            constructor.setAccessible(true);
            return constructor.newInstance(values);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException(type + ": " + e.getCause(), e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the path of a declared setting within the block of its record. */
    public static List<String> path(RecordComponent component) {
        Setting declared = component.getAnnotation(Setting.class);
        if (declared != null && !declared.path().isEmpty()) {
            return List.of(declared.path().split("\\.", -1));
        }
        String name = component.getName();
        for (String unit : List.of(BYTES, MILLIS)) {
            name = name.endsWith(unit) ? name.substring(0, name.length() - unit.length()) : name;
        }
        return List.of(name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT));
    }

    private static Entries declaredDefaults(Class<? extends Record> type) {
        ConfigObject defaults = defaults(type);
        return new Entries(null, entry -> entry.withDefaults(defaults));
    }

    /** Returns the record of the entries, if this component is a map of such. */
    public static @Nullable Class<? extends Record> entryType(RecordComponent component) {
        return component.getType() == Map.class ? recordType(component, 1) : null;
    }

    /** Returns the record of the elements, if this component is a list of such. */
    public static @Nullable Class<? extends Record> elementType(RecordComponent component) {
        return component.getType() == List.class ? recordType(component, 0) : null;
    }

    private static Type typeArgument(RecordComponent component, int argument) {
        return ((ParameterizedType) component.getGenericType()).getActualTypeArguments()[argument];
    }

    private static @Nullable Class<? extends Record> recordType(RecordComponent component, int argument) {
        Type type = typeArgument(component, argument);
        return type instanceof Class<?> found && found.isRecord() ? found.asSubclass(Record.class) : null;
    }

    /** The reading of one record, and of those that group settings of the same block. */
    private final class Scope {

        private final Block block;
        private final String name;
        private final Map<List<String>, Block> inner = new LinkedHashMap<>();

        Scope(Block block, String name) {
            this.block = block;
            this.name = name;
        }

        <R extends Record> R read(Class<R> type) {
            R read = construct(type, this::value);
            if (read instanceof Checked checked) {
                checked.check(block);
            }
            return read;
        }

        void end() {
            inner.values().forEach(Block::end);
            block.end();
        }

        private @Nullable Object value(RecordComponent component) {
            Setting declared = component.getAnnotation(Setting.class);
            if (declared == null) {
                return name;
            }
            if (declared.path().equals(OWN_BLOCK)) {
                return read(component.getType().asSubclass(Record.class));
            }
            List<String> path = path(component);
            Block around = around(path.subList(0, path.size() - 1));
            String last = path.get(path.size() - 1);
            Class<? extends Record> entry = entryType(component);
            if (declared.form() != Form.None.class) {
                return form(declared).read(Binder.this, around, last);
            }
            if (entry != null) {
                return entries(around, last, entry, declared);
            }
            if (isBlock(component, declared)) {
                return block(around.block(last), component.getType().asSubclass(Record.class), declared);
            }
            if (component.getType() == Map.class) {
                check(typeArgument(component, 1) == String.class, component, "a map of texts or records, or a form");
                return texts(around.block(last), rule(declared));
            }
            Class<? extends Record> element = elementType(component);
            if (element != null) {
                if (declared.required()) {
                    around.look(last).require("a list of blocks");
                }
                return around.blocks(last).stream()
                        .map(block -> Binder.this.read(element, block.withDefaults(defaults(element))))
                        .toList();
            }
            return scalar(around.setting(last), component, declared);
        }

        private static Map<String, String> texts(Block map, TextRule rule) {
            Map<String, String> texts = new LinkedHashMap<>();
            map.settings().forEach((key, value) -> texts.put(key, value.text(rule)));
            return Collections.unmodifiableMap(texts);
        }

        private Block around(List<String> path) {
            Block at = block;
            for (int length = 1; length <= path.size(); length++) {
                Block outer = at;
                String next = path.get(length - 1);
                at = inner.computeIfAbsent(path.subList(0, length), key -> outer.block(next));
            }
            return at;
        }

        private @Nullable Object block(Block found, Class<? extends Record> type, Setting declared) {
            Record read = Binder.this.read(type, found, "");
            boolean absent = !declared.unless().isEmpty()
                    && found.look(declared.unless()).isNull();
            return absent ? null : read;
        }

        private Map<String, Record> entries(Block around, String last, Class<? extends Record> type, Setting declared) {
            if (around.isTemplate()) {
                return Map.of();
            }
            Entries known = entries.computeIfAbsent(type, any -> declaredDefaults(type));
            Block map = around.block(last);
            Map<String, Record> read = new LinkedHashMap<>();
            map.entries(known.defaults).forEach((key, entry) -> {
                if (!key.matches(declared.pattern())) {
                    entry.wrongName(declared.rule());
                }
                read.put(key, Binder.this.read(type, known.presets.apply(entry), key));
            });
            if (read.isEmpty() && declared.required() && around.isUsable()) {
                map.wrongEmpty("at least one " + last.substring(0, last.length() - 1));
            }
            return Collections.unmodifiableMap(read);
        }
    }

    /** Returns the form that reads a declared setting. */
    public static Form<?> form(Setting declared) {
        try {
            var constructor = declared.form().getDeclaredConstructor();
            constructor.setAccessible(true);
            return constructor.newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private @Nullable Object scalar(SettingValue value, RecordComponent component, Setting declared) {
        Class<?> type = component.getType();
        boolean optional = declared.value().equals(ABSENT) && !declared.required() && !type.isPrimitive();
        if (optional && value.isNull()) {
            return null;
        }
        if (type == int.class || type == Integer.class) {
            return (int) number(value, component, declared, Integer.MAX_VALUE);
        }
        if (type == long.class || type == Long.class) {
            return number(value, component, declared, Long.MAX_VALUE);
        }
        if (type == boolean.class || type == Boolean.class) {
            return value.flag();
        }
        if (type.isEnum()) {
            return value.word((Class) type);
        }
        if (type == List.class || type == Set.class) {
            return list(value, component, declared);
        }
        check(type == String.class || type == Path.class, component, "another type, or a form");
        TextRule rule = type == Path.class ? pathRule(declared) : rule(declared);
        String text = optional ? value.textOrNull(rule) : value.text(rule);
        if (text == null || type == String.class) {
            return text;
        }
        Path beside = value.besideItsFile(text);
        return declared.written() ? folders.written(text, beside) : beside;
    }

    /** Returns a number, in milliseconds or bytes if the range has units. */
    private static long number(SettingValue value, RecordComponent component, Setting declared, long most) {
        String[] range = declared.range().split(" to ", -1);
        check(range.length == 2, component, "a range such as \"1 to 9\"");
        // A minute and a mebibyte are both written m.
        if (Unit.DURATION.parse(range[1]).isPresent()) {
            check(Unit.DURATION.parse(range[1]).getAsLong() <= most, component, "a long");
            return value.millis(range[0], range[1]);
        }
        if (Unit.SIZE.parse(range[1]).isPresent()) {
            check(Unit.SIZE.parse(range[1]).getAsLong() <= most, component, "a long");
            return declared.value().equals(AUTO)
                    ? value.bytesOrAuto(range[0], range[1], HeapShare.ofProcess())
                    : value.bytes(range[0], range[1]);
        }
        check(Long.parseLong(range[1]) <= most, component, "a long");
        return value.number(Long.parseLong(range[0]), Long.parseLong(range[1]));
    }

    private static void check(boolean holds, RecordComponent component, String rule) {
        if (!holds) {
            throw new IllegalStateException(
                    "declaration of " + component.getDeclaringRecord().getSimpleName() + '.' + component.getName()
                            + " (expected: " + rule + ")");
        }
    }

    private Object list(SettingValue value, RecordComponent component, Setting declared) {
        Type element = typeArgument(component, 0);
        if (element == Path.class) {
            return value.texts(pathRule(declared)).stream()
                    .map(text -> folders.read(text, value.besideItsFile(text)))
                    .toList();
        }
        check(element == String.class, component, "a list of texts, paths or records, or a form");
        List<String> texts = value.texts(rule(declared));
        return component.getType() == Set.class ? Set.copyOf(texts) : texts;
    }

    private static TextRule rule(Setting declared) {
        return TextRule.matching(declared.pattern(), declared.rule());
    }

    private static TextRule pathRule(Setting declared) {
        return new TextRule(Binder::isPath, declared.rule());
    }

    private static boolean isPath(String text) {
        try {
            return !text.isBlank() && Path.of(text).getFileName() != null;
        } catch (InvalidPathException e) {
            return false;
        }
    }
}
