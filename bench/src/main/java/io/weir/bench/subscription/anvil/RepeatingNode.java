package io.weir.bench.subscription.anvil;

import io.weir.bench.subscription.client.Journal;
import io.weir.bench.subscription.node.NodeEndpoint;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * An anvil that repeats the steps of a chain. After a kill it begins anew with the first step, as a node that synchronises. Thread-safe;
 * a thread of its own makes the calls.
 */
public final class RepeatingNode implements NodeEndpoint, AutoCloseable {

    private static final long STEP_MILLIS = 50;

    private final String name;
    private final Path anvil;
    private final Path log;
    private final int port;
    private final AnvilChain chain;
    private final Journal journal;
    private final Thread worker;
    private @Nullable AnvilProcess process;
    private volatile boolean down;
    private volatile boolean closed;
    private volatile int done;

    /** @param port a port that stays free while the node is down */
    public RepeatingNode(String name, Path anvil, Path log, int port, AnvilChain chain, Journal journal) {
        this.name = name;
        this.anvil = anvil;
        this.log = log;
        this.port = port;
        this.chain = chain;
        this.journal = journal;
        this.worker = new Thread(this::work, name);
        worker.setDaemon(true);
        worker.start();
    }

    @Override
    public String toString() {
        return name;
    }

    @Override
    public int port() {
        return port;
    }

    /** Returns whether it runs and has made all steps. */
    public boolean isUpToDate() {
        return !down && done == chain.steps();
    }

    /** Sends SIGKILL. */
    void kill() {
        down = true;
        AnvilProcess running = running();
        if (running != null) {
            running.kill();
        }
    }

    /** Starts it again after {@link #kill}. */
    public void start() {
        down = false;
    }

    /** Sends SIGSTOP. */
    void stop() throws IOException, InterruptedException {
        AnvilProcess running = running();
        if (running != null) {
            running.signal("STOP");
        }
    }

    /** Sends SIGCONT. */
    public void resume() throws IOException, InterruptedException {
        AnvilProcess running = running();
        if (running != null) {
            running.signal("CONT");
        }
    }

    private synchronized @Nullable AnvilProcess running() {
        return process;
    }

    private synchronized void running(@Nullable AnvilProcess next) {
        process = next;
    }

    private void work() {
        try {
            while (!closed) {
                if (down) {
                    chain.await(Integer.MAX_VALUE, STEP_MILLIS);
                } else {
                    live();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException | RuntimeException e) {
            journal.violated("the run itself: " + name + ": " + e);
        }
    }

    /** Runs until it is killed. */
    private void live() throws IOException, InterruptedException {
        done = 0;
        try (AnvilProcess started = AnvilProcess.start(anvil, port, log)) {
            running(started);
            follow(started);
        } finally {
            running(null);
        }
    }

    /** Makes all steps until it is killed. It may be started again before this ends. */
    private void follow(AnvilProcess started) throws IOException, InterruptedException {
        int made = 0;
        try {
            while (!closed && !down && started.isAlive()) {
                AnvilChain.Step step = chain.await(made, STEP_MILLIS);
                if (step != null) {
                    make(started, step);
                    done = ++made;
                }
            }
        } catch (IOException e) {
            if (started.isAlive()) {
                throw e;
            }
        }
    }

    private void make(AnvilProcess at, AnvilChain.Step step) throws IOException, InterruptedException {
        for (AnvilCall call : step.calls()) {
            at.call(call);
        }
        if (!AnvilChain.isAt(at, step)) {
            throw new IllegalStateException("another chain after step " + done + " (expected: the model's)");
        }
    }

    @Override
    public void close() {
        closed = true;
        kill();
        try {
            worker.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
