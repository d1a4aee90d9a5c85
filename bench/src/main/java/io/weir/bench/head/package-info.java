/** Measures what following the head costs, and how soon clients see a new block. */
@NullMarked
package io.weir.bench.head;

import org.jspecify.annotations.NullMarked;
