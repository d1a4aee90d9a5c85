package io.weir.pipeline.evidence;

/**
 * A block that one upstream names as the canonical one at its height. Immutable.
 *
 * @param hash in lower case
 */
public record ClaimedBlock(long number, String hash, String upstreamId) {}
