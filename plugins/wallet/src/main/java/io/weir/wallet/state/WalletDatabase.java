package io.weir.wallet.state;

import io.weir.l2.Felt;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConfig.JournalMode;
import org.sqlite.SQLiteConfig.SynchronousMode;
import org.sqlite.SQLiteDataSource;

/**
 * The file, over one connection that is used by one thread at a time. Written data is on the disk when a call returns.
 * Thread-safe; blocks.
 */
public final class WalletDatabase implements AutoCloseable {
    private static final int BUSY_MILLIS = 5000;

    private final Path file;
    private @Nullable Connection connection;

    /** Names the file; nothing is opened yet. */
    public WalletDatabase(Path file) {
        this.file = file;
    }

    /**
     * Opens the file, making it and its tables where they are missing.
     *
     * @throws StateException when it cannot be opened, or was written by another version
     */
    public synchronized void open() {
        SQLiteConfig config = new SQLiteConfig();
        config.setJournalMode(JournalMode.WAL);
        config.setSynchronous(SynchronousMode.FULL);
        config.setBusyTimeout(BUSY_MILLIS);
        SQLiteDataSource source = new SQLiteDataSource(config);
        source.setUrl("jdbc:sqlite:" + file.toAbsolutePath());
        try {
            // The partners of trades are nobody's business. The files beside it take the mode of this one.
            PrivateFiles.hide(file);
            connection = source.getConnection();
            inTransaction(Schema::apply);
        } catch (SQLException | IOException e) {
            throw new StateException("the wallet's state cannot be opened: " + e.getMessage(), e);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /** Work on the connection. */
    @FunctionalInterface
    interface Work<T> {
        T on(Connection connection) throws SQLException;
    }

    /** Work that gives nothing. */
    @FunctionalInterface
    interface Change {
        void on(Connection connection) throws SQLException;
    }

    /** Reads one row. */
    @FunctionalInterface
    interface Reader<T> {
        T read(Row row) throws SQLException;
    }

    /** A row of a result. Confined to the reading of it. */
    record Row(ResultSet columns) {

        String text(String name) throws SQLException {
            return columns.getString(name);
        }

        long number(String name) throws SQLException {
            return columns.getLong(name);
        }

        int integer(String name) throws SQLException {
            return columns.getInt(name);
        }

        boolean flag(String name) throws SQLException {
            return columns.getBoolean(name);
        }

        Felt felt(String name) throws SQLException {
            return Felt.parseHex(text(name));
        }

        Instant time(String name) throws SQLException {
            return Instant.ofEpochMilli(number(name));
        }
    }

    /** Does work whose writes happen all or not at all. */
    synchronized void inTransaction(Change change) {
        get(connected -> {
            connected.setAutoCommit(false);
            try {
                change.on(connected);
                connected.commit();
            } catch (SQLException | RuntimeException e) {
                connected.rollback();
                throw e;
            } finally {
                connected.setAutoCommit(true);
            }
            return true;
        });
    }

    /** Carries out one statement; see {@link #change}. */
    void update(String sql, Object... values) {
        inTransaction(connected -> change(connected, sql, values));
    }

    /**
     * Carries out a statement within a transaction.
     *
     * @param values in the places of its question marks: texts, numbers, truth values, felts, times, constants of an enum, and nulls
     */
    static void change(Connection connection, String sql, @Nullable Object... values) throws SQLException {
        try (PreparedStatement statement = prepared(connection, sql, values)) {
            statement.executeUpdate();
        }
    }

    /** Reads the rows of a query, whose values are as those of {@link #change}. */
    <T> List<T> query(Reader<T> reader, String sql, Object... values) {
        return get(connected -> {
            List<T> found = new ArrayList<>();
            try (PreparedStatement statement = prepared(connected, sql, values);
                    ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    found.add(reader.read(new Row(rows)));
                }
            }
            return found;
        });
    }

    /** Reads the first row of such a query, if there is one. */
    <T> Optional<T> first(Reader<T> reader, String sql, Object... values) {
        return query(reader, sql, values).stream().findFirst();
    }

    /** Returns the insertion of a row with a question mark for each of its columns, which commas separate. */
    static String insertion(String table, String columns) {
        return "INSERT INTO " + table + " (" + columns + ") VALUES (" + columns.replaceAll("[^,]+", "?") + ")";
    }

    private static PreparedStatement prepared(Connection connection, String sql, @Nullable Object... values)
            throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        for (int index = 0; index < values.length; index++) {
            Object value = values[index];
            statement.setObject(
                    index + 1,
                    value instanceof Felt felt
                            ? felt.toHex()
                            : value instanceof Instant time
                                    ? (Object) time.toEpochMilli()
                                    : value instanceof Enum<?> constant ? constant.name() : value);
        }
        return statement;
    }

    /** Does work of a single statement. */
    synchronized <T> T get(Work<T> work) {
        Connection open = connection;
        if (open == null) {
            throw new StateException("the wallet's state is not open (expected: between start and close)");
        }
        try {
            return work.on(open);
        } catch (SQLException e) {
            throw new StateException("the wallet's state cannot be used: " + e.getMessage(), e);
        }
    }

    @Override
    public synchronized void close() {
        Connection open = connection;
        connection = null;
        if (open == null) {
            return;
        }
        try {
            open.close();
        } catch (SQLException e) {
            throw new StateException("the wallet's state cannot be closed: " + e.getMessage(), e);
        }
    }
}
