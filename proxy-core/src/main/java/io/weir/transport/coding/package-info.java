/**
 * How bodies are written down: which types and codings are understood, unpacking those of requests that are packed with gzip, and
 * packing those of answers. Imports of the transport only {@code entry} and {@code answer}. Start at {@link
 * io.weir.transport.coding.BodyCoding}.
 */
@NullMarked
package io.weir.transport.coding;

import org.jspecify.annotations.NullMarked;
