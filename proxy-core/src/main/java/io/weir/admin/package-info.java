/**
 * The operators' listener: health, metrics, status and plugins' pages, on a port and an event loop of its own. It reads
 * snapshots only. Start at {@link io.weir.admin.AdminListener}.
 */
@NullMarked
package io.weir.admin;

import org.jspecify.annotations.NullMarked;
