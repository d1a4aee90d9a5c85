/**
 * What tests share: plugins built on the spot, real nodes and clients as child processes, the proxy itself as a process, and a
 * guard against leaked buffers.
 */
package io.weir.testing;
