/**
 * Declares and reads settings: a record's components declare them ({@link io.weir.config.setting.Setting}), {@link
 * io.weir.config.setting.Binder} reads a block into the record. Below it {@link io.weir.config.setting.Block} returns the settings of a
 * block by name, and {@link io.weir.config.setting.SettingValue} converts one into a number, a duration, a text. Problems are recorded and
 * reading continues, so that all are found at once. Names that nobody requested are unknown settings. Imports {@code config.hocon} only.
 */
@NullMarked
package io.weir.config.setting;

import org.jspecify.annotations.NullMarked;
