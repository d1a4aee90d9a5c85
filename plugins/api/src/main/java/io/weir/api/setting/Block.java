package io.weir.api.setting;

import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueFactory;
import com.typesafe.config.ConfigValueType;
import io.weir.hocon.HoconDocument;
import io.weir.hocon.Sources;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A block of settings. Callers request each setting by name. Then {@link #end} reports the names that were not
 * requested. Confined to one thread.
 *
 * <p>An entry of a map ({@code networks.a}) inherits from its defaults ({@code defaults.network}). The defaults are
 * read once as a block of their own, a template, in which nothing is required. Problems of inherited values are not
 * reported again.
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
    private final Set<String> requested = new HashSet<>();

    Block(Reading reading, List<String> path, ConfigObject values) {
        this.reading = reading;
        this.path = path;
        this.values = values;
        this.own = values;
        this.template = false;
        this.usable = true;
    }

    /** Creates a block within {@code outer}. It is unusable if it replaces another value that was reported. */
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

    /** Returns the setting with that name, whether present or not. */
    public SettingValue setting(String name) {
        request(name);
        SettingValue setting = look(name);
        if (!template) {
            reading.read(setting);
        }
        return setting;
    }

    /** Returns the setting with that name for a check beside its reading. */
    public SettingValue look(String name) {
        boolean inherited = own == null || !own.containsKey(name);
        return new SettingValue(reading, with(name), valueOf(name), inherited, !template);
    }

    /** Returns the block with that name for a check beside its reading. */
    public Block lookInto(String name) {
        ConfigValue value = valueOf(name);
        boolean absent = value.valueType() == ConfigValueType.NULL;
        ConfigObject found = value instanceof ConfigObject block
                ? block
                : ConfigFactory.empty().root();
        ConfigObject owned = own != null && own.get(name) instanceof ConfigObject block ? block : null;
        return new Block(this, with(name), found, owned, usable && (absent || value instanceof ConfigObject));
    }

    /** Returns whether this block holds the defaults of entries, so that nothing in it is required. */
    public boolean isTemplate() {
        return template;
    }

    /** Returns the block with that name; empty if absent or not a block. */
    public Block block(String name) {
        request(name);
        return inner(name, with(name), null);
    }

    /** Returns a block with other content in place of the setting with that name, which stands for it. Its problems are not reported. */
    public Block inPlaceOf(String name, ConfigObject content) {
        return new Block(this, with(name), content, null, true);
    }

    /** Returns the block with that name as the defaults of entries: nothing in it is required. */
    public Block template(String name) {
        return new Block(block(name));
    }

    /** Returns the blocks in this block, in the order of the file, each over the template if there is one. */
    public Map<String, Block> entries(@Nullable Block template) {
        Map<String, Block> entries = new LinkedHashMap<>();
        for (String name : namesInOrder()) {
            request(name);
            if (!isUnknown(name)) {
                entries.put(name, inner(name, with(name), template));
            }
        }
        return entries;
    }

    /** Returns the elements of a list of blocks; none if it is absent. Reports each element that is no block. */
    List<Block> blocks(String name) {
        SettingValue list = setting(name);
        if (!list.isList()) {
            // A text in place of blocks may be a secret that belongs inside one.
            list.secret();
        }
        List<Block> blocks = new ArrayList<>();
        for (SettingValue element : list.isNull() ? List.<SettingValue>of() : list.elements()) {
            ConfigObject content = element.content(BLOCK_RULE);
            if (content != null) {
                blocks.add(new Block(this, element.path(), content, content, usable));
            }
        }
        return blocks;
    }

    /** Returns all content of this block as settings, in the order of the file. */
    public Map<String, SettingValue> settings() {
        Map<String, SettingValue> settings = new LinkedHashMap<>();
        namesInOrder().forEach(name -> settings.put(name, setting(name)));
        return settings;
    }

    /** Returns this block with other values for the settings that it does not have of its own. */
    public Block over(ConfigObject preset) {
        ConfigObject first = own == null ? ConfigFactory.empty().root() : own;
        ConfigObject over = first.withFallback(preset).withFallback(values);
        Block block = new Block(this, path, over, own, usable);
        block.requested.addAll(requested);
        return block;
    }

    /** Returns this block with values for the settings that it does not have, which count as its own. */
    public Block withDefaults(ConfigObject defaults) {
        ConfigObject whole = values.withFallback(defaults);
        return new Block(this, path, whole, usable ? whole : own, usable);
    }

    private List<String> namesInOrder() {
        return reading.sources().inFileOrder(path, values.keySet());
    }

    /** Returns the inner blocks that were not requested, by name, and marks them as requested. */
    public Map<String, ConfigObject> otherBlocks() {
        Map<String, ConfigObject> others = new LinkedHashMap<>();
        for (String name : namesInOrder()) {
            if (!requested.contains(name) && values.get(name) instanceof ConfigObject block) {
                others.put(name, block);
                requested.add(name);
            }
        }
        return others;
    }

    /** Notes all content of an inner block, if it is one, as being in force. */
    public void note(String name) {
        if (valueOf(name) instanceof ConfigObject block) {
            note(with(name), block);
        }
    }

    /** Notes all content of a block that others read. Which texts and lists in it are secrets is not known. */
    private void note(List<String> blockPath, ConfigObject block) {
        block.toConfig().entrySet().forEach(entry -> {
            String text = String.valueOf(entry.getValue().unwrapped());
            ConfigValueType type = entry.getValue().valueType();
            boolean shown = type == ConfigValueType.NUMBER
                    || type == ConfigValueType.BOOLEAN
                    || Stream.of(Unit.values())
                            .anyMatch(unit -> unit.parse(text).isPresent());
            List<String> inner = Stream.concat(blockPath.stream(), ConfigUtil.splitPath(entry.getKey()).stream())
                    .toList();
            SettingValue setting = new SettingValue(reading, inner, entry.getValue(), false, false);
            reading.read(shown ? setting : setting.secret());
        });
    }

    /** Returns the path of this block. */
    public List<String> path() {
        return path;
    }

    /** Reports that the block has a wrong name. */
    public void wrongName(String rule) {
        reading.wrongName(path, path, path.get(path.size() - 1), rule);
    }

    /** Reports that this block is empty. */
    public void wrongEmpty(String rule) {
        if (usable) {
            reading.absent(path, "none", rule);
        }
    }

    /** Returns whether it is a block or absent, and not another value. */
    public boolean isUsable() {
        return usable;
    }

    /** Reports each name in this block that was not requested. */
    public void end() {
        for (String name : values.keySet()) {
            boolean inherited = own == null || !own.containsKey(name);
            if (!requested.contains(name) && !inherited && !isUnknown(name)) {
                unknown(with(name), valueOf(name));
            }
        }
    }

    /** Reports each setting of a block of which all settings were removed, because each has an explanation of its own. */
    private void unknown(List<String> unknown, ConfigValue value) {
        if (value instanceof ConfigObject block && NearestName.isRemovedBlock(unknown)) {
            block.forEach((name, inner) -> {
                List<String> longer = new ArrayList<>(unknown);
                longer.add(name);
                unknown(longer, inner);
            });
        } else {
            reading.unknown(unknown);
        }
    }

    private Block inner(String name, List<String> innerPath, @Nullable Block defaults) {
        ConfigValue found = valueOf(name);
        ConfigValue owned = own == null ? null : own.get(name);
        if (!(found instanceof ConfigObject block)) {
            boolean absent = owned == null && found.valueType() == ConfigValueType.NULL;
            if (owned != null && !HoconDocument.isUnknown(owned)) {
                // Hidden: a text in place of a block may be a secret that belongs inside it.
                reading.wrong(innerPath, owned, true, BLOCK_RULE);
            }
            return new Block(this, innerPath, ConfigFactory.empty().root(), null, absent && usable);
        }
        ConfigObject over = defaults == null ? block : block.withFallback(defaults.values);
        return new Block(this, innerPath, over, owned instanceof ConfigObject object ? object : null, usable);
    }

    private void request(String name) {
        requested.add(name);
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
