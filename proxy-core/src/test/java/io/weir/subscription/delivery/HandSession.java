package io.weir.subscription.delivery;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.channel.EventLoop;
import io.weir.access.Caller;
import io.weir.pipeline.ClientSession;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A connection that notes the messages sent to it. Its client reads none of them. Confined to one thread. */
public final class HandSession implements ClientSession {

    /** Messages sent to it. */
    public final List<String> sent = new ArrayList<>();
    /** How it was closed; null while it is open. */
    public @Nullable String closing;
    /** Shared texts that are not closed. */
    public int openTexts;

    /** Messages of {@link #sent} that its client has read. */
    int read;

    private final EventLoop loop;
    private final List<Runnable> whenClosed = new ArrayList<>();
    private final List<Consumer<Caller>> whenReadmitted = new ArrayList<>();
    private @Nullable Caller readmitted;

    private final class Text implements SharedText {

        private final String text;

        Text(byte[] bytes) {
            text = new String(bytes, UTF_8);
            openTexts++;
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public void close() {
            openTexts--;
        }
    }

    public HandSession(EventLoop loop) {
        this.loop = loop;
    }

    /** Closes as if the client had left. */
    public void leave() {
        closing = "left";
        List.copyOf(whenClosed).forEach(Runnable::run);
    }

    /** Admits the client by a later configuration. */
    void readmit(Caller caller) {
        readmitted = caller;
        whenReadmitted.forEach(action -> action.accept(caller));
    }

    @Override
    public EventLoop loop() {
        return loop;
    }

    @Override
    public @Nullable InetAddress clientAddress() {
        return null;
    }

    @Override
    public boolean isOpen() {
        return closing == null;
    }

    @Override
    public void whenClosed(Runnable action) {
        whenClosed.add(action);
    }

    @Override
    public void whenReadmitted(Consumer<Caller> action) {
        whenReadmitted.add(action);
    }

    @Override
    public @Nullable Caller readmitted() {
        return readmitted;
    }

    @Override
    public SharedText share(byte[] text) {
        return new Text(text);
    }

    @Override
    public void send(byte[] head, SharedText rest) {
        sent.add(new String(head, UTF_8) + ((Text) rest).text);
    }

    @Override
    public boolean permits(int length) {
        return true;
    }

    @Override
    public void flush() {}

    @Override
    public int pendingMessages() {
        return sent.size() - read;
    }

    @Override
    public long pendingBytes() {
        return sent.stream().skip(read).mapToLong(String::length).sum();
    }

    @Override
    public void tryAgainLater(String reason) {
        closing = "try again later: " + reason;
    }

    @Override
    public void notPermitted(String reason) {
        closing = "not permitted: " + reason;
    }
}
