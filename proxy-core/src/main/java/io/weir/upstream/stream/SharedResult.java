package io.weir.upstream.stream;

import com.codahale.metrics.Counter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import io.weir.jsonrpc.RawJson;
import io.weir.limit.Budget;
import io.weir.limit.Reservation;
import io.weir.limit.Share;
import io.weir.upstream.ResultStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A large result that goes on to the clients of equal calls while it arrives, and is collected for the cache at the same time.
 *
 * <p>It is complete as long as all of its bytes are kept: up to the window, or as far as it is collected. Until then calls may join, and
 * the node is read whatever the clients do. Afterwards only those bytes are kept that the slowest client has not taken. If they exceed
 * the window, the reading from the node pauses.
 *
 * <p>Thread-safe. The node's side is confined to the event loop of the call that asked the node.
 */
public final class SharedResult implements ResultStream.Receiver {

    private final ResultStream source;
    private final EventLoop loop;
    private final StreamSharing sharing;
    private final Runnable endVisible;
    private final Runnable shut;
    private final SharedReader first;
    /** Changed under the lock only. */
    private final List<SharedReader> readers = new CopyOnWriteArrayList<>();

    private final Share bytes;
    private final PieceLog log;
    private boolean complete = true;
    /** Whether the result is whole and valid; null before its end. */
    private @Nullable Boolean whole;

    private @Nullable Consumer<@Nullable RawJson> copy;
    private long copyBytes;
    private boolean paused;
    private long pausedNanos;
    private long waitedNanos;
    private @Nullable ScheduledFuture<?> patience;

    /**
     * Begins with the client whose call asked the node. Called on its loop.
     *
     * @param source closed once nobody takes it any more
     * @param holder of the call, for whom the kept bytes count
     * @param endVisible runs on the loop before a client can see the end of the result
     * @param shut runs on the loop once no call may join any more; perhaps several times
     */
    public SharedResult(
            ResultStream source,
            Object holder,
            EventLoop loop,
            StreamSharing sharing,
            Runnable endVisible,
            Runnable shut) {
        this.source = source;
        this.loop = loop;
        this.sharing = sharing;
        this.endVisible = endVisible;
        this.shut = shut;
        this.bytes = sharing.budget().share(holder);
        this.log = new PieceLog(bytes.reserve());
        this.first = new SharedReader(this, loop, null);
        readers.add(first);
        source.begin(this);
    }

    /** Returns the part of the client whose call asked the node. */
    public SharedReader first() {
        return first;
    }

    /** Returns whether a call may join. */
    public synchronized boolean isOpen() {
        return complete && (whole != null || !readers.isEmpty());
    }

    /** Lets one more client of a holder take the result from its beginning, on its own loop. Returns null if that is not possible. */
    public synchronized @Nullable SharedReader join(EventLoop clientLoop, Object holder) {
        Share share = sharing.budget().share(holder);
        if (!isOpen() || !share.tryTake(StreamSharing.CLIENT_BYTES)) {
            return null;
        }
        SharedReader reader = new SharedReader(this, clientLoop, share);
        readers.add(reader);
        return reader;
    }

    /** Collects the result, unless it must be too large; see {@link ResultStream#copyTo}. */
    synchronized boolean copyTo(long maxBytes, Consumer<@Nullable RawJson> taker) {
        if (source.leastBytes() > maxBytes) {
            return false;
        }
        copy = taker;
        copyBytes = maxBytes;
        complete = true;
        return true;
    }

    @Override
    public void take(ByteBuf piece) {
        Consumer<@Nullable RawJson> dropped = null;
        boolean shuts = false;
        try {
            synchronized (this) {
                if (copy != null && log.end() + piece.readableBytes() > copyBytes) {
                    dropped = takeCopy();
                }
                if (complete && !keep(piece)) {
                    dropped = copy == null ? dropped : takeCopy();
                    complete = false;
                    shuts = true;
                    dropTaken();
                }
                if (!complete && !readers.isEmpty()) {
                    // The window of the node's connection counts what was read already.
                    log.append(piece, true);
                }
            }
        } finally {
            piece.release();
        }
        wakeAll();
        if (dropped != null) {
            dropped.accept(null);
        }
        if (shuts) {
            shut.run();
        }
        follow();
    }

    /** Keeps a piece if there is room for all bytes so far. */
    private boolean keep(ByteBuf piece) {
        long most = Math.max(copy == null ? 0 : copyBytes, sharing.windowBytes());
        return log.end() + piece.readableBytes() <= most && log.append(piece, false);
    }

    private @Nullable Consumer<@Nullable RawJson> takeCopy() {
        Consumer<@Nullable RawJson> taken = copy;
        copy = null;
        return taken;
    }

    private void wakeAll() {
        readers.forEach(SharedReader::wake);
    }

    @Override
    public void flush() {
        for (SharedReader reader : readers) {
            if (reader.loop().inEventLoop()) {
                reader.flush();
            }
        }
    }

    /** The cache gets the result after the clients, and calls may join until it has it. */
    @Override
    public void ended(boolean valid) {
        Consumer<@Nullable RawJson> taker;
        synchronized (this) {
            taker = takeCopy();
        }
        try (Reservation copied = bytes.reserve()) {
            RawJson value = valid && taker != null ? copied(copied) : null;
            endVisible.run();
            synchronized (this) {
                whole = valid;
                complete &= valid;
                if (!valid) {
                    log.clear();
                }
            }
            wakeAll();
            if (taker != null) {
                taker.accept(value);
            }
        } finally {
            synchronized (this) {
                complete = false;
                dropTaken();
            }
            shut.run();
            follow();
            giveUp();
        }
    }

    /** Returns the whole result; null if there is no memory for it. */
    private synchronized @Nullable RawJson copied(Reservation reservation) {
        return reservation.tryAdd(log.end()) ? RawJson.of(log.toBytes()) : null;
    }

    /** Returns the next bytes for a client, which must release them; null if there are none at present. */
    synchronized @Nullable ByteBuf next(SharedReader reader) {
        if (reader.cut || Boolean.FALSE.equals(whole)) {
            return null;
        }
        ByteBuf piece = log.from(reader.position);
        if (piece != null) {
            long before = reader.position;
            reader.position = before + piece.readableBytes();
            if (log.isInFirst(before)) {
                dropTaken();
            }
        }
        return piece;
    }

    /** Returns how the result ends for a client: whether it is whole; null if it has not ended for it. */
    synchronized @Nullable Boolean endFor(SharedReader reader) {
        if (reader.cut) {
            return false;
        }
        return (whole != null && whole && reader.position < log.end()) ? null : whole;
    }

    /** Drops the bytes that all clients have taken, unless all bytes are kept. */
    private void dropTaken() {
        if (!complete) {
            long slowest = log.end();
            for (SharedReader reader : readers) {
                slowest = Math.min(slowest, reader.position);
            }
            log.dropBefore(slowest);
        }
    }

    /** A client has taken something, or has stopped or begun to take. Called on its loop. */
    void moved() {
        if (loop.inEventLoop()) {
            follow();
        } else if (isPaused()) {
            loop.execute(this::follow);
        }
    }

    private synchronized boolean isPaused() {
        return paused;
    }

    /** A client takes nothing any more, and holds nothing. Called on its loop, once. */
    void left(SharedReader reader) {
        synchronized (this) {
            readers.remove(reader);
            dropTaken();
        }
        Share share = reader.share();
        if (share != null) {
            share.give(StreamSharing.CLIENT_BYTES);
        }
        if (loop.inEventLoop()) {
            leftOnLoop();
        } else {
            loop.execute(this::leftOnLoop);
        }
    }

    private void leftOnLoop() {
        follow();
        giveUp();
    }

    /** Gives up the node's answer, and gives back the memory, if no client is left. */
    private void giveUp() {
        Consumer<@Nullable RawJson> taker;
        synchronized (this) {
            if (!readers.isEmpty() || (whole != null && complete)) {
                return;
            }
            complete = false;
            taker = takeCopy();
            log.clear();
        }
        source.close();
        if (taker != null) {
            taker.accept(null);
        }
        shut.run();
    }

    /** Pauses the reading from the node, or goes on. */
    private void follow() {
        boolean full;
        boolean shared;
        synchronized (this) {
            full = isFull();
            if (full == paused) {
                return;
            }
            paused = full;
            shared = readers.size() > 1;
        }
        long now = loop.ticker().nanoTime();
        if (full) {
            source.pause();
            pausedNanos = now;
            if (shared) {
                patience = cutIn(sharing.maxWaitNanos() - waitedNanos);
            }
        } else {
            source.resume();
            if (patience != null) {
                patience.cancel(false);
                patience = null;
                waitedNanos += now - pausedNanos;
            }
        }
    }

    private boolean isFull() {
        if (whole != null || complete || readers.isEmpty()) {
            return false;
        }
        boolean alone = readers.size() == 1 && readers.get(0).isPaused();
        return alone || log.kept() > sharing.windowBytes() + PieceLog.CHUNK_BYTES;
    }

    private ScheduledFuture<?> cutIn(long nanos) {
        return loop.schedule(this::cutSlow, Math.max(0, nanos), TimeUnit.NANOSECONDS);
    }

    /** The others have waited long enough for the clients that are behind by more than the window. */
    private void cutSlow() {
        patience = null;
        waitedNanos = sharing.maxWaitNanos();
        List<SharedReader> slow = new ArrayList<>();
        synchronized (this) {
            long window = log.end() - sharing.windowBytes();
            readers.stream().filter(reader -> reader.position < window).forEach(slow::add);
            if (slow.size() == readers.size()) {
                // Nobody waits for another one.
                patience = readers.size() > 1 ? cutIn(sharing.maxWaitNanos()) : null;
                return;
            }
            slow.forEach(reader -> reader.cut = true);
            readers.removeAll(slow);
            dropTaken();
        }
        slow.forEach(reader -> sharing.cut().inc());
        slow.forEach(SharedReader::wake);
        follow();
    }

    /**
     * The bytes of a result that are kept while it goes on, between two positions. A piece that fills most of its buffer is kept as it is. What
     * arrives otherwise is copied into chunks outside of the heap, because such pieces hold much larger buffers, and so that the garbage
     * collector does not move them. Its owner's lock guards it.
     */
    static final class PieceLog {

        static final int CHUNK_BYTES = 1 << 16;

        private final Reservation bytes;
        /** All but the last one take no more bytes. */
        private final List<Part> parts = new ArrayList<>();

        private long end;

        /** A piece, or a chunk to which bytes are added. It counts as so many bytes of memory. */
        private record Part(long start, ByteBuf content, int counted) {}

        /** @param bytes in flight, which counts the buffers */
        PieceLog(Reservation bytes) {
            this.bytes = bytes;
        }

        /** Returns the position behind the last byte, kept or not. */
        long end() {
            return end;
        }

        long kept() {
            return parts.isEmpty() ? 0 : end - parts.get(0).start();
        }

        /** Returns whether a position lies in the first buffer, or directly behind it. */
        boolean isInFirst(long position) {
            return position <= endOf(0);
        }

        /** Returns the position behind a buffer; the largest number if it takes more bytes. */
        private long endOf(int index) {
            if (index + 1 < parts.size()) {
                return parts.get(index + 1).start();
            }
            return last().isWritable() ? Long.MAX_VALUE : end;
        }

        private ByteBuf last() {
            return parts.get(parts.size() - 1).content();
        }

        /**
         * Keeps more bytes, which remain the caller's.
         *
         * @param over whether they are kept even if the budget is spent
         * @return false if nothing is kept, because the budget is spent
         */
        boolean append(ByteBuf piece, boolean over) {
            int length = piece.readableBytes();
            int held = capacity(piece);
            boolean asItIs = piece.isDirect() && held <= 2L * length;
            int room = parts.isEmpty() ? 0 : last().writableBytes();
            long more = asItIs ? held : Math.max(0, length - room + CHUNK_BYTES - 1L) / CHUNK_BYTES * CHUNK_BYTES;
            if (over) {
                bytes.add(more);
            } else if (!bytes.tryAdd(more)) {
                return false;
            }
            int before = parts.size();
            try {
                if (asItIs) {
                    parts.add(new Part(end, piece.retainedSlice(), held));
                } else {
                    copy(piece);
                }
            } finally {
                // There may be no memory for some of them.
                bytes.give(more - counted(parts.subList(before, parts.size())));
            }
            end += length;
            return true;
        }

        /** Returns the size of the buffer that a piece holds. */
        private static int capacity(ByteBuf piece) {
            ByteBuf whole = piece;
            while (whole.unwrap() != null) {
                whole = whole.unwrap();
            }
            return whole.capacity();
        }

        private static long counted(List<Part> parts) {
            return parts.stream().mapToLong(Part::counted).sum();
        }

        private void copy(ByteBuf piece) {
            for (int at = piece.readerIndex(); at < piece.writerIndex(); ) {
                if (parts.isEmpty() || !last().isWritable()) {
                    // From the memory of the sockets, which has such buffers.
                    ByteBuf chunk = PooledByteBufAllocator.DEFAULT.directBuffer(CHUNK_BYTES, CHUNK_BYTES);
                    parts.add(new Part(end + at - piece.readerIndex(), chunk, CHUNK_BYTES));
                }
                int step = Math.min(last().writableBytes(), piece.writerIndex() - at);
                last().writeBytes(piece, at, step);
                at += step;
            }
        }

        /** Returns the next bytes from a position on, which the caller must release; null if there are none yet. */
        @Nullable
        ByteBuf from(long position) {
            if (position >= end) {
                return null;
            }
            int index = parts.size() - 1;
            while (parts.get(index).start() > position) {
                index--;
            }
            ByteBuf content = parts.get(index).content();
            int from = (int) (position - parts.get(index).start());
            return content.retainedSlice(from, content.writerIndex() - from);
        }

        /** Returns all bytes. None may have been dropped. */
        byte[] toBytes() {
            byte[] all = new byte[(int) end];
            for (Part part : parts) {
                part.content()
                        .getBytes(0, all, (int) part.start(), part.content().writerIndex());
            }
            return all;
        }

        /**
         * Drops the buffers before a position. A chunk with room stays, so that small pieces do not hold a chunk each. Drops nothing if the
         * position lies before all that is kept: after {@link #clear}, a client may be that far behind.
         */
        void dropBefore(long position) {
            int passed = 0;
            while (passed < parts.size() && endOf(passed) <= position) {
                passed++;
            }
            List<Part> dropped = parts.subList(0, passed);
            dropped.forEach(part -> part.content().release());
            bytes.give(counted(dropped));
            dropped.clear();
        }

        void clear() {
            dropBefore(Long.MAX_VALUE);
        }
    }

    /**
     * The rules by which calls share the stream of one result. Immutable; its members are thread-safe.
     *
     * @param windowBytes bytes that the slowest client may be behind, and up to which others may join
     * @param maxWaitNanos the longest time in all that one stream waits for clients that are further behind
     * @param budget of the bytes in flight
     * @param cut counts clients that were cut off because the others had waited long enough
     */
    public record StreamSharing(long windowBytes, long maxWaitNanos, Budget budget, Counter cut) {

        /** A stream may hold so much of the bytes in flight. Clients of ordinary speed do not stop each other then. */
        private static final long WINDOW_BYTES = 1 << 20;

        /** A client that reads so much more slowly than the others would keep their results from them. */
        private static final long MAX_WAIT_NANOS = TimeUnit.SECONDS.toNanos(5);

        /** Bytes of a shared stream that one more client may hold on their way to its socket. */
        static final long CLIENT_BYTES = 1 << 18;

        public static StreamSharing of(Budget budget, Counter cut) {
            return new StreamSharing(WINDOW_BYTES, MAX_WAIT_NANOS, budget, cut);
        }
    }
}
