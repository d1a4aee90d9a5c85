/**
 * The servers of the measurements that are no proxies. Each is a program of its own, so that it can be pinned to a processor.
 * They are the node behind the proxies ({@link io.weir.bench.load.node.NodeMain}), and a server that always says the same ({@link
 * io.weir.bench.load.node.ConstantMain}).
 */
@NullMarked
package io.weir.bench.load.node;

import org.jspecify.annotations.NullMarked;
