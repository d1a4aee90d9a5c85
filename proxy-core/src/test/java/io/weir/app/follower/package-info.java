/**
 * The cost of clients that follow the head for the node: a chain with linked hashes, a node that counts, and the
 * clients.
 */
@NullMarked
package io.weir.app.follower;

import org.jspecify.annotations.NullMarked;
