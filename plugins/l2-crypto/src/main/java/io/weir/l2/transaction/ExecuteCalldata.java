package io.weir.l2.transaction;

import io.weir.l2.Felt;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Calls, laid out as an account's {@code __execute__} takes them. Thread-safe. */
public final class ExecuteCalldata {
    private static final int CAIRO_0_HEADER = 4;

    private ExecuteCalldata() {}

    /** For accounts written in Cairo 1: each call with its own data. */
    public static List<Felt> cairo1(List<ContractCall> calls) {
        List<Felt> laidOut = new ArrayList<>();
        laidOut.add(Felt.of(calls.size()));
        for (ContractCall call : calls) {
            laidOut.add(call.contract());
            laidOut.add(call.selector());
            laidOut.add(Felt.of(call.calldata().size()));
            laidOut.addAll(call.calldata());
        }
        return List.copyOf(laidOut);
    }

    /** For accounts written in Cairo 0: all calls with the places of their data, then the data of all. */
    public static List<Felt> cairo0(List<ContractCall> calls) {
        List<Felt> laidOut = new ArrayList<>();
        List<Felt> data = new ArrayList<>();
        laidOut.add(Felt.of(calls.size()));
        for (ContractCall call : calls) {
            laidOut.add(call.contract());
            laidOut.add(call.selector());
            laidOut.add(Felt.of(data.size()));
            laidOut.add(Felt.of(call.calldata().size()));
            data.addAll(call.calldata());
        }
        laidOut.add(Felt.of(data.size()));
        laidOut.addAll(data);
        return List.copyOf(laidOut);
    }

    /** Returns the calls of data that was laid out in one of the two ways; nothing if it was not. */
    public static Optional<List<ContractCall>> read(List<Felt> laidOut) {
        return new LaidOut(laidOut).cairo1().or(() -> new LaidOut(laidOut).cairo0());
    }

    /** Data that is read from its beginning. Confined to one thread. */
    private static final class LaidOut {
        private final List<Felt> data;
        private int next;

        LaidOut(List<Felt> data) {
            this.data = data;
        }

        Optional<List<ContractCall>> cairo1() {
            List<ContractCall> calls = new ArrayList<>();
            for (int left = count(); left > 0; left--) {
                Felt contract = take();
                Felt selector = take();
                int size = count();
                if (size < 0) {
                    return Optional.empty();
                }
                calls.add(new ContractCall(contract, selector, data.subList(next, next + size)));
                next += size;
            }
            return next == data.size() && !calls.isEmpty() ? Optional.of(calls) : Optional.empty();
        }

        Optional<List<ContractCall>> cairo0() {
            int headers = count();
            int begin = 2 + CAIRO_0_HEADER * headers;
            if (headers <= 0 || begin > data.size()) {
                return Optional.empty();
            }
            List<ContractCall> calls = new ArrayList<>();
            int read = begin;
            for (int left = headers; left > 0; left--) {
                Felt contract = take();
                Felt selector = take();
                Felt offset = take();
                int size = count();
                if (size < 0 || read + size > data.size() || !offset.equals(Felt.of(read - begin))) {
                    return Optional.empty();
                }
                calls.add(new ContractCall(contract, selector, data.subList(read, read + size)));
                read += size;
            }
            boolean fits = read == data.size() && take().equals(Felt.of(read - begin));
            return fits ? Optional.of(calls) : Optional.empty();
        }

        /** Behind the end there are zeros, and {@link #next} says so. */
        private Felt take() {
            Felt taken = next < data.size() ? data.get(next) : Felt.ZERO;
            next++;
            return taken;
        }

        /** Returns the next number if as many elements are behind it, else -1. */
        private int count() {
            BigInteger count = take().toBigInteger();
            return count.compareTo(BigInteger.valueOf(data.size() - next)) <= 0 ? count.intValue() : -1;
        }
    }
}
