/**
 * Large results that go on to several clients and are collected at the same time, and those within batches. Start at {@link
 * io.weir.upstream.stream.SharedResult} and {@link io.weir.upstream.stream.BatchStream}.
 */
@NullMarked
package io.weir.upstream.stream;

import org.jspecify.annotations.NullMarked;
