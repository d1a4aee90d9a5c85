package io.weir.cache.tier;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.cache.tier.RecordStore.ReadResult;
import io.weir.cache.tier.TierEntry.EntryName;
import io.weir.jsonrpc.RawJson;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskTierTest {

    @TempDir
    Path folder;

    private static EntryName name(int number) {
        return EntryName.of("space", "eth_call", RawJson.of("[" + number + "]"));
    }

    private static <T> T delivered(Consumer<Consumer<T>> lookup) {
        CompletableFuture<T> future = new CompletableFuture<>();
        lookup.accept(future::complete);
        return future.orTimeout(60, TimeUnit.SECONDS).join();
    }

    private static boolean put(DiskTier tier, int number, int size) {
        return DiskTierTest.<Boolean>delivered(sink -> tier.put(name(number), new byte[size], sink));
    }

    private static ReadResult get(DiskTier tier, int number) {
        return DiskTierTest.delivered(sink -> tier.get(name(number), sink));
    }

    @Test
    void aFolderThatOthersMayWriteToIsRefused() throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xrwx"));
        assertThatThrownBy(() -> DiskTier.open(folder, 1 << 20))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "cache.disk.path: " + folder + " (expected: one that no other user may write to; chmod go-w)");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        DiskTier.open(folder, 1 << 20).close();
    }

    @Test
    void aFullDiskAcceptsNothingUntilSpaceIsFreeAndStillServesItsEntries() throws IOException {
        AtomicBoolean full = new AtomicBoolean();
        AtomicLong now = new AtomicLong();
        try (DiskTier tier = DiskTier.open(
                folder, 1 << 20, 1_000, file -> new FullChannel(SegmentLog.plain(file), full), now::get)) {
            tier.begin();
            assertThat(put(tier, 1, 500)).isTrue();
            full.set(true);
            assertThat(put(tier, 2, 500)).isFalse();
            assertThat(tier.state()).isEqualTo("not stored to: it cannot be written");
            assertThat(get(tier, 1).bytes()).hasSize(500);
            assertThat(get(tier, 2)).isEqualTo(ReadResult.NOTHING);
            full.set(false);
            assertThat(put(tier, 3, 500)).as("too early").isFalse();
            now.addAndGet(TimeUnit.SECONDS.toNanos(61));
            assertThat(put(tier, 3, 500)).isTrue();
            assertThat(tier.state()).isEqualTo("up");
        }
        try (DiskTier again = DiskTier.open(folder, 1 << 20)) {
            again.begin();
            assertThat(get(again, 1).bytes()).hasSize(500);
            assertThat(get(again, 2)).isEqualTo(ReadResult.NOTHING);
            assertThat(get(again, 3).bytes()).hasSize(500);
        }
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).noneMatch(file -> file.toString().endsWith(".damaged"));
        }
    }

    @Test
    void itsRecordsOutliveItAndADamagedOneIsNothingKnown() throws IOException {
        byte[] value = "text".getBytes(UTF_8);
        try (DiskTier tier = DiskTier.open(folder, 1 << 20)) {
            tier.begin();
            assertThat(DiskTierTest.<ReadResult>delivered(sink -> tier.readRecord("r", sink)))
                    .isEqualTo(ReadResult.NOTHING);
            assertThat(DiskTierTest.<ReadResult>delivered(sink -> tier.claimRecord("r", value, sink))
                            .bytes())
                    .isEqualTo(value);
            byte[] other = "other".getBytes(UTF_8);
            assertThat(DiskTierTest.<ReadResult>delivered(sink -> tier.claimRecord("r", other, sink))
                            .bytes())
                    .isEqualTo(value);
        }
        try (DiskTier tier = DiskTier.open(folder, 1 << 20)) {
            assertThat(DiskTierTest.<ReadResult>delivered(sink -> tier.readRecord("r", sink))
                            .bytes())
                    .isEqualTo(value);
            Path file;
            try (Stream<Path> files = Files.list(folder)) {
                file = files.filter(one -> one.toString().endsWith(".record"))
                        .findFirst()
                        .orElseThrow();
            }
            byte[] bytes = Files.readAllBytes(file);
            bytes[bytes.length - 1] ^= 4;
            Files.write(file, bytes);
            assertThat(DiskTierTest.<ReadResult>delivered(sink -> tier.readRecord("r", sink))
                            .bytes())
                    .isEmpty();
            assertThat(DiskTierTest.<Boolean>delivered(sink -> tier.eraseRecord("r", sink)))
                    .isTrue();
            assertThat(DiskTierTest.<ReadResult>delivered(sink -> tier.readRecord("r", sink)))
                    .isEqualTo(ReadResult.NOTHING);
        }
    }

    /** A file on a disk that may be full: then half of what is written arrives, and the system complains. */
    private static final class FullChannel extends FileChannel {

        private final FileChannel file;
        private final AtomicBoolean full;

        FullChannel(FileChannel file, AtomicBoolean full) {
            this.file = file;
            this.full = full;
        }

        @Override
        public int write(ByteBuffer source, long position) throws IOException {
            if (full.get()) {
                ByteBuffer half = source.duplicate();
                half.limit(half.position() + half.remaining() / 2);
                file.write(half, position);
                throw new IOException("No space left on device");
            }
            return file.write(source, position);
        }

        @Override
        public int read(ByteBuffer target, long position) throws IOException {
            return file.read(target, position);
        }

        @Override
        public long size() throws IOException {
            return file.size();
        }

        @Override
        public FileChannel truncate(long size) throws IOException {
            file.truncate(size);
            return this;
        }

        @Override
        protected void implCloseChannel() throws IOException {
            file.close();
        }

        @Override
        public int read(ByteBuffer target) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long read(ByteBuffer[] targets, int offset, int length) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int write(ByteBuffer source) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long write(ByteBuffer[] sources, int offset, int length) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long position() {
            throw new UnsupportedOperationException();
        }

        @Override
        public FileChannel position(long position) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void force(boolean metaData) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long transferTo(long position, long count, WritableByteChannel target) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long transferFrom(ReadableByteChannel source, long position, long count) {
            throw new UnsupportedOperationException();
        }

        @Override
        public MappedByteBuffer map(MapMode mode, long position, long size) {
            throw new UnsupportedOperationException();
        }

        @Override
        public FileLock lock(long position, long size, boolean shared) {
            throw new UnsupportedOperationException();
        }

        @Override
        public FileLock tryLock(long position, long size, boolean shared) {
            throw new UnsupportedOperationException();
        }
    }
}
