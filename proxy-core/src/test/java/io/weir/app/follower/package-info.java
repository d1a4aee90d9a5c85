/** What clients that follow the head cost the node: a chain whose hashes hang together, a node that counts, and the clients. */
@NullMarked
package io.weir.app.follower;

import org.jspecify.annotations.NullMarked;
