package io.weir.wallet.state;

import java.math.BigInteger;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The sums that policies approved today (UTC): the fees of each tenant, and its amounts of tokens. They are on the disk before the approval is
 * given, so that a restart gives no second day. What was approved and then not sent counts too. Thread-safe; blocks.
 */
public record DaySums(WalletDatabase database, InstantSource clock) {

    private static final int MOST_DAYS_BACK = 7;

    /**
     * An addition to a sum. Immutable.
     *
     * @param name the sum's: a tenant for its fees
     * @param most the most that the sum may come to
     */
    public record Charge(String name, BigInteger amount, BigInteger most) {}

    /**
     * Counts charges, all or none. Returns whether every sum with its charge is at most what it may come to.
     *
     * @param isBounded false for what is signed in any case: its sums may pass what they may come to
     */
    public synchronized boolean add(List<Charge> charges, boolean isBounded) {
        String day = day();
        Map<String, BigInteger> sums = new TreeMap<>();
        for (Charge charge : charges) {
            BigInteger sum =
                    sums.computeIfAbsent(charge.name(), name -> sum(day, name)).add(charge.amount());
            if (isBounded && sum.compareTo(charge.most()) > 0) {
                return false;
            }
            sums.put(charge.name(), sum);
        }
        database.inTransaction(() -> {
            database.change("DELETE FROM day_sum WHERE day < ?", day);
            sums.forEach((name, sum) -> database.change(
                    "INSERT OR REPLACE INTO day_sum (day, name, amount) VALUES (?, ?, ?)", day, name, sum));
        });
        return true;
    }

    /** Returns today, or a day of the next week that has sums: a clock that was set back begins no day anew. A later one was a wrong clock's. */
    private String day() {
        LocalDate today = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
        String sql = "SELECT day FROM day_sum WHERE day > ? AND day <= ? LIMIT 1";
        String latest = today.plusDays(MOST_DAYS_BACK).toString();
        return database.first(String.class, sql, today.toString(), latest).orElse(today.toString());
    }

    private BigInteger sum(String day, String name) {
        String sql = "SELECT amount FROM day_sum WHERE day = ? AND name = ?";
        return database.first(BigInteger.class, sql, day, name).orElse(BigInteger.ZERO);
    }
}
