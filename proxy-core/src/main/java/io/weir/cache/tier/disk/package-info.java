/**
 * Tier in files of one folder. Records are appended to segments, and the oldest segment is deleted to free space. Start at
 * {@link io.weir.cache.tier.disk.DiskTier} and {@link io.weir.cache.tier.disk.SegmentLog}.
 */
@NullMarked
package io.weir.cache.tier.disk;

import org.jspecify.annotations.NullMarked;
