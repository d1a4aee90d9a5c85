package io.weir.api.setting;

import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The rule for a text. Immutable.
 *
 * @param rule the same in words
 */
public record TextRule(Predicate<String> test, String rule) {

    /** Returns the rule for texts that match as a whole. */
    public static TextRule matching(String regex, String rule) {
        return new TextRule(Pattern.compile(regex).asMatchPredicate(), rule);
    }
}
