package io.weir.upstream;

import io.weir.jsonrpc.text.PieceScanner.ElementReader;

/** A large result that passes everything on to another one, for those that change a part of it. Confined to the event loop of its call. */
abstract class ForwardingStream implements ResultStream {

    private final ResultStream stream;

    ForwardingStream(ResultStream stream) {
        this.stream = stream;
    }

    @Override
    public long leastBytes() {
        return stream.leastBytes();
    }

    @Override
    public void show(ElementReader reader) {
        stream.show(reader);
    }

    @Override
    public void begin(Receiver receiver) {
        stream.begin(receiver);
    }

    @Override
    public boolean isBegun() {
        return stream.isBegun();
    }

    @Override
    public void carriedBy(AttemptHandle attempt) {
        stream.carriedBy(attempt);
    }

    @Override
    public void pause() {
        stream.pause();
    }

    @Override
    public void resume() {
        stream.resume();
    }

    @Override
    public void close() {
        stream.close();
    }
}
