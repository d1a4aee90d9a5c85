/**
 * The interface that a Weir plugin compiles against. A plugin sees nothing else of the proxy.
 *
 * <p>Start reading at {@link io.weir.api.WeirPlugin}. One class of a plugin implements it, is annotated with PF4J's
 * {@code @Extension}, and offers methods, nodes, kinds of network, pages and commands. This package depends on PF4J,
 * Jackson 3 (trees), Typesafe Config, SLF4J and JSpecify, which the host shares with every plugin, and on nothing else.
 */
@NullMarked
package io.weir.api;

import org.jspecify.annotations.NullMarked;
