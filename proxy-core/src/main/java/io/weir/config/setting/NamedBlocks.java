package io.weir.config.setting;

import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of a {@code reference.conf} that hold further blocks under names of the operator's choice. The reference marks them by a
 * member {@code "*"}, which has the members of each such block with their defaults. Stateless.
 */
public final class NamedBlocks {

    private static final String ANY = "*";

    private NamedBlocks() {}

    /** Returns the value of a reference that describes a setting; null if the reference has none. */
    static @Nullable ConfigValue model(ConfigObject reference, String name) {
        if (name.equals(ANY) && template(reference) != null) {
            return null;
        }
        ConfigValue own = reference.get(name);
        return own == null ? template(reference) : own;
    }

    private static @Nullable ConfigObject template(ConfigObject reference) {
        return reference.get(ANY) instanceof ConfigObject block ? block : null;
    }

    /** Returns values over their reference, with the defaults of named blocks in each of them, and without {@code "*"}. */
    public static ConfigObject filled(ConfigObject values, ConfigObject reference) {
        ConfigObject template = template(reference);
        ConfigObject filled = template == null ? values : values.withoutKey(ANY);
        for (Map.Entry<String, ConfigValue> member : filled.entrySet()) {
            if (member.getValue() instanceof ConfigObject block
                    && model(reference, member.getKey()) instanceof ConfigObject model) {
                ConfigObject whole = template == null ? block : block.withFallback(template);
                filled = filled.withValue(member.getKey(), filled(whole, model));
            }
        }
        return filled;
    }
}
