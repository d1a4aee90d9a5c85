package io.weir.api.setting;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import io.weir.hocon.HoconDocument;
import io.weir.hocon.Sources;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One setting. Each conversion reports an unsuitable value and returns a harmless one, so that reading continues.
 * Confined to one thread.
 */
public final class SettingValue {

    private final Reading reading;
    private final List<String> path;
    private final ConfigValue value;
    private final boolean inherited;
    private final boolean required;
    private boolean secret;

    /**
     * Created by {@link Block}.
     *
     * @param inherited whether it was read, and reported, elsewhere
     * @param required whether its absence is a problem if a value is requested
     */
    SettingValue(Reading reading, List<String> path, ConfigValue value, boolean inherited, boolean required) {
        this.reading = reading;
        this.path = path;
        this.value = value;
        this.inherited = inherited;
        this.required = required;
    }

    List<String> path() {
        return path;
    }

    void replaces(@Nullable SettingValue before) {
        secret |= before != null && before.secret;
    }

    /** Returns the setting as a line of a file; null for a block with members, which are settings themselves, and if it needs no line. */
    @Nullable
    String line(Config without) {
        String general = NearestName.ofEveryEntry(Sources.render(path));
        boolean needless = without.hasPath(general)
                ? without.getValue(general).unwrapped().equals(value.unwrapped())
                : Sources.isDefault(value) && !without.isEmpty();
        boolean filled = value instanceof ConfigObject block && !block.isEmpty();
        return filled || isNull() || needless ? null : reading.sources().line(path, value, secret);
    }

    /** Marks the value as secret, so that it is never shown. */
    public SettingValue secret() {
        secret = true;
        return this;
    }

    /** Returns whether there is no value. */
    public boolean isNull() {
        return value.valueType() == ConfigValueType.NULL;
    }

    /** Returns whether a file names the setting here, and not for all of its kind. */
    public boolean isWritten() {
        return !inherited && reading.sources().isWritten(path);
    }

    /** Returns whether the value is a block. */
    public boolean isBlock() {
        return value instanceof ConfigObject;
    }

    boolean isSecret() {
        return secret;
    }

    boolean isList() {
        return value instanceof ConfigList;
    }

    /** Returns the content of a block; null, with a problem, if it is none. */
    @Nullable
    ConfigObject content(String rule) {
        if (value instanceof ConfigObject content) {
            return content;
        }
        // Hidden: a text in place of a block may be a secret that belongs inside it.
        secret().wrong(rule);
        return null;
    }

    /** Returns whether the value is unknown, which was reported already. */
    public boolean isUnknown() {
        return HoconDocument.isUnknown(value);
    }

    /** Returns a whole number. */
    public long number(long min, long max) {
        String rule = "a whole number from " + min + " to " + max;
        String text = scalar(rule);
        if (text == null) {
            return min;
        }
        if (text.matches("[+-]?[0-9]{1,30}")) {
            BigDecimal number = new BigDecimal(text);
            if (number.compareTo(BigDecimal.valueOf(min)) >= 0 && number.compareTo(BigDecimal.valueOf(max)) <= 0) {
                return number.longValueExact();
            }
        }
        wrong(rule);
        return min;
    }

    /** Returns a duration in milliseconds. The bounds are written as in a file. */
    public long millis(String min, String max) {
        return quantity(Unit.DURATION, min, max);
    }

    /** Returns a size in bytes. The bounds are written as in a file. */
    public long bytes(String min, String max) {
        return quantity(Unit.SIZE, min, max);
    }

    /** Returns a size in bytes, or another one for {@code auto}. The bounds are written as in a file. */
    public long bytesOrAuto(String min, String max, long automatic) {
        return is("auto") ? automatic : bytes(min, max);
    }

    private long quantity(Unit quantity, String min, String max) {
        long least = quantity.parse(min).orElseThrow();
        String rule = quantity.rule(min, max);
        String text = scalar(rule);
        if (text == null) {
            return least;
        }
        OptionalLong parsed = quantity.parse(text);
        if (parsed.isPresent()
                && parsed.getAsLong() >= least
                && parsed.getAsLong() <= quantity.parse(max).orElseThrow()) {
            return parsed.getAsLong();
        }
        wrong(rule);
        return least;
    }

    /** Returns a boolean. */
    public boolean flag() {
        return flag("true or false");
    }

    /** Returns a boolean, for a setting that may have other values too. */
    public boolean flag(String rule) {
        String text = scalar(rule);
        if (text == null || text.equals("false") || text.equals("no") || text.equals("off")) {
            return false;
        }
        if (text.equals("true") || text.equals("yes") || text.equals("on")) {
            return true;
        }
        wrong(rule);
        return false;
    }

    /** Returns one of the constants, written in lower case with hyphens. */
    public <E extends Enum<E>> E word(Class<E> type) {
        E[] constants = type.getEnumConstants();
        String rule = Stream.of(constants).map(SettingValue::spelling).collect(Collectors.joining(", ", "one of ", ""));
        String text = scalar(rule);
        for (E constant : constants) {
            if (spelling(constant).equals(text)) {
                return constant;
            }
        }
        if (text != null) {
            wrong(rule);
        }
        return constants[0];
    }

    private static String spelling(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the value as text, whatever it is. Reports nothing. */
    public String asText() {
        return String.valueOf(value.unwrapped());
    }

    /** Returns whether the value is this text. Reports nothing. */
    public boolean is(String text) {
        return text.equals(value.unwrapped());
    }

    /** Returns one of these words; null if absent or wrong, in which case the problem names the nearest. */
    public @Nullable String wordOrNull(List<String> words) {
        String rule = "one of " + String.join(", ", words);
        String text = isNull() ? null : scalar(rule);
        if (text == null || words.contains(text)) {
            return text;
        }
        wrong(rule + NearestName.hint(text, words));
        return null;
    }

    /** Returns a text. */
    public String text(TextRule rule) {
        String text = textOrNull(rule);
        if (text == null && isNull()) {
            missing(rule.rule());
        }
        return text == null ? "" : text;
    }

    /** Returns a text, or null if absent or wrong. */
    public @Nullable String textOrNull(TextRule rule) {
        String text = isNull() ? null : scalar(rule.rule());
        if (text != null && !rule.test().test(text)) {
            wrong(rule.rule());
            return null;
        }
        return text;
    }

    /** Returns the path of a file that is only read: a relative one begins at the folder of the file that names it. */
    Path besideItsFile(String text) {
        return reading.sources().beside(path, value.origin(), text);
    }

    /** Returns a list of texts, without those that do not fit. */
    public List<String> texts(TextRule rule) {
        List<String> texts = new ArrayList<>();
        for (SettingValue element : elements()) {
            String text = element.isNull() ? element.scalar(rule.rule()) : element.textOrNull(rule);
            if (text != null) {
                texts.add(text);
            }
        }
        return List.copyOf(texts);
    }

    /** Returns the elements of a list, each as a setting. */
    public List<SettingValue> elements() {
        List<SettingValue> elements = new ArrayList<>();
        if (value instanceof ConfigList list) {
            for (ConfigValue element : list) {
                List<String> elementPath = new ArrayList<>(path);
                elementPath.add(Integer.toString(elements.size()));
                SettingValue setting = new SettingValue(reading, List.copyOf(elementPath), element, inherited, true);
                setting.secret = secret;
                elements.add(setting);
            }
        } else if (isNull()) {
            missing("a list [ … ]");
        } else {
            wrong("a list [ … ]");
        }
        return elements;
    }

    /** Reports a wrong value, unless it is unknown or was reported elsewhere. */
    public void wrong(String rule) {
        if (!inherited && !isUnknown()) {
            reading.wrong(path, value, secret, rule);
        }
    }

    /** Reports a wrong name of this setting. */
    public void wrongName(String rule) {
        if (!inherited) {
            reading.wrongName(path, path, path.get(path.size() - 1), rule);
        }
    }

    /** Reports a wrong name in the enclosing block, without showing that name. */
    public void wrongIn(Block around, String rule) {
        if (!inherited) {
            reading.wrongName(path, around.path(), "(hidden)", rule);
        }
    }

    /** Reports a value that refers to something that does not exist. */
    public void dangling(String rule) {
        if (reading.complete()) {
            wrong(rule);
        }
    }

    /** Reports that there is no value. */
    public void require(String rule) {
        if (isNull()) {
            missing(rule);
        }
    }

    private void missing(String rule) {
        if (!required) {
            return;
        }
        if (isWritten()) {
            wrong(rule);
        } else {
            reading.absent(path, "missing", rule);
        }
    }

    /** Returns the value as text, whatever its type; null, with a problem, if it is not a scalar. */
    private @Nullable String scalar(String rule) {
        if (isUnknown()) {
            return null;
        }
        if (isNull()) {
            missing(rule);
            return null;
        }
        if (value instanceof ConfigObject || value instanceof ConfigList) {
            wrong(rule);
            return null;
        }
        return value.atKey("v").getString("v");
    }
}
