/**
 * Reading single settings: {@link io.weir.config.setting.Block} gives the settings of a block by name,
 * {@link io.weir.config.setting.Setting} turns one into a number, a duration, a text. What is wrong is noted and the reader
 * goes on, so that all problems are found at once; names that nobody asked for are unknown settings. Start at
 * {@link io.weir.config.setting.Reading}. Imports {@code config.hocon} only.
 */
@NullMarked
package io.weir.config.setting;

import org.jspecify.annotations.NullMarked;
