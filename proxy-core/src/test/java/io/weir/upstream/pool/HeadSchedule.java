package io.weir.upstream.pool;

import com.codahale.metrics.MetricRegistry;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import io.weir.chain.BlockLink;
import io.weir.chain.HeadListener;
import io.weir.chain.HeadMoment;
import io.weir.chain.HeadTracker;
import io.weir.metrics.Meters;
import io.weir.testing.NetworkSettings;
import io.weir.upstream.NetworkHead;
import io.weir.upstream.NetworkHead.ShownBlock;
import io.weir.upstream.Upstream;
import io.weir.upstream.UpstreamStatus;
import io.weir.upstream.UpstreamStatus.Health;
import io.weir.upstream.budget.UnitLedger;
import io.weir.upstream.pool.ScriptedChain.Block;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * Pool of one to four {@linkplain ScriptedNode scripted nodes} in virtual time, whose head clients want. It notes everything that the
 * pool publishes about the head, and breaches of what it promises. All follows from the seed. Confined to one thread.
 */
final class HeadSchedule {

    static final long MAX_LAG = 3;
    /** Blocks by which a node that shows made-up blocks may lead for some time. */
    private static final long SHOWN_LEAD = 64;

    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long DEADLINE_MILLIS = 10_000;
    /** Seconds since 1970 at which the schedule begins. */
    private static final long START_SECONDS = 1_700_000_000;
    /** Time after the last fault in which nodes come back into line. */
    private static final long RECOVERY_MILLIS = 10_000;
    /** Time within which calls get a head once the chain goes on undisturbed. */
    private static final long CALM_WAIT_MILLIS = 3_000;

    private final MockTicker ticker = Ticker.newMockTicker();
    private final EmbeddedChannel channel =
            EmbeddedChannel.builder().ticker(ticker).build();
    private final EventLoop loop = channel.eventLoop();
    private final Random random;
    private final ScriptedChain chain;
    private final List<ScriptedNode> nodes = new ArrayList<>();
    private final ProbedPool pool;
    private final NetworkHead head;
    private final HeadTracker tracker;
    private final Map<String, Object> published = new HashMap<>();
    private final boolean honestMajority;
    private long calls;
    private long ended;

    final StringBuilder log = new StringBuilder();
    final List<String> breaches = new ArrayList<>();

    HeadSchedule(long seed) {
        random = new Random(seed);
        chain = new ScriptedChain(random, START_SECONDS);
        int count = 1 + random.nextInt(4);
        int liars = random.nextBoolean() ? (count - 1) / 2 : random.nextInt(count + 1);
        StringBuilder upstreams = new StringBuilder("upstreams {");
        for (int i = 0; i < count; i++) {
            ScriptedNode node = new ScriptedNode("n" + i, chain, loop, random, i < liars);
            node.tier = i > 0 && random.nextInt(5) == 0 ? 1 : 0;
            nodes.add(node);
            upstreams
                    .append(i == 0 ? "" : ",")
                    .append(" n%d { url = \"http://127.0.0.1:1\", tier = %d }".formatted(i, node.tier));
        }
        long lying = nodes.stream().filter(ScriptedNode::everLies).count();
        honestMajority = 2 * lying < count;
        Map<String, ScriptedNode> clients = new LinkedHashMap<>();
        nodes.forEach(node -> clients.put(node.id, node));
        pool = new ProbedPool(
                NetworkSettings.of(
                        "net",
                        "kind = plain",
                        "hashing = none",
                        "health { interval = 1 s, max-lag = " + MAX_LAG + " }",
                        upstreams.append(" }").toString()),
                new PlainKind(),
                Map.copyOf(clients),
                loop,
                new Meters(new MetricRegistry()),
                ticker::nanoTime,
                () -> START_SECONDS + millis() / 1_000,
                new Random(seed)::nextInt,
                UnitLedger.inMemory(() -> START_SECONDS * 1_000 + millis()));
        head = pool.head();
        tracker = head.tracker();
        tracker.listen(new Changes());
        head.listen((block, round, node) -> shown(block, round, node));
    }

    private long millis() {
        return ticker.nanoTime() / MILLI;
    }

    private void note(String text) {
        log.append(millis()).append(": ").append(text).append('\n');
    }

    private void breach(String text) {
        breaches.add(millis() + ": " + text);
        note("BREACH " + text);
    }

    private void shown(ShownBlock block, HeadMoment round, String node) {
        note("shown %d %s by %s%s"
                .formatted(
                        block.link().number(),
                        Long.toHexString(Long.parseLong(block.link().hash().substring(50), 16)),
                        node,
                        tracker.covers(round) ? "" : " in doubt"));
    }

    /** Changes of the head's number. */
    private final class Changes implements HeadListener {

        @Override
        public void rose(long number) {
            note("rose to " + number);
            nodes.forEach(ScriptedNode::forgetWords);
            List<ScriptedNode> honest =
                    nodes.stream().filter(HeadSchedule.this::isWitness).toList();
            long most = honest.stream().mapToLong(node -> node.highest).max().orElse(-1);
            boolean shows = nodes.stream().anyMatch(ScriptedNode::inventsBlocks);
            if (2 * honest.size() > nodes.size() && number > most + (shows ? SHOWN_LEAD : MAX_LAG)) {
                breach("the head " + number + " is above what an honest node has: " + most);
            }
        }

        @Override
        public void confirmed(long number, long beganNanos) {
            note("confirmed " + number + " since " + beganNanos / MILLI);
        }

        @Override
        public void wentBack(long from, long to) {
            note("went back from " + from + " to " + to);
            List<ScriptedNode> ready = nodes.stream()
                    .filter(node -> known(node).state().isReady(ticker.nanoTime()))
                    .toList();
            // The words of doubted and distrusted nodes do not count, but they are asked too.
            long first = ready.stream()
                    .filter(node -> node.answeredTwice(from - 1))
                    .mapToLong(node -> node.firstMillis(from - 1))
                    .min()
                    .orElse(Long.MAX_VALUE);
            // A node that came back after the first word need not have been asked for it.
            boolean heard = ready.stream()
                    .allMatch(node -> node.answeredTwice(Long.MAX_VALUE)
                            || (node.readyMillis > first && node.firstMillis(Long.MAX_VALUE) < Long.MAX_VALUE));
            boolean named = ready.stream().anyMatch(node -> node.firstMillis(to) < Long.MAX_VALUE);
            if (!heard || !named || first == Long.MAX_VALUE) {
                breach("the head went back from " + from + " to " + to + " without two words of each node");
            }
            nodes.forEach(ScriptedNode::forgetWords);
        }
    }

    /** Returns whether a node never lies, and its word counts beside those of the first tier. */
    private boolean isWitness(ScriptedNode node) {
        return node.tier == 0 && !node.everLies() && isReady(node);
    }

    private boolean isReady(ScriptedNode node) {
        return known(node).status().health() == Health.HEALTHY;
    }

    private Node known(ScriptedNode node) {
        return (Node) pool.upstreams().get(nodes.indexOf(node));
    }

    /** Runs all of it. */
    HeadSchedule run() {
        nodes.forEach(node -> node.pass(0));
        nodes.forEach(ScriptedNode::start);
        pool.start();
        long millis = random.nextInt(3_000);
        long idleAt = random.nextInt(3) == 0 ? random.nextInt((int) chain.calmMillis) : Long.MAX_VALUE;
        int mean = List.of(30, 200, 1_000).get(random.nextInt(3));
        while (millis < chain.endMillis) {
            advance(millis);
            act();
            millis += 1 + (long) (-Math.log(1 - random.nextDouble()) * mean);
            if (millis > idleAt) {
                idleAt = Long.MAX_VALUE;
                millis = Math.max(millis, Math.min(chain.calmMillis, millis + random.nextInt(90_000)));
            }
        }
        advance(chain.endMillis);
        settled();
        advance(chain.endMillis + DEADLINE_MILLIS + 1);
        if (ended != calls) {
            breach(calls - ended + " calls never ended");
        }
        for (ScriptedNode node : nodes) {
            note("asked " + node.id + " " + node.questions);
        }
        pool.close();
        channel.close();
        return this;
    }

    /** After a calm time the head is one that the chain had lately. */
    private void settled() {
        long newest = chain.at(millis()).number();
        long least = chain.at(millis() - 3_000 - 2L * chain.blockMillis).number();
        long number = tracker.number();
        if (honestMajority && (number < least || number > newest)) {
            breach("the head " + number + " is not that of the chain, which had " + least + " to " + newest);
        }
    }

    private void act() {
        ScriptedNode node = nodes.get(random.nextInt(nodes.size()));
        int drawn = random.nextInt(200);
        int more = random.nextInt(40);
        long number = node.head();
        if (drawn < 150) {
            wait(drawn % 8 == 0);
        } else if (drawn < 175) {
            note("seen at " + node.id + ": " + number);
            head.seen(node.id, number);
        } else if (drawn < 178) {
            note("missing");
            head.missing(tracker.number());
        } else if (drawn < 180) {
            note("written");
            tracker.written();
        } else if (drawn < 182) {
            note("perhaps written");
            tracker.perhapsWritten();
        } else if (drawn < 184) {
            tracker.accepted();
        } else if (drawn < 186) {
            note("outdated");
            tracker.outdate();
        } else if (drawn < 190) {
            head.linked(links(node.block(), more));
        } else if (drawn < 194) {
            head.compare(link(node.block()), node.id, loop, counts -> note("compared " + counts));
        }
    }

    private static List<BlockLink> links(Block newest, int count) {
        List<BlockLink> links = new ArrayList<>();
        for (Block block = newest; block.parent() != null && links.size() < count; block = block.parent()) {
            links.add(link(block));
        }
        return links;
    }

    private static BlockLink link(Block block) {
        Block parent = block.parent();
        return new BlockLink(block.number(), block.hash(), parent == null ? block.hash() : parent.hash());
    }

    private void wait(boolean whole) {
        calls++;
        long began = millis();
        long deadline = ticker.nanoTime() + DEADLINE_MILLIS * MILLI;
        if (whole) {
            head.whenShown(loop, deadline, number -> got(number, began));
        } else {
            head.whenFresh(loop, deadline, number -> got(number, began));
        }
    }

    private void got(long number, long began) {
        ended++;
        note("got " + number + " after " + (millis() - began));
        if (millis() - began > DEADLINE_MILLIS) {
            breach("a call waited for " + (millis() - began) + " ms");
        }
        boolean late = millis() - began > CALM_WAIT_MILLIS;
        if (honestMajority && began >= chain.calmMillis + RECOVERY_MILLIS && (number < 0 || late)) {
            breach("a call in calm got " + number + " after " + (millis() - began) + " ms");
        }
    }

    private void advance(long untilMillis) {
        long end = untilMillis * MILLI;
        step();
        long next = channel.runScheduledPendingTasks();
        while (next >= 0 && next <= end - ticker.nanoTime()) {
            ticker.advance(next, TimeUnit.NANOSECONDS);
            step();
            next = channel.runScheduledPendingTasks();
            step();
        }
        ticker.advance(Math.max(0, end - ticker.nanoTime()), TimeUnit.NANOSECONDS);
        step();
    }

    private void step() {
        nodes.forEach(node -> node.pass(millis()));
        channel.runPendingTasks();
        publish("fresh", tracker.fresh());
        publish("doubtful", tracker.isDoubtful());
        publish("block time", tracker.blockNanos() / MILLI);
        publish("announced", tracker.isAnnounced());
        nodes.forEach(node -> node.isReady(known(node).state().isReady(ticker.nanoTime())));
        for (Upstream upstream : pool.upstreams()) {
            UpstreamStatus status = upstream.status();
            publish(upstream.id(), status.health() + " " + status.head() + " " + status.detail());
        }
    }

    private void publish(String what, Object value) {
        if (!Objects.equals(published.put(what, value), value)) {
            note(what + " " + value);
        }
    }
}
