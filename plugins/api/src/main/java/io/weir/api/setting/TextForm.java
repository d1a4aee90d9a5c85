package io.weir.api.setting;

import org.jspecify.annotations.Nullable;

/** The form of a text that stands for something else. Stateless. */
public abstract class TextForm<T> implements Form<T> {

    private final TextRule rule;
    private final boolean required;
    private final boolean secret;

    /**
     * @param required whether its absence is a problem
     * @param secret whether it is never shown
     */
    protected TextForm(TextRule rule, boolean required, boolean secret) {
        this.rule = rule;
        this.required = required;
        this.secret = secret;
    }

    /** Returns the meaning of a text; null if there is none that fits. */
    protected abstract @Nullable T of(@Nullable String text);

    @Override
    public @Nullable T read(Binder binder, Block block, String name) {
        SettingValue value = block.setting(name);
        SettingValue shown = secret ? value.secret() : value;
        String text = required ? shown.text(rule) : shown.textOrNull(rule);
        return of(text == null || text.isEmpty() ? null : text);
    }

    @Override
    public String rule() {
        return rule.rule();
    }
}
