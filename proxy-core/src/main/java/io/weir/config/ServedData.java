package io.weir.config;

import java.util.List;

/**
 * The methods and data that one node serves, as configured. Immutable.
 *
 * @param methods the methods that it serves: names, prefixes such as {@code debug_*}, or {@code *}
 * @param stateBlocks how many of the newest blocks it has the state of; {@link #ALL}, or {@link #LEARNED}
 * @param logsFrom the oldest block whose transactions, receipts and logs it has, 0 for all of them; or {@link #LEARNED}
 */
public record ServedData(List<String> methods, long stateBlocks, long logsFrom) {

    /** The node has the state of all blocks. */
    public static final long ALL = Long.MAX_VALUE;

    /** Not configured: the proxy learns it from the node's answers. */
    public static final long LEARNED = -1;
}
