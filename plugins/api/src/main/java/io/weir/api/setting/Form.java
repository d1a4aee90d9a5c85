package io.weir.api.setting;

import org.jspecify.annotations.Nullable;

/**
 * The reading of one setting whose values are more than a number, a word or a text. An implementation has a constructor without
 * parameters. Stateless.
 */
public interface Form<T> {

    /** Returns the value. Reports a wrong one, and returns a harmless one in its place. */
    @Nullable
    T read(Binder binder, Block block, String name);

    /** Returns the values that it takes, in words. */
    String rule();

    /** The form of settings that need none. */
    final class None implements Form<Object> {

        @Override
        public @Nullable Object read(Binder binder, Block block, String name) {
            throw new IllegalStateException(name + ": no form reads it (expected: a form)");
        }

        @Override
        public String rule() {
            return "";
        }
    }
}
