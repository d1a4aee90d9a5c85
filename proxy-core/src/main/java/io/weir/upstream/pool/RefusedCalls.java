package io.weir.upstream.pool;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.limit.ShareBudget;
import io.weir.method.CallShape;
import io.weir.upstream.pool.NodeData.HalfOpen;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Calls that one node does not take, because it lacks the method, or because it refuses a form of parameters that another node
 * accepts. One refusal of parameters may be about the value. So a form is remembered after refusals of {@link #CALLS} calls
 * with different parameters and no success of that form between them. A form without values has one call only, so one refusal
 * is enough. Thread-safe.
 */
final class RefusedCalls {

    /** Refused calls of one form, with different parameters, before the form is remembered. */
    static final int CALLS = 3;

    /** Calls per minute that go to other nodes because this node refused them; also the burst. */
    static final int REPEATS_PER_MINUTE = 60;

    static final long NANOS = TimeUnit.MINUTES.toNanos(10);
    private static final int MAX_FORMS = 64;

    private final LongSupplier clock;
    /** The methods that the node does not have. */
    final MethodMemory lacking;

    private final MethodMemory refused;
    private final ShareBudget repeats;
    private final Map<String, Refusals> suspected = new LinkedHashMap<>();
    private volatile boolean suspects;

    /** Refused calls of one form, by the hashes of their parameters. */
    private record Refusals(long sinceNanos, Set<Integer> calls) {}

    RefusedCalls(LongSupplier clock) {
        this.clock = clock;
        this.lacking = new MethodMemory(clock);
        this.refused = new MethodMemory(clock);
        this.repeats = new ShareBudget(0, REPEATS_PER_MINUTE, REPEATS_PER_MINUTE, clock);
    }

    /** Returns whether the node lacks the method of a call or refuses the form of its parameters. */
    boolean holds(RpcCall call) {
        return lacking.isLacking(call.method()) || isRefused(call);
    }

    private boolean isRefused(RpcCall call) {
        if (refused.isEmpty()) {
            return false;
        }
        String form = CallShape.of(call);
        return form != null && refused.isLacking(form);
    }

    /** Notes that the node refused a call that another node executed. */
    synchronized void refused(RpcCall call) {
        String form = CallShape.of(call);
        if (form == null) {
            return;
        }
        long now = clock.getAsLong();
        Refusals refusals = suspected.get(form);
        if (refusals == null || now - refusals.sinceNanos() > NANOS) {
            refusals = new Refusals(now, new HashSet<>());
            suspected.remove(form);
            suspected.put(form, refusals);
        }
        RawJson params = call.params();
        refusals.calls().add(params == null ? 0 : params.hashCode());
        boolean again = refused.remembers(form);
        if (again || refusals.calls().size() >= CALLS || !CallShape.hasValues(call)) {
            suspected.remove(form);
            refused.lacks(form);
        } else if (suspected.size() > MAX_FORMS) {
            suspected.remove(suspected.keySet().iterator().next());
        }
        suspects = !suspected.isEmpty();
    }

    void took(RpcCall call) {
        lacking.has(call.method());
        if (suspects || !refused.isEmpty()) {
            String form = CallShape.of(call);
            if (form != null) {
                refused.has(form);
                forget(form);
            }
        }
    }

    private synchronized void forget(String form) {
        suspected.remove(form);
        suspects = !suspected.isEmpty();
    }

    /** Takes one repeat of a refused call at another node. Returns false if none is left. */
    boolean takeRepeat() {
        return repeats.take();
    }

    /**
     * Methods that one node recently said it does not have. The number of methods and the time are bounded, because clients may
     * call methods of any name and nodes are upgraded. After the time one call tries again before the others; see {@link HalfOpen}.
     * Thread-safe.
     */
    static final class MethodMemory {

        static final int MAX = 256;
        static final int MAX_NAME_CHARS = 128;

        private final LongSupplier clock;
        private final Map<String, HalfOpen> lacking = new ConcurrentHashMap<>();

        /** Creates an empty memory. */
        MethodMemory(LongSupplier clock) {
            this.clock = clock;
        }

        void lacks(String method) {
            if (method.length() > MAX_NAME_CHARS) {
                return;
            }
            long now = clock.getAsLong();
            if (lacking.size() >= MAX && !lacking.containsKey(method)) {
                evict(now);
            }
            lacking.put(method, new HalfOpen(now));
        }

        private void evict(long now) {
            lacking.values().removeIf(lack -> lack.isOver(now));
            Iterator<String> any = lacking.keySet().iterator();
            while (lacking.size() >= MAX && any.hasNext()) {
                any.next();
                any.remove();
            }
        }

        /** Notes that the node has the method after all. */
        void has(String method) {
            if (!lacking.isEmpty()) {
                lacking.remove(method);
            }
        }

        /** Returns whether the node is not to be asked for a method. A call that tries again is told that it is. */
        boolean isLacking(String method) {
            HalfOpen lack = lacking.isEmpty() ? null : lacking.get(method);
            return lack != null && !lack.mayTry(clock.getAsLong());
        }

        /** Returns whether the node said that it does not have a method, and has not shown since that it has. */
        boolean remembers(String method) {
            return lacking.containsKey(method);
        }

        /** Returns whether the memory is empty, expired entries included. */
        boolean isEmpty() {
            return lacking.isEmpty();
        }

        int size() {
            return lacking.size();
        }
    }
}
