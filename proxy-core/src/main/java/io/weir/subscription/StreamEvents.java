package io.weir.subscription;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.api.SubscriptionForm.Reorganisation;
import io.weir.chain.BlockLink;
import io.weir.subscription.delivery.Delivered;
import io.weir.subscription.delivery.StreamMember;
import io.weir.subscription.delivery.SubscriptionKind;
import io.weir.subscription.stream.BlockLogs;
import io.weir.subscription.stream.ChainStream;
import io.weir.subscription.stream.LogStream;
import io.weir.subscription.stream.StreamBlock;
import io.weir.subscription.stream.StreamTimer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a stream tells its members of the blocks. Heads are told at once, and the logs of a block after its head. How blocks are taken
 * back depends on the network. Either their logs are removed one by one, before the heads of the new branch, as on Ethereum. Or a
 * notice names them together; subscriptions to logs get it in their own order, after the logs of earlier blocks. Confined to the event
 * loop of the stream.
 */
final class StreamEvents implements ChainStream.Listener, LogStream.Listener {

    private final @Nullable Reorganisation form;
    private final Consumer<Delivered> sink;
    private final LogStream logs;
    /** Notices of which subscriptions to logs were not told, because the logs of earlier blocks are missing. */
    private final Deque<Notice> notices = new ArrayDeque<>();

    /** The lowest and the highest block that are no longer canonical, and of which no notice was told. */
    private @Nullable BlockLink first;

    private @Nullable BlockLink last;

    private long headsTold;
    /** The newest block whose logs were told; null while there is no stream. */
    private @Nullable BlockLink logsTold;

    /**
     * Notice of which subscriptions to logs are told before the logs of the first block of the new branch. Nobody modifies the array.
     */
    private record Notice(byte[] text, String before) {}

    /**
     * @param form of the notices; null if logs are removed one by one
     * @param sink receives each event, in order
     */
    StreamEvents(@Nullable Reorganisation form, LogStream.Source source, StreamTimer timer, Consumer<Delivered> sink) {
        this.form = form;
        this.sink = sink;
        this.logs = new LogStream(source, timer, this, form == null ? ChainStream.MAX_GAP : 0);
    }

    /**
     * Counts a member.
     *
     * @param change 1 if it comes, -1 if it goes
     */
    void count(StreamMember member, int change) {
        logs.count(member.criteria(), change);
    }

    /** Handles that a member joins the stream. */
    void joined(StreamMember member, BlockLink newest) {
        member.joined(logs.sequence());
        member.joinedAfter(member.criteria() == null || logsTold == null ? newest : logsTold);
    }

    /** Handles that the stream begins after a block, of which nobody is told. */
    void began(BlockLink newest) {
        restart(newest);
        headsTold = newest.number();
        tellHeights();
    }

    /** Handles that the stream ends, because it has no members. */
    void ended() {
        restart(null);
    }

    @Override
    public void lost(String reason, BlockLink newest) {
        restart(newest);
        sink.accept(new Delivered.End(null, reason));
        headsTold = newest.number();
        tellHeights();
    }

    private void restart(@Nullable BlockLink newest) {
        logs.restart();
        notices.clear();
        logsTold = newest;
    }

    private void tellHeights() {
        sink.accept(new Delivered.Height(SubscriptionKind.NEW_HEADS, headsTold));
        sink.accept(new Delivered.Height(SubscriptionKind.LOGS, logsTold == null ? -1 : logsTold.number()));
    }

    @Override
    public void added(StreamBlock block) {
        if (form != null && first != null && last != null) {
            byte[] text = ("{" + text(form.first(), first) + ',' + text(form.last(), last) + '}').getBytes(UTF_8);
            sink.accept(new Delivered.Reorganisation(text, false));
            notices.add(new Notice(text, block.link().hash()));
        }
        first = null;
        last = null;
        byte[] hash = ('"' + block.link().hash() + '"').getBytes(UTF_8);
        sink.accept(
                new Delivered.Result(SubscriptionKind.NEW_HEADS, block.header().toBytes(), hash));
        headsTold = block.link().number();
        tellHeights();
        logs.added(block);
    }

    private static String text(Reorganisation.Place names, BlockLink block) {
        return '"' + names.hash() + "\":\"" + block.hash() + "\",\"" + names.number() + "\":" + block.number();
    }

    @Override
    public void removed(BlockLink block) {
        first = block;
        last = last == null ? block : last;
        headsTold = Math.min(headsTold, block.number() - 1);
        if (logsTold != null && logsTold.number() >= block.number()) {
            logsTold = new BlockLink(block.number() - 1, block.parentHash(), "");
        }
        tellHeights();
        logs.removed(block);
    }

    @Override
    public void added(BlockLogs of, long sequence) {
        tellNotices(of.block());
        sink.accept(new Delivered.Logs(of, false, sequence));
    }

    @Override
    public void removed(BlockLogs of, long sequence) {
        if (form == null) {
            sink.accept(new Delivered.Logs(of, true, sequence));
        }
    }

    @Override
    public void passed(BlockLink block) {
        logsTold = block;
        tellHeights();
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
