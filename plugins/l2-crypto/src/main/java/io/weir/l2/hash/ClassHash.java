package io.weir.l2.hash;

import io.weir.l2.Felt;
import io.weir.l2.ShortString;
import java.util.ArrayList;
import java.util.List;

/** The hash of a contract's class in Sierra, by which accounts and contracts name it. Thread-safe. */
public final class ClassHash {
    private static final Felt VERSION = ShortString.encode("CONTRACT_CLASS_V0.1.0");

    private ClassHash() {}

    /**
     * The hash of a class.
     *
     * @param entryPoints the functions that it offers
     * @param abi the text of its interface, as it is declared
     * @param program the Sierra program
     */
    public static Felt of(EntryPoints entryPoints, String abi, List<Felt> program) {
        return Poseidon.hashMany(List.of(
                VERSION,
                hash(entryPoints.external()),
                hash(entryPoints.l1Handlers()),
                hash(entryPoints.constructors()),
                Selector.of(abi),
                Poseidon.hashMany(program)));
    }

    private static Felt hash(List<EntryPoint> entryPoints) {
        List<Felt> flat = new ArrayList<>();
        for (EntryPoint entryPoint : entryPoints) {
            flat.add(entryPoint.selector());
            flat.add(Felt.of(entryPoint.functionIndex()));
        }
        return Poseidon.hashMany(flat);
    }

    /** A function that can be called from outside, and its place in the program. Immutable. */
    public record EntryPoint(Felt selector, long functionIndex) {}

    /** The functions of a class by who may call them. Immutable. */
    public record EntryPoints(List<EntryPoint> external, List<EntryPoint> l1Handlers, List<EntryPoint> constructors) {
        public EntryPoints {
            external = List.copyOf(external);
            l1Handlers = List.copyOf(l1Handlers);
            constructors = List.copyOf(constructors);
        }
    }
}
