/**
 * The layer-2 network's numbers: felts, the text that fits into them, addresses.
 *
 * <p>Knows no other package of this library. Start at {@link io.weir.l2.Felt}. Packages above it: {@code hash}, {@code curve},
 * {@code transaction}, {@code key}, {@code typed}.
 */
@NullMarked
package io.weir.l2;

import org.jspecify.annotations.NullMarked;
