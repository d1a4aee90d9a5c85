/**
 * Declares and reads settings: a record's components declare them ({@link io.weir.api.setting.Setting}), {@link
 * io.weir.api.setting.Binder} reads a block into the record. Below it {@link io.weir.api.setting.Block} returns the settings of a
 * block by name, and {@link io.weir.api.setting.SettingValue} converts one into a number, a duration, a text. Problems are recorded and
 * reading continues, so that all are found at once. Names that nobody requested are unknown settings. The proxy reads
 * its own settings so, and those of plugins. Imports {@code io.weir.hocon} only.
 */
@NullMarked
package io.weir.api.setting;

import org.jspecify.annotations.NullMarked;
