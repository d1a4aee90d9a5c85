/**
 * The servers of the measurements that are no proxies, each a program of its own so that it can be held to a processor: the node
 * that the proxies ask ({@link io.weir.bench.load.node.NodeMain}), and a server that always says the same
 * ({@link io.weir.bench.load.node.ConstantMain}).
 */
@NullMarked
package io.weir.bench.load.node;

import org.jspecify.annotations.NullMarked;
