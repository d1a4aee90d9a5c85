package io.weir.cache.tier;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A chain whose hashes are its name and their numbers. Confined to a thread. */
final class HandChain implements ChainAnchors {

    String name = "mine";
    long height = 100;
    long forkedAbove = Long.MAX_VALUE;
    boolean known = true;
    boolean held;
    private final List<Runnable> waiting = new ArrayList<>();

    @Override
    public void finalBlock(Consumer<Anchor> sink) {
        sink.accept(known ? new Anchor(height, hash(height)) : null);
    }

    @Override
    public void hashAt(long number, Consumer<String> sink) {
        if (held) {
            waiting.add(() -> sink.accept(hash(number)));
        } else {
            sink.accept(known ? hash(number) : null);
        }
    }

    void release() {
        held = false;
        List.copyOf(waiting).forEach(Runnable::run);
    }

    private String hash(long number) {
        int seed = (name + (number > forkedAbove ? "'" : "")).hashCode();
        return "0x%032x%032x".formatted(seed & 0xffffffffL, number);
    }
}
