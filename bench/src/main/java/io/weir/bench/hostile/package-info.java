/** Hostile clients of all protocols at once, and the memory of the proxy meanwhile. */
@NullMarked
package io.weir.bench.hostile;

import org.jspecify.annotations.NullMarked;
