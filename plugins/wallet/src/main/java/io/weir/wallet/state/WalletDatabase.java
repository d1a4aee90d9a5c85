package io.weir.wallet.state;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
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
     * Opens the file, making it where it is missing, and brings its tables up to date.
     *
     * @throws StateException when it cannot be opened, or was written by a newer version
     */
    public synchronized void open() {
        SQLiteConfig config = new SQLiteConfig();
        config.setJournalMode(JournalMode.WAL);
        config.setSynchronous(SynchronousMode.FULL);
        config.setBusyTimeout(BUSY_MILLIS);
        SQLiteDataSource source = new SQLiteDataSource(config);
        source.setUrl("jdbc:sqlite:" + file.toAbsolutePath());
        try {
            makePrivate(file);
            connection = source.getConnection();
            inTransaction(Migrations::apply);
        } catch (SQLException | IOException e) {
            throw new StateException("the wallet's state cannot be opened: " + e.getMessage(), e);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /** Hides the partners of trades from other users. The files beside it take the mode of this one. */
    private static void makePrivate(Path file) throws IOException {
        boolean posix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
        if (posix && !Files.exists(file)) {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        } else if (posix) {
            Files.setPosixFilePermissions(file, Set.copyOf(PosixFilePermissions.fromString("rw-------")));
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
