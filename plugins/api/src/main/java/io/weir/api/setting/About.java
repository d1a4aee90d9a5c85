package io.weir.api.setting;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** What a setting does, and, if that is not obvious, when to change it: for operators, on the pages. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface About {

    /** One or two sentences. */
    String value();
}
