package io.weir.pipeline.proof;

/**
 * A block that one upstream names as the canonical one at its height. Immutable.
 *
 * @param hash in lower case
 */
record ClaimedBlock(long number, String hash, String upstreamId) {}
