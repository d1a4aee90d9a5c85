package io.weir.wallet.state;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;

/** The tables of {@code schema.sql}. Thread-safe. */
final class Schema {

    /** Of the tables: it changes with them. */
    static final int VERSION = 6;

    private Schema() {}

    /** Makes the tables in an empty file, and checks that they are those of this version in another one. */
    static void apply(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            int version = version(connection);
            if (version == 0) {
                for (String sql : text().split(";\\s*", -1)) {
                    if (!sql.isBlank()) {
                        statement.execute(sql);
                    }
                }
                statement.execute("PRAGMA user_version = " + VERSION);
            } else if (version != VERSION) {
                throw new StateException("the wallet's state: version " + version + " (expected: " + VERSION
                        + "; another version of the plugin wrote it)");
            }
        }
    }

    private static String text() {
        try (InputStream in = Objects.requireNonNull(Schema.class.getResourceAsStream("schema.sql"))) {
            return new String(in.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static int version(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("PRAGMA user_version")) {
            return row.next() ? row.getInt(1) : 0;
        }
    }
}
