package io.weir.subscription.delivery;

import io.netty.channel.EventLoop;
import io.weir.access.Holding;
import io.weir.chain.BlockLink;
import io.weir.jsonrpc.RawJson;
import io.weir.subscription.stream.FailoverFeed.Topic;
import io.weir.subscription.stream.LogCriteria;
import java.math.BigInteger;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Subscription or filter that events are for. */
public interface StreamMember {

    /** Returns an unpredictable id for the client: 128 random bits in geth's notation. */
    static String newId(Random random) {
        return "0x" + new BigInteger(128, random).toString(16);
    }

    /** Returns the kind of the events. */
    SubscriptionKind kind();

    /** Returns the criteria of the logs; null for other kinds. */
    @Nullable
    LogCriteria criteria();

    /** Returns the part of the limits that it holds. */
    Holding holding();

    /** Returns what the events are about, as it stands in JSON; null for kinds that are about nothing in particular. */
    default @Nullable RawJson subject() {
        return null;
    }

    /** Returns what a node is asked for it alone; null for kinds that the proxy knows. */
    default @Nullable Topic passed() {
        return null;
    }

    /** Returns the event loop of its connection; null if it has none. */
    default @Nullable EventLoop loop() {
        return null;
    }

    /** Sets the sequence number of the last logs before it joined the stream. Called on the event loop of the stream. */
    void joined(long sequence);

    /** Sets the last block before it joined the stream. Called on the event loop of the stream. */
    default void joinedAfter(BlockLink newest) {}
}
