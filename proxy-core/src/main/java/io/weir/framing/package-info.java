/** Messages of clients and nodes as bytes: bodies as they arrive, and heads of HTTP/1.1. A head that was read before is recognised. */
@NullMarked
package io.weir.framing;

import org.jspecify.annotations.NullMarked;
