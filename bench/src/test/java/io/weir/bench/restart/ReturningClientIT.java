package io.weir.bench.restart;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.weir.bench.subscription.chain.Block;
import io.weir.bench.subscription.chain.ForkingChain;
import io.weir.bench.subscription.client.Journal;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The client knows everything, whatever the moment at which its connection is closed. */
final class ReturningClientIT {

    private final EventLoopGroup loops = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
    private final ForkingChain chain = new ForkingChain(1, 3, Integer.MAX_VALUE);
    private final Journal journal = new Journal();
    private final ScriptedProxy proxy = new ScriptedProxy(loops, chain);
    private final ReturningClient client = new ReturningClient("client", proxy.url(), chain, journal, loops);

    @BeforeEach
    void subscribe() throws Exception {
        var ready = client.connect();
        ScriptedProxy.Session first = proxy.session().answerLogs();
        ready.get(1, TimeUnit.MINUTES);
        first.tellLogs(tellHeads(first));
        // A head comes before the logs of its block, which a node gives later.
        tellHeads(first);
        tellHeads(first);
        first.goAway();
    }

    @AfterEach
    void stop() {
        client.close();
        proxy.close();
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }

    /** Tells new heads up to a block with logs. */
    private Block tellHeads(ScriptedProxy.Session to) {
        Block block;
        do {
            block = chain.extend(1);
            to.tellHead(block);
        } while (block.logs().isEmpty());
        return block;
    }

    @Test
    void logsOfSeveralHeadsThatWereNotToldAreFetched() throws Exception {
        ScriptedProxy.Session again = proxy.session().answerLogs();
        again.tellLogs(tellHeads(again));
        assertMissesNothing();
    }

    @Test
    void logsOfHeadsBeforeTheSubscriptionToLogsAreFetched() throws Exception {
        ScriptedProxy.Session again = proxy.session();
        tellHeads(again);
        tellHeads(again);
        again.answerLogs().tellLogs(tellHeads(again));
        assertMissesNothing();
    }

    private void assertMissesNothing() throws Exception {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        String missing = "never asked";
        while (!missing.isEmpty() && journal.violation() == null && System.nanoTime() < end) {
            missing = client.missing().get(1, TimeUnit.MINUTES);
            journal.awaitViolation(missing.isEmpty() ? 0 : 10);
        }
        assertThat(journal.violation()).isNull();
        assertThat(missing).isEmpty();
    }
}
