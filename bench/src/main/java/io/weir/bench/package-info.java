/** JMH benchmarks of the proxy's parts, one class a part. See {@code bench/README.md} for how to run them. */
@NullMarked
package io.weir.bench;

import org.jspecify.annotations.NullMarked;
