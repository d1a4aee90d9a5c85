package io.weir.config.setting;

import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueFactory;
import com.typesafe.config.ConfigValueType;
import io.weir.config.hocon.HoconDocument;
import io.weir.config.hocon.Sources;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A block of settings. Each setting is asked for by name, then {@link #end} complains about the names that were not. Confined
 * to one thread.
 *
 * <p>An entry of a map ({@code networks.a}) lies over its defaults ({@code defaults.network}). Those are read once as a block
 * of their own, a template, in which nothing is required; what an entry takes from them is not complained about again.
 */
public final class Block {

    private static final ConfigValue NULL = ConfigValueFactory.fromAnyRef(null);
    private static final String BLOCK_RULE = "a block { … }";

    private final Reading reading;
    private final List<String> path;
    private final ConfigObject values;
    private final @Nullable ConfigObject own;
    private final boolean template;
    private final boolean usable;
    private final Set<String> asked = new HashSet<>();

    Block(Reading reading, List<String> path, ConfigObject values) {
        this.reading = reading;
        this.path = path;
        this.values = values;
        this.own = values;
        this.template = false;
        this.usable = true;
    }

    /** A block within {@code outer}; unusable where it stands for something else that was complained about. */
    private Block(Block outer, List<String> path, ConfigObject values, @Nullable ConfigObject own, boolean usable) {
        this.reading = outer.reading;
        this.path = path;
        this.values = values;
        this.own = own;
        this.template = outer.template || !usable;
        this.usable = usable;
    }

    private Block(Block block) {
        this.reading = block.reading;
        this.path = block.path;
        this.values = block.values;
        this.own = block.own;
        this.template = true;
        this.usable = block.usable;
    }

    /** The setting of that name, whether it is there or not. */
    public Setting setting(String name) {
        ask(name);
        boolean inherited = own == null || !own.containsKey(name);
        return new Setting(reading, with(name), valueOf(name), inherited, !template);
    }

    /** The block of that name; empty where it is not there or something else. */
    public Block block(String name) {
        ask(name);
        return inner(name, with(name), null);
    }

    /** The block of that name as the defaults of entries: nothing in it is required. */
    public Block template(String name) {
        return new Block(block(name));
    }

    /** The blocks in here, in the order of the file, each over the template. */
    public Map<String, Block> entries(Block template) {
        Map<String, Block> entries = new LinkedHashMap<>();
        for (String name : namesInOrder()) {
            ask(name);
            if (!isUnknown(name)) {
                entries.put(name, inner(name, with(name), template));
            }
        }
        return entries;
    }

    /** All that is in here, each as a setting, in the order of the file. */
    public Map<String, Setting> settings() {
        Map<String, Setting> settings = new LinkedHashMap<>();
        namesInOrder().forEach(name -> settings.put(name, setting(name)));
        return settings;
    }

    private List<String> namesInOrder() {
        return reading.sources().inFileOrder(path, values.keySet());
    }

    /** The blocks in here that were not asked for, by name; they count as asked for from here on. */
    public Map<String, ConfigObject> otherBlocks() {
        Map<String, ConfigObject> others = new LinkedHashMap<>();
        for (String name : namesInOrder()) {
            if (!asked.contains(name) && values.get(name) instanceof ConfigObject block) {
                others.put(name, block);
                asked.add(name);
            }
        }
        return others;
    }

    /** Where this block is. */
    public List<String> path() {
        return path;
    }

    /** Says that the block should not have this name. */
    public void wrongName(String rule) {
        reading.wrongName(path, path, path.get(path.size() - 1), rule);
    }

    /** Says that this block should not be empty. */
    public void wrongEmpty(String rule) {
        if (usable) {
            reading.absent(path, "none", rule);
        }
    }

    /** Whether it is a block, or at least nothing else. */
    public boolean isUsable() {
        return usable;
    }

    /** Complains about each name in here that nobody asked for. */
    public void end() {
        for (String name : values.keySet()) {
            boolean inherited = own == null || !own.containsKey(name);
            if (!asked.contains(name) && !inherited && !isUnknown(name)) {
                reading.unknown(with(name));
            }
        }
    }

    private Block inner(String name, List<String> innerPath, @Nullable Block defaults) {
        ConfigValue found = valueOf(name);
        ConfigValue owned = own == null ? null : own.get(name);
        if (!(found instanceof ConfigObject block)) {
            boolean absent = owned == null && found.valueType() == ConfigValueType.NULL;
            if (owned != null && !HoconDocument.isUnknown(owned)) {
                // Never shown: a text in the place of a block may be the secret that belongs into it.
                reading.wrong(innerPath, owned, true, BLOCK_RULE);
            }
            return new Block(this, innerPath, ConfigFactory.empty().root(), null, absent && usable);
        }
        ConfigObject over = defaults == null ? block : block.withFallback(defaults.values);
        return new Block(this, innerPath, over, owned instanceof ConfigObject object ? object : null, usable);
    }

    private void ask(String name) {
        asked.add(name);
        reading.know(with(name));
    }

    private ConfigValue valueOf(String name) {
        ConfigValue value = values.get(name);
        return value == null ? NULL : value;
    }

    private boolean isUnknown(String name) {
        ConfigValue value = valueOf(name);
        return value.valueType() == ConfigValueType.STRING && HoconDocument.isUnknown(value);
    }

    private List<String> with(String name) {
        List<String> longer = new ArrayList<>(path);
        longer.add(name);
        return List.copyOf(longer);
    }

    @Override
    public String toString() {
        return Sources.render(path);
    }
}
