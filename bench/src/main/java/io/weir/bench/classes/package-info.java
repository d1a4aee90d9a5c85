/** Counts the classes that one call passes through. */
@NullMarked
package io.weir.bench.classes;

import org.jspecify.annotations.NullMarked;
