/**
 * What both front doors share: reading the path, deciding who comes in, refusing, pausing a connection's reading, and closing
 * it gently. Imports of the transport only {@code peer} and {@code log}. Start at {@link io.weir.transport.entry.ListenerContext} and
 * {@link io.weir.transport.entry.Admission}.
 */
@NullMarked
package io.weir.transport.entry;

import org.jspecify.annotations.NullMarked;
