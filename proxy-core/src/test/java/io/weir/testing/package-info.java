/**
 * What tests share: plugins built on the spot, a guard against leaked buffers, and what looks at the proxy from outside: child
 * processes (the built proxy, real nodes, scripts of real clients) and small clients. Start at
 * {@link io.weir.testing.WeirProcess}.
 */
@NullMarked
package io.weir.testing;

import org.jspecify.annotations.NullMarked;
