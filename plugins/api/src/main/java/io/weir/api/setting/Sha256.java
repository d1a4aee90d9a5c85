package io.weir.api.setting;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The form of a SHA-256 in hex, in lower case. It is never shown: it may be the secret itself, pasted by mistake. Stateless. */
public class Sha256 extends TextForm<String> {

    /** 32 bytes in hex. */
    public static final String PATTERN = "[0-9a-fA-F]{64}";

    private static final String RULE = "64 hex digits";

    private final boolean required;

    /** Creates the form of a setting that must be there. */
    public Sha256() {
        this(PATTERN, true);
    }

    /** @param required whether its absence is a problem; if not, it is null then */
    protected Sha256(String pattern, boolean required) {
        super(TextRule.matching(pattern, RULE), required, true);
        this.required = required;
    }

    @Override
    protected @Nullable String of(@Nullable String text) {
        if (text == null) {
            return required ? "" : null;
        }
        return text.toLowerCase(Locale.ROOT);
    }

    /** The form of a setting that may be absent. */
    public static final class Optional extends Sha256 {

        /** Creates the form. */
        public Optional() {
            super(PATTERN, false);
        }
    }
}
