package io.weir.wallet.testing;

import java.math.BigInteger;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import java.util.TreeMap;

/** The sums of the day in the file of a wallet. */
public final class StoredSums {

    private StoredSums() {}

    /** Returns the sums by their names. */
    public static Map<String, BigInteger> of(Path folder) throws SQLException {
        Map<String, BigInteger> sums = new TreeMap<>();
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("wallet.db"));
                var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT name, amount FROM day_sum")) {
            while (rows.next()) {
                sums.put(rows.getString("name"), new BigInteger(rows.getString("amount")));
            }
        }
        return sums;
    }
}
