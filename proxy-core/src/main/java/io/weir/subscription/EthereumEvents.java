package io.weir.subscription;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.weir.chain.BlockLink;
import io.weir.subscription.chain.ChainStream;
import io.weir.subscription.chain.StreamBlock;
import io.weir.subscription.chain.StreamTimer;
import io.weir.subscription.delivery.Delivered;
import io.weir.subscription.delivery.StreamMember;
import io.weir.subscription.delivery.SubscriptionKind;
import io.weir.subscription.log.BlockLogs;
import io.weir.subscription.log.LogInterest;
import io.weir.subscription.log.LogListener;
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

    /** Events of a stream as they are told, and the heights up to which they were. Confined to the event loop of the stream. */
    private static final class ToldEvents implements LogListener {

        private final Consumer<Delivered> sink;
        /** Number of the newest block that was told, and of the newest one whose logs were. */
        private long headsTold;

        private long logsTold;

        /** @param sink receives each event, in order */
        ToldEvents(Consumer<Delivered> sink) {
            this.sink = sink;
        }

        /** Notes the heights up to which heads and logs were told. */
        void reached(long heads, long logsOf) {
            headsTold = heads;
            logsTold = logsOf;
            sink.accept(new Delivered.Height(SubscriptionKind.NEW_HEADS, heads));
            sink.accept(new Delivered.Height(SubscriptionKind.LOGS, logsOf));
        }

        /** Notes that a block is no longer canonical. */
        void below(BlockLink removed) {
            long below = removed.number() - 1;
            reached(Math.min(headsTold, below), Math.min(logsTold, below));
        }

        /** Tells a head. */
        void head(StreamBlock block) {
            byte[] hash = ('"' + block.link().hash() + '"').getBytes(US_ASCII);
            sink.accept(new Delivered.Result(
                    SubscriptionKind.NEW_HEADS, block.header().toBytes(), hash));
            reached(block.link().number(), logsTold);
        }

        /** Tells that the stream cannot go on. */
        void ended(String reason) {
            sink.accept(new Delivered.End(null, reason));
        }

        @Override
        public void added(BlockLogs of, long sequence) {
            sink.accept(new Delivered.Logs(of, false, sequence));
        }

        @Override
        public void removed(BlockLogs of, long sequence) {
            sink.accept(new Delivered.Logs(of, true, sequence));
        }

        @Override
        public void passed(BlockLink block) {
            reached(headsTold, block.number());
        }

        @Override
        public void lost(String reason) {
            sink.accept(new Delivered.End(SubscriptionKind.LOGS, reason));
        }
    }
}
