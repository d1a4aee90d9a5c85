package io.weir.access;

import io.weir.limit.Budget;
import io.weir.limit.Budget.KeyBudgets;
import io.weir.limit.Reservation;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Amounts that a subscription or filter of a caller has taken of several budgets. Confined to one thread at a time. */
public final class Holding implements AutoCloseable {

    private final Object holder;
    private final Caller caller;
    private final List<Reservation> taken = new ArrayList<>(3);

    /** @param client the client's address; null if it is unknown */
    public Holding(Caller caller, @Nullable InetAddress client) {
        this.holder = caller.holder(client);
        this.caller = caller;
    }

    /** Returns who created it, with the rights of then. */
    public Caller caller() {
        return caller;
    }

    public Budget own(KeyBudgets budgets) {
        return budgets.of(holder);
    }

    /** Takes an amount of the budget of its holder. Returns false and takes nothing if that exceeds the bound. */
    public boolean tryTake(KeyBudgets budgets, long amount) {
        return tryTake(own(budgets).reserve(), amount);
    }

    /** Takes an amount of a budget of all. Returns false and takes nothing if that exceeds the bound, or the holder's share. */
    public boolean tryTake(Budget budget, long amount) {
        return tryTake(reserve(budget), amount);
    }

    private boolean tryTake(Reservation reservation, long amount) {
        boolean took = reservation.tryAdd(amount);
        if (took) {
            taken.add(reservation);
        }
        return took;
    }

    /** Returns a reservation of its holder that is not a part of this, and has taken nothing. */
    public Reservation reserve(Budget budget) {
        return budget.reserve(holder);
    }

    /** Counts that an amount of a budget of all was refused. Returns the bound that it exceeds, for the message. */
    public String refused(Budget budget, long amount) {
        if (amount > budget.max() - budget.taken()) {
            return "(expected: at most " + budget.max() + ")";
        }
        caller.account().refused(KeyRefusal.SHARE);
        return "(expected: at most the caller's share of " + budget.max() + ")";
    }

    /** Gives back everything. */
    @Override
    public void close() {
        taken.forEach(Reservation::close);
        taken.clear();
    }
}
