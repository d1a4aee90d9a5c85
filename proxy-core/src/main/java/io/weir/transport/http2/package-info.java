/** HTTP/2: connections whose streams are requests like those of HTTP/1.1. */
@NullMarked
package io.weir.transport.http2;

import org.jspecify.annotations.NullMarked;
