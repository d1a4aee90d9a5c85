package io.weir.bench.restart;

/**
 * The blocks and logs that a client asks for after it has connected again, by what the proxy promises: each head is told before the
 * logs of its block, and logs come in the order of their blocks. So a client may know some heads whose logs it does not know. Logs of
 * blocks after the first head that follows the answer to its subscription are told. Confined to one thread.
 */
final class CatchUp {

    /** The number of connections so far. */
    private int connection;
    /** The newest block up to which all are known or were asked for; -1 before the beginning. */
    private long blocks = -1;
    /** The newest block up to which all logs are known; -1 before the beginning. */
    private long logs = -1;
    /** The newest block up to which this connection has told all logs since it asked for earlier ones; -1 if there is none. */
    private long told = -1;

    private boolean subscribed;
    private boolean blocksAsked;
    private boolean logsAsked;
    private boolean logsKnown;

    /** Blocks from the first to the last one; none if the last one is before the first. Immutable. */
    record Range(long first, long last) {

        private static final Range NONE = new Range(0, -1);

        boolean isEmpty() {
            return last < first;
        }
    }

    /** Begins anew on another connection. Returns its number. */
    int connected() {
        told = -1;
        subscribed = false;
        blocksAsked = false;
        logsAsked = false;
        logsKnown = false;
        return ++connection;
    }

    /**
     * Notes that both subscriptions of this connection were answered.
     *
     * @param newest the newest block, after which the client wants everything if this is its first connection
     */
    void subscribed(long newest) {
        subscribed = true;
        if (logs < 0) {
            blocks = Math.max(blocks, newest);
            logs = newest;
            blocksAsked = true;
            logsAsked = true;
            logsKnown = true;
        }
    }

    /** Takes a head. Returns the blocks to ask for. */
    Range head(long number) {
        Range missed = blocksAsked || blocks < 0 ? Range.NONE : new Range(blocks + 1, number - 1);
        blocksAsked = true;
        blocks = Math.max(blocks, number);
        return missed;
    }

    /** Returns the blocks whose logs to ask for after a head. */
    Range logs(long head) {
        if (!subscribed || logsAsked) {
            return Range.NONE;
        }
        logsAsked = true;
        return new Range(Math.min(logs + 1, head), head);
    }

    /**
     * Takes the answer about logs.
     *
     * @param asked the number of the connection that asked
     */
    void logsKnown(Range of, int asked) {
        logs = Math.max(logs, of.last());
        if (asked == connection) {
            logsKnown = true;
            logs = Math.max(logs, told);
        }
    }

    /** Takes a log that was told. Those of all earlier blocks were told before. */
    void log(long number) {
        told = Math.max(told, number - 1);
        if (logsKnown) {
            logs = Math.max(logs, told);
        }
    }
}
