/**
 * Large results that go on to several clients and are collected at the same time. Start at {@link
 * io.weir.upstream.stream.SharedResult}.
 */
@NullMarked
package io.weir.upstream.stream;

import org.jspecify.annotations.NullMarked;
