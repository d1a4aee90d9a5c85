package io.weir.subscription.log;

import io.weir.jsonrpc.RawJson;
import java.util.List;

/**
 * One log of a block. Immutable.
 *
 * @param text the log as the node wrote it
 * @param address in normal form
 * @param topics in normal form
 */
record BlockLog(RawJson text, RawJson address, List<RawJson> topics) {}
