package io.weir.l2.curve;

import io.weir.l2.Felt;
import java.util.List;

/** A signature: two numbers. Immutable. */
public record Signature(Felt r, Felt s) {
    /** As account contracts take it: r, then s. */
    public List<Felt> toFelts() {
        return List.of(r, s);
    }
}
