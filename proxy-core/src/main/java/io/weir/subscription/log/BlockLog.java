package io.weir.subscription.log;

import io.weir.jsonrpc.RawJson;
import java.util.List;

/**
 * One log of a block. Immutable.
 *
 * @param text the log as the node wrote it
 * @param address in normal form; as the node wrote it if it has none, and {@code null} if it is missing
 * @param topics in normal form, or as the node wrote them
 */
record BlockLog(RawJson text, RawJson address, List<RawJson> topics) {}
