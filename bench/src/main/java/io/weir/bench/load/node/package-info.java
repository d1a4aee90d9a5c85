/**
 * The servers of the measurements that do as little as they can. Each is a program of its own, so that it can be pinned to a processor.
 * They are the node behind the proxies ({@link io.weir.bench.load.node.NodeMain}), a server that always says the same ({@link
 * io.weir.bench.load.node.ConstantMain}), and a proxy that looks at nothing ({@link io.weir.bench.load.node.PassingMain}).
 */
@NullMarked
package io.weir.bench.load.node;

import org.jspecify.annotations.NullMarked;
