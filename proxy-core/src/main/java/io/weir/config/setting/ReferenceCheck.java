package io.weir.config.setting;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import io.weir.config.hocon.HoconDocument;
import io.weir.config.hocon.Problem;
import io.weir.config.hocon.Sources;
import java.util.ArrayList;
import java.util.List;

/**
 * The check of a block against a {@code reference.conf}, as for a plugin's settings. Names must be in the reference,
 * and values must have the same type. A null in the reference allows any value. An empty block allows any content.
 * A block with a member {@code "*"} allows further blocks with the members of that one. Confined to one thread.
 */
public final class ReferenceCheck {

    private final Sources sources;
    private final List<List<String>> known = new ArrayList<>();
    private final List<Problem> problems = new ArrayList<>();

    private ReferenceCheck(Sources sources) {
        this.sources = sources;
    }

    /**
     * Returns the problems of a block.
     *
     * @param path of the block, such as {@code plugins}, {@code devnet}
     * @param block as in the configuration, without the defaults of the reference
     */
    public static List<Problem> problems(List<String> path, Config block, Config reference, Sources sources) {
        ReferenceCheck check = new ReferenceCheck(sources);
        check.know(path, reference.root());
        check.block(path, block.root(), reference.root());
        return check.problems.stream().sorted().toList();
    }

    private void know(List<String> path, ConfigObject reference) {
        reference.forEach((name, value) -> {
            if (NamedBlocks.model(reference, name) == null) {
                return;
            }
            List<String> inner = with(path, name);
            known.add(inner);
            if (value instanceof ConfigObject block) {
                know(inner, block);
            }
        });
    }

    private void block(List<String> path, ConfigObject block, ConfigObject reference) {
        block.forEach((name, value) -> {
            List<String> inner = with(path, name);
            ConfigValue model = NamedBlocks.model(reference, name);
            if (model == null) {
                problems.add(NearestName.unknown(inner, known, sources));
            } else if (model instanceof ConfigObject modelBlock && value instanceof ConfigObject found) {
                if (!modelBlock.isEmpty()) {
                    know(inner, modelBlock);
                    block(inner, found, modelBlock);
                }
            } else if (!HoconDocument.isUnknown(value)) {
                value(inner, value, model);
            }
        });
    }

    private void value(List<String> path, ConfigValue value, ConfigValue model) {
        switch (model.valueType()) {
            case NULL -> {
                return;
            }
            case OBJECT -> wrong(path, value, "a block { … }");
            case LIST -> {
                if (!(value instanceof ConfigList)) {
                    wrong(path, value, "a list [ … ]");
                }
            }
            case NUMBER -> {
                if (!text(value).matches("-?[0-9]+(\\.[0-9]+)?")) {
                    wrong(path, value, "a number");
                }
            }
            case BOOLEAN -> {
                if (!text(value).matches("true|false|yes|no|on|off")) {
                    wrong(path, value, "true or false");
                }
            }
            default -> text(path, value, text(model));
        }
    }

    private void text(List<String> path, ConfigValue value, String model) {
        for (Unit quantity : Unit.values()) {
            if (!model.equals("0") && quantity.parse(model).isPresent()) {
                if (quantity.parse(text(value)).isEmpty()) {
                    wrong(path, value, quantity.rule());
                }
                return;
            }
        }
        if (value instanceof ConfigObject || value instanceof ConfigList || value.unwrapped() == null) {
            wrong(path, value, "a text");
        }
    }

    /** Hides the value, because a plugin's secrets are unknown here. */
    private void wrong(List<String> path, ConfigValue value, String rule) {
        problems.add(sources.wrong(path, value, true, rule));
    }

    /** Returns a scalar as text; empty for other values. */
    private static String text(ConfigValue value) {
        boolean scalar =
                !(value instanceof ConfigObject) && !(value instanceof ConfigList) && value.unwrapped() != null;
        return scalar ? value.atKey("v").getString("v") : "";
    }

    private static List<String> with(List<String> path, String name) {
        List<String> longer = new ArrayList<>(path);
        longer.add(name);
        return List.copyOf(longer);
    }
}
