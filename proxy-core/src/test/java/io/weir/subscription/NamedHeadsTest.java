package io.weir.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import io.weir.chain.BlockLink;
import io.weir.chain.HeadTracker;
import io.weir.jsonrpc.RawJson;
import io.weir.subscription.stream.StreamBlock;
import io.weir.subscription.stream.StreamSource;
import io.weir.upstream.NetworkHead;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class NamedHeadsTest {

    private final EventLoop loop = new DefaultEventLoop();
    private final Map<String, BlockLink> byHash = new HashMap<>();
    private final Map<Long, BlockLink> byNumber = new HashMap<>();
    private long number;
    private final NamedHeads heads = new NamedHeads(loop, new Numbers(), new Blocks());

    private final class Numbers implements NetworkHead {
        @Override
        public HeadTracker tracker() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void whenFresh(EventLoop caller, long deadlineNanos, LongConsumer sink) {
            sink.accept(number);
        }

        @Override
        public void missing(long number) {}

        @Override
        public void seen(String upstreamId, long seen) {}
    }

    private final class Blocks implements StreamSource {
        @Override
        public void fetch(String hash, long at, Consumer<@Nullable StreamBlock> sink) {
            sink.accept(block(byHash.get(hash)));
        }

        @Override
        public void fetchAt(long at, Consumer<@Nullable StreamBlock> sink) {
            sink.accept(block(byNumber.get(at)));
        }

        private @Nullable StreamBlock block(@Nullable BlockLink link) {
            return link == null ? null : new StreamBlock(link, RawJson.of("{}"), -1);
        }
    }

    @AfterEach
    void stop() {
        loop.shutdownGracefully();
    }

    private BlockLink mine(long at, String hash) {
        BlockLink block = new BlockLink(at, hash, "0x0");
        byHash.put(hash, block);
        byNumber.put(at, block);
        number = at;
        return block;
    }

    private @Nullable BlockLink found() {
        BlockLink[] found = new BlockLink[1];
        heads.find(0, block -> found[0] = block);
        return found[0];
    }

    @Test
    void theHeadIsTheBlockAtTheHeightToWhichCallsAreHeld() {
        assertThat(found()).isNull();
        BlockLink one = mine(7, "0xa");
        assertThat(found()).isEqualTo(one);
        number = -1;
        assertThat(found()).isNull();
    }

    @Test
    void aRivalAtTheSameHeightOrBelowCountsOnlyOnceNoNodeHasTheHead() {
        BlockLink head = mine(7, "0xa");
        assertThat(found()).isEqualTo(head);
        BlockLink rival = mine(7, "0xb");
        assertThat(found()).isEqualTo(head);
        mine(6, "0xc");
        assertThat(found()).isEqualTo(head);
        byHash.remove("0xa");
        number = 7;
        assertThat(found()).isEqualTo(rival);
    }

    @Test
    void aHigherBlockCountsAtOnceWhateverItsBranch() {
        mine(7, "0xa");
        found();
        BlockLink next = mine(8, "0xd");
        assertThat(found()).isEqualTo(next);
    }
}
