/** Decompression of gzip in bounded steps, for the requests of clients and the answers of nodes. Start at {@link io.weir.gzip.GzipUnpacker}. */
@NullMarked
package io.weir.gzip;

import org.jspecify.annotations.NullMarked;
