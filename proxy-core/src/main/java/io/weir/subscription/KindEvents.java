package io.weir.subscription;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.api.SubscriptionForm;
import io.weir.chain.BlockLink;
import io.weir.subscription.chain.StreamBlock;
import io.weir.subscription.delivery.Delivered;
import io.weir.subscription.delivery.StreamMember;
import io.weir.subscription.delivery.SubscriptionKind;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Events of a plugin's kind of network. Blocks that are no longer canonical are told together, before those that replace them.
 * Confined to the event loop of the stream.
 */
final class KindEvents implements StreamEvents {

    private final SubscriptionForm.Reorganisation form;
    private final Consumer<Delivered> sink;
    /** The lowest and the highest block that are no longer canonical, and of which nobody was told. */
    private @Nullable BlockLink first;

    private @Nullable BlockLink last;

    /** @param sink receives each event, in order */
    KindEvents(SubscriptionForm.Reorganisation form, Consumer<Delivered> sink) {
        this.form = form;
        this.sink = sink;
    }

    @Override
    public void count(StreamMember member, int change) {}

    @Override
    public void joined(StreamMember member, BlockLink newest) {
        member.joinedAfter(newest);
    }

    @Override
    public void began(BlockLink newest) {}

    @Override
    public void ended() {}

    @Override
    public void added(StreamBlock block) {
        if (first != null && last != null) {
            sink.accept(new Delivered.Reorganisation(text(first, last)));
            first = null;
            last = null;
        }
        byte[] header = block.header().toBytes();
        sink.accept(new Delivered.Result(SubscriptionKind.NEW_HEADS, header, header));
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
    }

    @Override
    public void lost(String reason, BlockLink newest) {
        sink.accept(new Delivered.End(null, reason));
    }
}
