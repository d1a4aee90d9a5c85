package io.weir.wallet.state;

import io.weir.l2.Felt;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;
import org.jdbi.v3.core.argument.Argument;
import org.jdbi.v3.core.codec.Codec;
import org.jdbi.v3.core.codec.CodecFactory;
import org.jdbi.v3.core.generic.GenericType;
import org.jdbi.v3.core.locator.ClasspathSqlLocator;
import org.jdbi.v3.core.mapper.ColumnMapper;
import org.jdbi.v3.core.mapper.RowMapper;
import org.jdbi.v3.core.mapper.reflect.ConstructorMapper;
import org.jdbi.v3.core.result.ResultIterable;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jdbi.v3.core.statement.SqlStatements;
import org.jdbi.v3.core.statement.StatementContext;
import org.jdbi.v3.core.statement.TemplateEngine;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConfig.JournalMode;
import org.sqlite.SQLiteConfig.SynchronousMode;
import org.sqlite.SQLiteDataSource;

/**
 * The file, over one connection that is used by one thread at a time. Written data is on the disk when a call returns. A record is
 * read from the columns of its components' names, in snake case.
 *
 * <p>The values of a statement stand for its question marks, in order; or a record gives its components, and a map its entries, to
 * the names after its colons. Thread-safe; blocks.
 */
public final class WalletDatabase implements AutoCloseable {

    /** The version of the tables in {@code schema.sql}: it changes with them. */
    private static final int VERSION = 6;

    private static final int BUSY_MILLIS = 5000;

    private static final CodecFactory COLUMNS = CodecFactory.builder()
            .addCodec(Felt.class, new Column<>(Felt::parseHex, Felt::toHex))
            .addCodec(BigInteger.class, new Column<>(BigInteger::new, BigInteger::toString))
            .addCodec(Instant.class, new Column<>(WalletDatabase::time, Instant::toEpochMilli))
            .addCodec(new GenericType<List<NamedCall>>() {}, new Column<>(NamedCall::read, NamedCall::write))
            .build();

    private final Path file;
    /** Of the records, bound to the places of their columns: all queries of a record have the same columns, in one order. */
    private final Map<Class<?>, RowMapper<?>> mappers = new HashMap<>();

    private volatile @Nullable Handle handle;
    /** Whether the file is made by the first statement. */
    private boolean isLazy;

    /** Names the file; nothing is opened yet. */
    public WalletDatabase(Path file) {
        this.file = file;
    }

    /** Opens the file if it is there; else the first statement makes it, so that a wallet that nobody uses costs a start nothing. */
    public synchronized void openIfThere() {
        isLazy = Files.notExists(file);
        if (!isLazy) {
            open();
        }
    }

    /** Whether the file is open. */
    public boolean isOpen() {
        return handle != null;
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
        Jdbi jdbi = Jdbi.create(source)
                .configure(SqlStatements.class, statements -> statements.setTemplateEngine(TemplateEngine.NOP))
                .registerCodecFactory(COLUMNS);
        try {
            // The partners of trades are nobody's business. The files beside it take the mode of this one.
            PrivateFiles.hide(file);
            handle = jdbi.open();
            inTransaction(this::makeTables);
        } catch (IOException | JdbiException e) {
            throw failed("opened", e);
        } catch (RuntimeException e) {
            closeHandle();
            throw e;
        }
    }

    /** Makes the tables in an empty file, and checks that they are those of this version in another one. */
    private void makeTables() {
        int version = first(Integer.class, "PRAGMA user_version").orElse(0);
        if (version == 0) {
            String schema = ClasspathSqlLocator.create()
                    .getResource(WalletDatabase.class.getClassLoader(), "io/weir/wallet/state/schema.sql");
            get(opened -> opened.createScript(schema).execute());
            change("PRAGMA user_version = " + VERSION);
        } else if (version != VERSION) {
            String expected = " (expected: " + VERSION + "; another version of the plugin wrote it)";
            throw new StateException("the wallet's state: version " + version + expected, null);
        }
    }

    /** How values of a type are stored: as texts, or as numbers, which are read as texts too. */
    private record Column<T>(Function<String, T> reader, Function<T, Object> writer) implements Codec<T> {

        @Override
        public ColumnMapper<T> getColumnMapper() {
            return (row, number, context) -> {
                String text = row.getString(number);
                return text == null ? null : reader.apply(text);
            };
        }

        @Override
        public Function<T, Argument> getArgumentFunction() {
            return value -> (position, statement, context) ->
                    statement.setObject(position, value == null ? null : writer.apply(value));
        }
    }

    private static Instant time(String millis) {
        return Instant.ofEpochMilli(Long.parseLong(millis));
    }

    /** Does work whose changes happen all or not at all. */
    synchronized void inTransaction(Runnable work) {
        get(opened -> opened.inTransaction(same -> {
            work.run();
            return true;
        }));
    }

    /** Carries out a statement that changes rows, and returns how many. */
    int change(String sql, Object... values) {
        return get(opened -> bind(opened.createUpdate(sql), values).execute());
    }

    /** Returns the rows of a query: records, or values of one column. */
    <T> List<T> list(Class<T> type, String sql, Object... values) {
        return get(opened -> rows(opened, type, sql, values).list());
    }

    /** Returns the first row of such a query, if there is one. */
    <T> Optional<T> first(Class<T> type, String sql, Object... values) {
        return get(opened -> rows(opened, type, sql, values).findFirst());
    }

    private <T> ResultIterable<T> rows(Handle opened, Class<T> type, String sql, Object... values) {
        Query query = bind(opened.createQuery(sql), values);
        return type.isRecord() ? query.map((row, context) -> read(type, row, context)) : query.mapTo(type);
    }

    private <T> T read(Class<T> type, ResultSet row, StatementContext context) throws SQLException {
        RowMapper<?> mapper = mappers.get(type);
        if (mapper == null) {
            mapper = ConstructorMapper.of(type).specialize(row, context);
            mappers.put(type, mapper);
        }
        return type.cast(mapper.map(row, context));
    }

    private static <S extends SqlStatement<S>> S bind(S statement, Object... values) {
        int position = 0;
        for (Object value : values) {
            if (value instanceof Record) {
                statement.bindMethods(value);
            } else if (value instanceof Map<?, ?> named) {
                named.forEach((name, one) -> statement.bind((String) name, one));
            } else {
                statement.bind(position++, value);
            }
        }
        return statement;
    }

    private synchronized <T> T get(Function<Handle, T> work) {
        if (handle == null && isLazy) {
            open();
        }
        Handle open = handle;
        if (open == null) {
            throw new StateException("the wallet's state is not open (expected: between start and close)", null);
        }
        try {
            return work.apply(open);
        } catch (JdbiException e) {
            throw failed("used", e);
        }
    }

    /** Jdbi's own messages hold the statement and its values. */
    private static StateException failed(String done, Exception e) {
        Throwable cause = e.getCause() instanceof SQLException sql ? sql : e;
        return new StateException("the wallet's state cannot be " + done + ": " + cause.getMessage(), cause);
    }

    @Override
    public synchronized void close() {
        isLazy = false;
        closeHandle();
    }

    private void closeHandle() {
        Handle open = handle;
        handle = null;
        if (open == null) {
            return;
        }
        try {
            open.close();
        } catch (JdbiException e) {
            throw failed("closed", e);
        }
    }
}
