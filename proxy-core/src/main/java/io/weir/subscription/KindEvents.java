package io.weir.subscription;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.api.SubscriptionForm;
import io.weir.chain.BlockLink;
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
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Events of a plugin's kind of network. Blocks that are no longer canonical are told together, before those that replace them.
 * Subscriptions to logs are told in their own order: after the logs of earlier blocks. Confined to the event loop of the stream.
 */
final class KindEvents implements StreamEvents {

    private final SubscriptionForm.Reorganisation form;
    private final Consumer<Delivered> sink;
    private final LogInterest interest = new LogInterest();
    private final LogStream logs;
    /** Reorganisations of which subscriptions to logs were not told, because the logs of earlier blocks are missing. */
    private final Deque<Notice> notices = new ArrayDeque<>();

    /** The lowest and the highest block that are no longer canonical, and of which nobody was told. */
    private @Nullable BlockLink first;

    private @Nullable BlockLink last;

    /** The newest block of which subscriptions to logs were told everything; null while there is no stream. */
    private @Nullable BlockLink logsTold;

    /**
     * Reorganisation of which subscriptions to logs are told before the logs of the first block of the new branch. Nobody modifies the
     * array.
     */
    private record Notice(byte[] text, String before) {}

    /**
     * @param sink receives each event, in order
     */
    KindEvents(SubscriptionForm.Reorganisation form, LogSource source, StreamTimer timer, Consumer<Delivered> sink) {
        this.form = form;
        this.sink = sink;
        this.logs = new LogStream(interest, source, timer, new ToldLogs(), 0);
    }

    @Override
    public void count(StreamMember member, int change) {
        interest.count(member.criteria(), change);
    }

    @Override
    public void joined(StreamMember member, BlockLink newest) {
        member.joined(logs.sequence());
        member.joinedAfter(member.criteria() == null || logsTold == null ? newest : logsTold);
    }

    @Override
    public void began(BlockLink newest) {
        restart(newest);
    }

    @Override
    public void ended() {
        restart(null);
    }

    private void restart(@Nullable BlockLink newest) {
        logs.restart();
        notices.clear();
        logsTold = newest;
    }

    @Override
    public void added(StreamBlock block) {
        if (first != null && last != null) {
            byte[] text = text(first, last);
            sink.accept(new Delivered.Reorganisation(text, false));
            notices.add(new Notice(text, block.link().hash()));
            first = null;
            last = null;
        }
        byte[] header = block.header().toBytes();
        sink.accept(new Delivered.Result(SubscriptionKind.NEW_HEADS, header, header));
        logs.added(block);
    }

    private byte[] text(BlockLink lowest, BlockLink highest) {
        return ("{" + text(form.first(), lowest) + ',' + text(form.last(), highest) + '}').getBytes(UTF_8);
    }

    private static String text(SubscriptionForm.Reorganisation.Place names, BlockLink block) {
        return '"' + names.hash() + "\":\"" + block.hash() + "\",\"" + names.number() + "\":" + block.number();
    }

    @Override
    public void removed(BlockLink block) {
        first = block;
        last = last == null ? block : last;
        logs.removed(block);
        if (logsTold != null && logsTold.number() >= block.number()) {
            logsTold = new BlockLink(block.number() - 1, block.parentHash(), "");
        }
    }

    @Override
    public void lost(String reason, BlockLink newest) {
        restart(newest);
        sink.accept(new Delivered.End(null, reason));
    }

    /** Listener of the logs. Those of replaced blocks are not taken back one by one. Confined to the event loop. */
    private final class ToldLogs implements LogListener {

        @Override
        public void added(BlockLogs of, long sequence) {
            tellNotices(of.block());
            sink.accept(new Delivered.Logs(of, false, sequence));
        }

        @Override
        public void removed(BlockLogs of, long sequence) {}

        @Override
        public void passed(BlockLink block) {
            logsTold = block;
            tellNotices(block);
        }

        /** Tells the notices before a block. A branch that was replaced before its turn leaves its notice to the next branch. */
        private void tellNotices(BlockLink block) {
            boolean more = notices.stream().anyMatch(notice -> notice.before().equals(block.hash()));
            while (more) {
                Notice notice = notices.remove();
                sink.accept(new Delivered.Reorganisation(notice.text(), true));
                more = !notice.before().equals(block.hash());
            }
        }

        @Override
        public void lost(String reason) {
            sink.accept(new Delivered.End(SubscriptionKind.LOGS, reason));
        }
    }
}
