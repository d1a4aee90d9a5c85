package io.weir.api.setting;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares a setting, or a block of settings, as a component of a record. The {@link Binder} reads the record by it. {@code
 * reference.conf} and the tables of {@code conf/settings.md} are printed from it and from {@link About}.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Setting {

    /**
     * Its path within the block of the record. By default the component's name in lower case with hyphens, without the unit at its end.
     * A dot alone is the block of the record itself, whose settings another record groups.
     */
    String path() default "";

    /** Its default, as written in a file. */
    String value() default "null";

    /** The least and the greatest value, as written in a file, with {@code to} between them. */
    String range() default "";

    /** The form of a text, of each text in a list or map, or of the names of a map's blocks: a regular expression for all of it. */
    String pattern() default "";

    /** The pattern in words. */
    String rule() default "";

    /** Reads other values than numbers, quantities, words, texts, paths, lists and maps of texts or blocks, and blocks. */
    Class<? extends Form<?>> form() default Form.None.class;

    /** Whether a change takes effect only at the next start. Declared for whole blocks. */
    boolean restart() default false;

    /** Whether a reload puts a change in force although the block around it needs a restart. */
    boolean live() default false;

    /** Whether its absence is a problem. */
    boolean required() default false;

    /** Whether the proxy writes to this path, and does not only read it. */
    boolean written() default false;

    /** The setting of this block without which the block counts as absent. */
    String unless() default "";
}
