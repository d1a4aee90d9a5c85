package io.weir.api.setting;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The form of a list of texts that stand for something else. Stateless. */
public abstract class ListForm<T> implements Form<T> {

    private final TextRule rule;
    private final boolean required;
    private final Function<List<String>, T> meaning;

    /**
     * @param rule of each text
     * @param required whether its absence is a problem
     * @param meaning of the texts that fit
     */
    protected ListForm(TextRule rule, boolean required, Function<List<String>, T> meaning) {
        this.rule = rule;
        this.required = required;
        this.meaning = meaning;
    }

    @Override
    public @Nullable T read(Binder binder, Block block, String name) {
        SettingValue value = block.setting(name);
        return value.isNull() && !required ? null : meaning.apply(value.texts(rule));
    }

    @Override
    public String rule() {
        return rule.rule();
    }
}
