/** Large results that go on to slow clients while they arrive. */
@NullMarked
package io.weir.bench.stream;

import org.jspecify.annotations.NullMarked;
