package io.weir.upstream.head;

import io.weir.jsonrpc.RawJson;
import io.weir.method.params.BlockSelector;
import io.weir.upstream.NodeFeed;
import io.weir.upstream.head.Witness.BlockAnswer;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Witness that is never asked, and of whose node nothing is known. */
final class StillWitness extends Witness {

    @Override
    public String id() {
        return "still";
    }

    @Override
    public int tier() {
        return 0;
    }

    @Override
    public boolean ready() {
        return false;
    }

    @Override
    public boolean isHeard() {
        return false;
    }

    @Override
    public long head() {
        return -1;
    }

    @Override
    public long believed() {
        return Long.MAX_VALUE;
    }

    @Override
    public void believe(long upTo) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long headNanos() {
        return 0;
    }

    @Override
    public boolean isOutOfLine() {
        return false;
    }

    @Override
    public void outOfLine(@Nullable String reason) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void disputed(@Nullable String reason) {
        throw new UnsupportedOperationException();
    }

    @Override
    protected void askHead(LongConsumer sink) {
        throw new UnsupportedOperationException();
    }

    @Override
    protected void askBlock(BlockSelector block, long maxNanos, Consumer<BlockAnswer> sink) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void agrees() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void seen(long block) {
        throw new UnsupportedOperationException();
    }

    @Override
    protected @Nullable NodeFeed subscribe(NodeFeed.Listener listener) {
        return null;
    }

    @Override
    protected BlockAnswer announced(RawJson header) {
        throw new UnsupportedOperationException();
    }
}
