/** Traces of calls, as a collector and nodes see them. */
@NullMarked
package io.weir.app.tracing;

import org.jspecify.annotations.NullMarked;
