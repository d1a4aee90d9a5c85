/** Messages as bytes, of clients and nodes alike: bodies as they arrive, and heads of HTTP/1.1, of which one that was read before is recognised. */
@NullMarked
package io.weir.framing;

import org.jspecify.annotations.NullMarked;
