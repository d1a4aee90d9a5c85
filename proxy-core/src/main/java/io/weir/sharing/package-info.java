/**
 * Limits that several proxies share: rates of API keys, and units of days of keys and nodes. Each proxy decides by what it knows, and
 * reports in the background. Start at {@link io.weir.sharing.SharedLimits}.
 */
@NullMarked
package io.weir.sharing;

import org.jspecify.annotations.NullMarked;
