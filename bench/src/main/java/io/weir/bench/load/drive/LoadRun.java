package io.weir.bench.load.drive;

import io.netty.channel.EventLoop;
import io.weir.bench.load.drive.DriverConnection.Answered;
import io.weir.bench.load.traffic.TrafficCheck;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** One load, from the first connection to the last answer. Confined to its event loop, but for {@link #start} and {@link #stop}. */
final class LoadRun implements Answered {

    private static final long MAX_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final int DIGITS = 3;

    private final EventLoop loop;
    private final Opening opening;
    private final TrafficCheck traffic;
    private final LoadPlan plan;
    private final CallObserver observer;
    private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();
    private final Histogram latencies = new Histogram(MAX_NANOS, DIGITS);
    private final Histogram services = new Histogram(MAX_NANOS, DIGITS);
    private final ArrayDeque<DriverConnection> idle = new ArrayDeque<>();
    private int opened;
    private int out;
    private long startNanos;
    private long lastNanos;
    private long sent;
    private long right;
    private long problems;
    private @Nullable String firstProblem;

    LoadRun(EventLoop loop, Opening opening, TrafficCheck traffic, LoadPlan plan, CallObserver observer) {
        this.loop = loop;
        this.opening = opening;
        this.traffic = traffic;
        this.plan = plan;
        this.observer = observer;
    }

    CompletableFuture<Outcome> start() {
        loop.execute(() -> {
            for (int i = 0; i < plan.connections(); i++) {
                opening.open(this).whenComplete((connection, failure) -> opened(connection, failure));
            }
        });
        return outcome;
    }

    /** Gives up, from whichever thread. */
    void stop() {
        loop.execute(opening::closeAll);
    }

    private void opened(@Nullable DriverConnection connection, @Nullable Throwable failure) {
        opened++;
        if (connection == null) {
            problem("no connection: " + failure);
        } else {
            idle.add(connection);
        }
        if (opened == plan.connections()) {
            startNanos = System.nanoTime();
            lastNanos = startNanos;
            loop.schedule(this::end, plan.longest().toNanos(), TimeUnit.NANOSECONDS);
            send();
            endIfNobodyIsLeft();
        }
    }

    /** Sends what is due, as far as connections are free, and comes back when the next is. */
    private void send() {
        long now = System.nanoTime();
        while (!idle.isEmpty() && isMore(now) && due(sent) <= now) {
            DriverConnection connection = idle.poll();
            long intended = plan.perSecond() == 0 ? now : due(sent);
            out++;
            connection.send(sent, traffic.body(sent), intended, now);
            sent++;
        }
        if (!isMore(now)) {
            endIfDone();
        } else if (plan.perSecond() > 0 && !idle.isEmpty()) {
            loop.schedule(this::send, Math.max(0, due(sent) - System.nanoTime()), TimeUnit.NANOSECONDS);
        }
    }

    /** A request that should have left in time may leave late: that it is late counts. */
    private boolean isMore(long now) {
        long graceNanos = plan.strict() ? plan.patience().toNanos() : 0;
        return sent < plan.most()
                && due(sent) - startNanos < plan.time().toNanos()
                && now - startNanos < plan.time().toNanos() + graceNanos;
    }

    private long due(long place) {
        return plan.perSecond() == 0 ? startNanos : startNanos + (long) (place * 1e9 / plan.perSecond());
    }

    @Override
    public void answered(DriverConnection connection, byte @Nullable [] answer, String failure) {
        long now = System.nanoTime();
        lastNanos = now;
        out--;
        String wrong = answer == null ? failure : traffic.problem(connection.place(), answer);
        if (wrong == null) {
            right++;
        } else {
            problem(wrong);
        }
        observer.answered(connection.intendedNanos(), now, wrong);
        latencies.recordValue(Math.min(MAX_NANOS, now - connection.intendedNanos()));
        services.recordValue(Math.min(MAX_NANOS, now - connection.sentNanos()));
        boolean wasBusy = idle.isEmpty();
        if (connection.isOpen()) {
            idle.add(connection);
        }
        // At a constant rate a timer is set already wherever a connection was free.
        if (plan.perSecond() == 0 || wasBusy || !isMore(now)) {
            send();
        }
        endIfNobodyIsLeft();
    }

    private void endIfNobodyIsLeft() {
        if (idle.isEmpty()) {
            endIfDone();
        }
    }

    private void problem(String words) {
        problems++;
        if (firstProblem == null) {
            firstProblem = words;
        }
    }

    private void endIfDone() {
        if (out == 0) {
            end();
        }
    }

    private void end() {
        if (outcome.isDone()) {
            return;
        }
        long unsent =
                !plan.strict() ? 0 : (long) (plan.perSecond() * plan.time().toNanos() / 1e9) - sent;
        for (int i = 0; i < out; i++) {
            problem("no answer in time");
        }
        for (long i = 0; i < unsent; i++) {
            problem("not sent in time, since all connections waited for answers");
        }
        opening.closeAll();
        Duration time = Duration.ofNanos(Math.max(1, lastNanos - startNanos));
        outcome.complete(new Outcome(right, problems, firstProblem, time, latencies, services));
    }
}
