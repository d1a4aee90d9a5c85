/**
 * The encodings of bodies: accepted types and encodings, decompression of requests with gzip, and compression of
 * answers. Imports of the transport only {@code request} and {@code answer}. Start at {@link
 * io.weir.transport.coding.BodyCoding}.
 */
@NullMarked
package io.weir.transport.coding;

import org.jspecify.annotations.NullMarked;
