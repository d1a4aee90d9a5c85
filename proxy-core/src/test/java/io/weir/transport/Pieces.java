package io.weir.transport;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Bytes as a client may send them, and ways to cut them. An input of the fuzzer is the bytes, then the cuts (two bytes each), then
 * one byte that says how many cuts there are. Immutable.
 */
record Pieces(byte[] bytes, int[] cuts) {

    private static final int MAX_CUTS = 7;
    private static final int MAX_SINGLE = 600;

    static Pieces of(FuzzedDataProvider data) {
        int[] cuts = new int[data.consumeInt(0, MAX_CUTS)];
        for (int i = 0; i < cuts.length; i++) {
            cuts[i] = data.consumeInt(0, 0xffff);
        }
        byte[] bytes = data.consumeRemainingAsBytes();
        return new Pieces(
                bytes,
                IntStream.of(cuts).map(cut -> cut % (bytes.length + 1)).sorted().toArray());
    }

    /** The same bytes in one piece. */
    Pieces whole() {
        return new Pieces(bytes, new int[0]);
    }

    /** The same bytes each by itself, where they are not too many; else in two halves. */
    Pieces single() {
        return new Pieces(
                bytes,
                bytes.length > MAX_SINGLE
                        ? new int[] {bytes.length / 2}
                        : IntStream.range(1, bytes.length).toArray());
    }

    /** Has them arrive. */
    void sendTo(EmbeddedListener context) {
        int from = 0;
        for (int cut : cuts) {
            send(context, from, cut);
            from = cut;
        }
        send(context, from, bytes.length);
    }

    private void send(EmbeddedListener context, int from, int to) {
        if (to > from) {
            context.receive(bytes, from, to);
        }
    }

    @Override
    public String toString() {
        return bytes.length + " bytes cut at " + Arrays.toString(cuts);
    }
}
