/**
 * The devnet plugin: a small deterministic chain in the same process, offered as {@code devnet:default}. It has no EVM
 * and is for trying and testing only.
 *
 * <p>This package wires the others and depends on all of them. {@code rpc} answers methods from {@code parameter}, {@code json}
 * and {@code mining}. The packages {@code parameter}, {@code json} and {@code mining} build on {@code chain}, which runs
 * transactions by {@code execution} on {@code state}. {@code history} makes the fixed blocks. Start at {@link
 * io.weir.devnet.DevnetPlugin}.
 */
@NullMarked
package io.weir.devnet;

import org.jspecify.annotations.NullMarked;
