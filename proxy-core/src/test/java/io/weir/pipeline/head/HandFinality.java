package io.weir.pipeline.head;

import io.netty.channel.EventLoop;
import io.weir.chain.FinalityAgreement.Agreed;
import io.weir.method.params.BlockTag;
import io.weir.upstream.NetworkFinality;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Finality as a test says. Confined to one thread. */
final class HandFinality implements NetworkFinality {

    final List<Long> used = new ArrayList<>();
    Agreed agreed;

    HandFinality(Agreed agreed) {
        this.agreed = agreed;
    }

    @Override
    public void whenKnown(EventLoop loop, BlockTag tag, long deadlineNanos, Consumer<Agreed> sink) {
        sink.accept(agreed);
    }

    @Override
    public void used(BlockTag tag, long number) {
        used.add(number);
    }
}
