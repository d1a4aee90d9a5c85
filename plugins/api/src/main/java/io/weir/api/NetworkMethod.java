package io.weir.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A method that the nodes of one kind of network serve, as the proxy must know it to count, join, repeat and hold its calls.
 * Immutable.
 *
 * @param name the name in calls
 * @param effect the effect of a call
 * @param cost the cost of a call at a node, in units of a simple lookup; from 1 to {@link #MAX_COST}
 * @param answer the relation of the answer to the network's head
 * @param lifetime the time for which an answer may be stored
 * @param parameters the parameters in their order; calls have them by position or by name
 */
public record NetworkMethod(
        String name, Effect effect, int cost, Answer answer, Lifetime lifetime, List<Parameter> parameters) {

    /** The highest cost. */
    public static final int MAX_COST = 1000;

    private static final int LOOKUP_COST = 1;

    /** The effect of a call. */
    public enum Effect {
        /** A lookup. It may be sent again, equal calls share one answer, and it may share a batch to a node with others. */
        READ,
        /** A read that may take long. It may be sent again, and equal calls share one answer. */
        SLOW_READ,
        /** A call that sends a transaction. It is sent once, and later reads share no answer from before it. */
        WRITE
    }

    /** The relation of an answer to the network's head. */
    public enum Answer {
        /** None, apart from the block that the call names. */
        PLAIN,
        /** The number of the newest block, a decimal number. The proxy answers with the head to which it holds all calls. */
        HEAD_NUMBER,
        /** An object with the hash and the number of the newest block, under the names of {@link BlockForm.Members}. */
        HEAD_BLOCK,
        /**
         * An object that names its block by number and hash, under the names of {@link BlockForm.Members}. If that block is above the
         * head, later reads of the newest block see it. Without the hash the block is still in the making.
         */
        IN_BLOCK
    }

    /** The time for which an answer may be stored. Errors are never stored. */
    public enum Lifetime {
        /** None. */
        NONE,
        /** The answer depends on the block that the call names by its number. It stays if that block is final. */
        OF_BLOCK,
        /** The answer names its block, as {@link Answer#IN_BLOCK}, and stays if its status is {@link BlockForm#finalStatus}. */
        BY_STATUS
    }

    /**
     * A parameter. Immutable.
     *
     * @param block whether it names the block that the call is about, as {@link BlockForm} says
     * @param range the members with the first and the last block, if it is an object with a range of blocks; else null
     */
    public record Parameter(
            String name, boolean block, @Nullable Range range) {

        /**
         * Names of the members of a range. Immutable.
         *
         * @param first the member with the first block
         * @param last the member with the last block
         */
        public record Range(String first, String last) {}

        /** Returns the parameter that names the call's block. A call without it is about the newest block. */
        public static Parameter block(String name) {
            return new Parameter(name, true, null);
        }

        /** Returns a parameter that nodes read alone. */
        public static Parameter other(String name) {
            return new Parameter(name, false, null);
        }

        /**
         * Returns the parameter that is an object with a range of blocks. The call is about the last one; nodes know what a range without
         * it means.
         */
        public static Parameter range(String name, String first, String last) {
            return new Parameter(name, true, new Range(first, last));
        }
    }

    /** Checks the cost, and copies the list. */
    public NetworkMethod {
        if (cost < LOOKUP_COST || cost > MAX_COST) {
            throw new IllegalArgumentException(
                    "cost of " + name + ": " + cost + " (expected: a number from 1 to " + MAX_COST + ")");
        }
        parameters = List.copyOf(parameters);
    }

    /** Returns a method that looks something up. */
    public static NetworkMethod read(String name) {
        return new NetworkMethod(name, Effect.READ, LOOKUP_COST, Answer.PLAIN, Lifetime.NONE, List.of());
    }

    /** Returns a method that reads, and may take as long as this many lookups. */
    public static NetworkMethod slowRead(String name, int cost) {
        return new NetworkMethod(name, Effect.SLOW_READ, cost, Answer.PLAIN, Lifetime.NONE, List.of());
    }

    /** Returns a method that sends a transaction. */
    public static NetworkMethod write(String name) {
        return new NetworkMethod(name, Effect.WRITE, LOOKUP_COST, Answer.PLAIN, Lifetime.NONE, List.of());
    }

    /** Returns the same method with these parameters. */
    public NetworkMethod takes(Parameter... inOrder) {
        return new NetworkMethod(name, effect, cost, answer, lifetime, List.of(inOrder));
    }

    /** Returns the same method with this answer. */
    public NetworkMethod answering(Answer relation) {
        return new NetworkMethod(name, effect, cost, relation, lifetime, parameters);
    }

    /** Returns the same method whose answers may be stored so. */
    public NetworkMethod lasting(Lifetime stored) {
        return new NetworkMethod(name, effect, cost, answer, stored, parameters);
    }
}
