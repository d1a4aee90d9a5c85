/** Heads of HTTP/1.1 messages as bytes: a head that was read before is recognised. */
@NullMarked
package io.weir.framing;

import org.jspecify.annotations.NullMarked;
