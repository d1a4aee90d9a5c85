/**
 * Reading single settings: {@link io.weir.config.setting.Block} returns the settings of a block by name, {@link
 * io.weir.config.setting.Setting} converts one into a number, a duration, a text. A reader records a problem and
 * continues, so that all problems are found at once. Names that no reader requested are unknown settings. Start at
 * {@link io.weir.config.setting.Reading}. Imports {@code config.hocon} only.
 */
@NullMarked
package io.weir.config.setting;

import org.jspecify.annotations.NullMarked;
