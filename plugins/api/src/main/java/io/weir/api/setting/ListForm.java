package io.weir.api.setting;

import java.util.List;
import java.util.function.Function;

/** The form of a list of texts that stand for something else. Stateless. */
public abstract class ListForm<T> implements Form<T> {

    private final TextRule rule;
    private final Function<List<String>, T> meaning;

    /**
     * @param rule of each text
     * @param meaning of the texts that fit
     */
    protected ListForm(TextRule rule, Function<List<String>, T> meaning) {
        this.rule = rule;
        this.meaning = meaning;
    }

    @Override
    public T read(Binder binder, Block block, String name) {
        return meaning.apply(block.setting(name).texts(rule));
    }

    @Override
    public String rule() {
        return rule.rule();
    }
}
