package io.weir.pipeline;

import io.weir.upstream.NodeOutcome;
import org.jspecify.annotations.Nullable;

/**
 * Needs of a call: which nodes may answer it, and how their answers are taken. A stage that knows of another need hands on another
 * route to the stages behind it. Immutable, apart from its proof.
 *
 * @param block number of the block that a node must have; 0 if any node will do
 * @param blockExists whether that block is known to exist: a node that finds nothing lacks it, and another node is asked
 * @param whole whether a large result is collected before the client gets any of it
 * @param alone whether the call is not reason enough to fetch more than its answer
 * @param proof the proof that nodes' results need before one counts; null if they count with what costs no further call
 * @param observer the observer of the call's attempts; null if there is none
 */
public record Route(
        long block,
        boolean blockExists,
        boolean whole,
        boolean alone,
        @Nullable NeededProof proof,
        @Nullable Observer observer) {

    /** Route to any node, whose result is needed whole. */
    public static final Route ANY = new Route(0, false, true, false, null, null);

    /** Route to any node, whose large result may go on to the client while it arrives. */
    public static final Route STREAMING = new Route(0, false, false, false, null, null);

    /** Route of a call that is not reason enough to fetch more than its answer. */
    public static final Route ALONE = new Route(0, false, true, true, null, null);

    /** Observer of the attempts of one call. Confined to the call's event loop. */
    @FunctionalInterface
    public interface Observer {

        /** Handles the outcome of an attempt, before it is decided whether another node is asked. */
        void ended(String upstreamId, NodeOutcome outcome);
    }

    /** Returns the route to nodes that have another block. */
    public Route toBlock(long number, boolean exists) {
        return number == block && exists == blockExists
                ? this
                : new Route(number, exists, whole, alone, proof, observer);
    }

    /** Returns the route of another call to nodes that have the same block. */
    public Route ofOtherCall() {
        return ANY.toBlock(block, blockExists);
    }

    /** Returns the route for a stage that needs the whole result. */
    public Route inWhole() {
        return whole ? this : new Route(block, blockExists, true, alone, proof, observer);
    }

    /** Returns the route of a call that is not reason enough to fetch more than its answer. */
    public Route byItself() {
        return new Route(block, blockExists, whole, true, proof, observer);
    }

    /** Returns the route of a call whose results need a proof. */
    public Route provenBy(NeededProof needed) {
        return new Route(block, blockExists, true, alone, needed, observer);
    }

    /** Returns the route of a call for evidence, whose results need a proof themselves. */
    public Route ofEvidence(NeededProof needed) {
        return new Route(block, blockExists, true, true, needed, observer);
    }

    /** Returns the route with another observer. */
    public Route observedBy(Observer other) {
        return new Route(block, blockExists, whole, alone, proof, other);
    }
}
