/**
 * A tier in files of one folder: records one after the other in segments, of which the oldest goes when room is needed. Start at
 * {@link io.weir.cache.tier.disk.DiskTier} and {@link io.weir.cache.tier.disk.SegmentLog}.
 */
@NullMarked
package io.weir.cache.tier.disk;

import org.jspecify.annotations.NullMarked;
