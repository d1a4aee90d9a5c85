package io.weir.subscription;

import io.weir.chain.BlockLink;
import io.weir.subscription.chain.ChainStream;
import io.weir.subscription.chain.StreamBlock;
import io.weir.subscription.chain.StreamTimer;
import io.weir.subscription.delivery.Delivered;
import io.weir.subscription.delivery.StreamMember;
import io.weir.subscription.log.LogInterest;
import io.weir.subscription.log.LogSource;
import io.weir.subscription.log.LogStream;
import java.util.function.Consumer;

/**
 * Events of an Ethereum network. Heads are told at once, and the logs of a block after its head. Removed logs are told before the
 * heads of the new branch. Confined to the event loop of the stream.
 */
final class EthereumEvents implements StreamEvents {

    private final ToldEvents told;
    private final LogInterest interest = new LogInterest();
    private final LogStream logs;

    /** @param sink receives each event, in order */
    EthereumEvents(LogSource source, StreamTimer timer, Consumer<Delivered> sink) {
        this.told = new ToldEvents(sink);
        this.logs = new LogStream(interest, source, timer, told, ChainStream.MAX_GAP);
    }

    @Override
    public void count(StreamMember member, int change) {
        interest.count(member.criteria(), change);
    }

    @Override
    public void joined(StreamMember member, BlockLink newest) {
        member.joined(logs.sequence());
    }

    @Override
    public void began(BlockLink newest) {
        logs.restart();
        told.reached(newest.number(), newest.number());
    }

    @Override
    public void ended() {
        logs.restart();
    }

    @Override
    public void added(StreamBlock block) {
        told.head(block);
        logs.added(block);
    }

    @Override
    public void removed(BlockLink block) {
        told.below(block);
        logs.removed(block);
    }

    @Override
    public void lost(String reason, BlockLink newest) {
        logs.restart();
        told.ended(reason);
        told.reached(newest.number(), newest.number());
    }
}
