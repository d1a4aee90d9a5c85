/**
 * Bodies packed with gzip: unpacking those of requests, packing those of answers, and reading which coding a client means. Imports
 * of the transport only {@code entry} and {@code answer}. Start at {@link io.weir.transport.coding.BodyCoding}.
 */
@NullMarked
package io.weir.transport.coding;

import org.jspecify.annotations.NullMarked;
