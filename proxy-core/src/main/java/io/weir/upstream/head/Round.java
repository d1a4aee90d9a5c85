package io.weir.upstream.head;

import io.netty.util.concurrent.ScheduledFuture;
import io.weir.chain.HeadMoment;
import io.weir.chain.HeadTracker;
import io.weir.chain.HeadTracker.RoundResult;
import io.weir.upstream.LoopWaiter;
import io.weir.upstream.head.Witness.BlockAnswer;
import io.weir.upstream.head.Witness.CheckResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Question to nodes about their heads, or the head that one announces, with the calls that wait for it. Only nodes that may receive calls
 * now count. The lowest tier among them raises the head. A higher tier is asked only if the lower ones fail, so it must not attract calls by
 * being a block ahead. All nodes must agree before the head goes back. Confined to the monitor's event loop.
 *
 * <p>A head that does not count at once waits for the other nodes' heads of the round. If they do not confirm it, the node must show it; see
 * {@link Claims}. A node that does not is out of line until it names a head that counts. Calls wait for checks too, within bounds.
 */
public final class Round {

    /** Consecutive rounds before waiting calls get the known head. */
    private static final int MAX_TURNS = 4;

    private final Follower follower;
    private final Claims claims;
    private final HeadTracker tracker;
    private final HeadMoment began;
    private final Set<Witness> named = new HashSet<>();
    /** Heads that do not count yet. */
    private final Map<Witness, Long> waiting = new LinkedHashMap<>();

    private final List<Runnable> settled = new ArrayList<>();
    private int checking;
    private long highest = -1;

    private final List<LoopWaiter<Long>> waiters;
    /** Nodes that are awaited, but not asked yet, because they owe too many answers. */
    private final Set<Witness> owing = new LinkedHashSet<>();

    private int turn;
    private int open;
    private boolean late;
    private boolean released;
    private @Nullable ScheduledFuture<?> patience;

    /** @param began before the first node was asked */
    Round(Follower follower, HeadMoment began, List<LoopWaiter<Long>> waiters) {
        this.follower = follower;
        this.claims = follower.claims();
        this.tracker = follower.tracker();
        this.began = began;
        this.waiters = new ArrayList<>(waiters);
    }

    HeadMoment began() {
        return began;
    }

    public void named(Witness node, long head) {
        if (node.ready() || node.isOutOfLine()) {
            named.add(node);
            waiting.put(node, head);
            takeConfirmed();
        }
    }

    /** Takes the heads that count by now: each head may confirm those before it. */
    private void takeConfirmed() {
        waiting.entrySet().removeIf(one -> {
            boolean counts = claims.counts(one.getKey(), one.getValue());
            if (counts) {
                claims.accept(one.getKey(), one.getValue());
                take(one.getKey(), one.getValue());
            }
            return counts;
        });
    }

    private void take(Witness node, long head) {
        if (node.ready()) {
            note(head, node.tier() == claims.rules().lowestTier());
        }
    }

    private void note(long head, boolean raises) {
        highest = Math.max(highest, head);
        if (tracker.named(began, head, raises)) {
            follower.confirmed();
        }
    }

    /**
     * Notes the newest block that a node showed or announced.
     *
     * @param checked runs after a check of a block that does not count yet
     * @return whether it counts now and may be told
     */
    boolean shown(Witness node, BlockAnswer block, Runnable checked) {
        boolean heard = claims.hears(node, block);
        if (!heard && began.announced()) {
            return false;
        }
        named(node, block.number());
        if (!waiting.isEmpty()) {
            settle(checked);
            return false;
        }
        node.seen(block.number());
        return heard;
    }

    /**
     * Checks the heads that wait, because no further node will confirm them.
     *
     * @param done runs once all checks of the round have ended, perhaps before this method returns
     */
    void settle(Runnable done) {
        takeConfirmed();
        settled.add(done);
        checking++;
        if (waiting.isEmpty()) {
            endCheck();
        } else {
            // After a pause, and of nodes that no call uses, heads may be too old to compare with.
            claims.whenHeard(this::check);
        }
    }

    private void check() {
        takeConfirmed();
        boolean first = tracker.known().top() < 0;
        if (first) {
            // Another node may have named a higher head outside this round.
            claims.rules().ready().stream()
                    .filter(node -> node.head() >= 0)
                    .forEach(node -> waiting.putIfAbsent(node, node.head()));
        }
        Map<Witness, Long> open = new LinkedHashMap<>(waiting);
        waiting.clear();
        if (first && !open.isEmpty()) {
            checkFirst(open);
            return;
        }
        checking += open.size();
        open.forEach((node, head) -> claims.check(node, head, result -> {
            checked(node, result);
            endCheck();
        }));
        endCheck();
    }

    /** While no head is known, the highest one that is shown counts. Then the lower ones count too, and are no heads. */
    private void checkFirst(Map<Witness, Long> open) {
        Map<Witness, CheckResult> results = new LinkedHashMap<>();
        open.forEach((node, head) -> claims.check(node, head, result -> {
            results.put(node, result);
            if (results.size() == open.size()) {
                results.entrySet().stream()
                        .sorted(Comparator.comparingLong(one -> -one.getValue().shown()))
                        .forEach(one -> checked(one.getKey(), one.getValue()));
                open.forEach(this::leaveAbove);
                endCheck();
            }
        }));
    }

    /** Sends no calls to a node whose first head could not be checked, if another one counts: it may hang. */
    private void leaveAbove(Witness node, long head) {
        long known = tracker.known().top();
        if (known >= 0 && !claims.counts(node, head) && !node.isOutOfLine()) {
            node.outOfLine("names head " + head + ", but did not show that block; another node has shown " + known);
        }
    }

    private void endCheck() {
        checking--;
        if (checking == 0) {
            List<Runnable> ended = List.copyOf(settled);
            settled.clear();
            ended.forEach(Runnable::run);
        }
    }

    private void checked(Witness node, CheckResult result) {
        claims.accept(node, result, head -> take(node, head));
        boolean open = result.shown() < 0 && result.contradiction() == null;
        if (open
                && node.ready()
                && tracker.number() >= 0
                && claims.rules().beside(node).isEmpty()) {
            // No other node is in line, so its calls go on with the known head.
            note(tracker.number(), false);
        }
    }

    /**
     * Ends the round. A round that is never ended changes nothing.
     *
     * @param sink receives the result, after the checks of heads that other nodes did not confirm
     */
    public void end(Consumer<RoundResult> sink) {
        settle(() -> {
            List<Witness> ready = claims.rules().ready();
            sink.accept(tracker.end(began, highest, !ready.isEmpty() && named.containsAll(ready)));
        });
    }

    /** Returns whether calls may wait for the round. */
    boolean isOpen() {
        return !released;
    }

    void join(List<LoopWaiter<Long>> calls) {
        waiters.addAll(calls);
    }

    /** Asks all of these nodes for their heads, but not those that owe too many answers. */
    void askAll(List<Witness> nodes, int turnOfRounds) {
        turn = turnOfRounds;
        List<Witness> asked =
                nodes.stream().filter(follower.questions::mayAskHead).toList();
        if (began.urgent()) {
            owing.addAll(nodes);
            asked.forEach(owing::remove);
        }
        open = asked.size() + owing.size();
        if (asked.isEmpty()) {
            release();
            return;
        }
        await(Questions.PATIENCE_MILLIS, this::patienceEnded);
        asked.forEach(this::ask);
    }

    private void ask(Witness node) {
        follower.questions.head(node, head -> answered(node, head));
    }

    /** Asks the nodes that owe fewer answers by now. */
    void askOwing() {
        for (Witness node : List.copyOf(owing)) {
            if (follower.questions.mayAskHead(node) && owing.remove(node)) {
                ask(node);
            }
        }
    }

    private void answered(Witness node, long head) {
        open--;
        if (head >= 0) {
            named(node, head);
        }
        if (open == 0) {
            endAll();
        } else if (late || (!began.urgent() && tracker.fresh())) {
            releaseOnceChecked();
        }
    }

    private void patienceEnded() {
        late = true;
        boolean allElse = !owing.isEmpty() && open == owing.size();
        open -= owing.size();
        owing.clear();
        releaseOnceChecked();
        if (allElse) {
            endAll();
        }
    }

    /** Releases the calls as soon as the heads named so far are checked. */
    private void releaseOnceChecked() {
        if (named.isEmpty()) {
            return;
        }
        boolean isNeeded = checking > 0 && claims.mustBeChecked();
        if (!isNeeded && (!late || waiting.isEmpty())) {
            release();
            return;
        }
        settle(this::release);
        if (!released) {
            releaseLater();
        }
    }

    private void releaseLater() {
        await(claims.mustBeChecked() ? Claims.WAIT_MILLIS : Questions.PATIENCE_MILLIS, this::release);
    }

    private void endAll() {
        end(this::ended);
        if (late && !released) {
            // The check of a head that does not count yet may take long.
            releaseLater();
        }
    }

    private void ended(RoundResult result) {
        boolean again = follower.ended(result) && !named.isEmpty() && began.urgent();
        if (again && !released && turn < MAX_TURNS) {
            follower.askAll(leave(), turn + 1);
        } else {
            release();
        }
    }

    private void release() {
        release(named.isEmpty() ? -1 : tracker.number());
    }

    void release(long head) {
        leave().forEach(waiter -> waiter.end(head));
    }

    /** Returns the waiting calls, which wait for the round no more. */
    List<LoopWaiter<Long>> leave() {
        if (patience != null) {
            patience.cancel(false);
        }
        released = true;
        List<LoopWaiter<Long>> left = List.copyOf(waiters);
        waiters.clear();
        return left;
    }

    /** Sets what happens if the calls have waited for so long. */
    void await(long millis, Runnable action) {
        if (patience != null) {
            patience.cancel(false);
        }
        patience = follower.loop.schedule(action, millis, TimeUnit.MILLISECONDS);
    }
}
