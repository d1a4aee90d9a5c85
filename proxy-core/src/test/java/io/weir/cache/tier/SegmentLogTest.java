package io.weir.cache.tier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.cache.tier.DiskTier.TierFolder;
import io.weir.metrics.TransitionLog;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SegmentLogTest {

    private static final long SIZE = 1 << 20;

    @TempDir
    Path folder;

    /** All that were opened. */
    private final List<FileChannel> channels = new ArrayList<>();

    private SegmentLog open() throws IOException {
        return open(1_000_000);
    }

    private SegmentLog open(long entries) throws IOException {
        SegmentLog log = new SegmentLog(folder, SIZE, entries, this::channel, TransitionLog.ofTier("disk", "up"));
        log.open();
        return log;
    }

    private FileChannel channel(Path file) throws IOException {
        FileChannel channel = SegmentLog.plain(file);
        channels.add(channel);
        return channel;
    }

    private static byte[] record(Random random) {
        byte[] record = new byte[random.nextInt(3_000)];
        random.nextBytes(record);
        return record;
    }

    private List<Path> files(String suffix) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(suffix))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void theNewestAreThereAfterReopeningAndTheFilesKeepToTheirBound() throws IOException {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        Map<Long, byte[]> written = new HashMap<>();
        SegmentLog log = open();
        for (long fingerprint = 0; fingerprint < 3_000; fingerprint++) {
            byte[] record = record(random);
            log.append(fingerprint, record);
            written.put(fingerprint, record);
            if (fingerprint % 500 == 499) {
                log.close();
                log = open();
            }
            assertThat(log.bytes()).as("seed %d", seed).isLessThanOrEqualTo(SIZE);
        }
        long onDisk = 0;
        for (Path file : files(".segment")) {
            onDisk += Files.size(file);
        }
        assertThat(onDisk).isEqualTo(log.bytes()).isGreaterThan(SIZE * 3 / 4);
        assertThat(log.entries()).isBetween(400L, 1_200L);
        for (long fingerprint = 3_000 - 400; fingerprint < 3_000; fingerprint++) {
            assertThat(log.read(fingerprint))
                    .as("print %d, seed %d", fingerprint, seed)
                    .isEqualTo(written.get(fingerprint));
        }
        assertThat(log.lacks(0)).isTrue();
        log.close();
    }

    @Test
    void itForgetsTheOldestWhereThereAreTooMany() throws IOException {
        SegmentLog log = open(1_000);
        for (long fingerprint = 0; fingerprint < 100_000; fingerprint++) {
            log.append(fingerprint, new byte[10]);
            assertThat(log.entries()).isLessThanOrEqualTo(1_000 + SIZE / 16 / 30);
        }
        assertThat(log.lacks(99_999)).isFalse();
        log.close();
    }

    @Test
    void anIncompleteRecordIsTruncated() throws IOException {
        SegmentLog log = open();
        log.append(1, new byte[1_000]);
        log.append(2, new byte[1_000]);
        log.close();
        Path file = files(".segment").get(0);
        byte[] whole = Files.readAllBytes(file);
        for (int end = whole.length - 1; end > whole.length - 1_020; end -= 13) {
            Files.write(file, Arrays.copyOf(whole, end));
            SegmentLog again = open();
            assertThat(again.read(1)).hasSize(1_000);
            assertThat(again.lacks(2)).isTrue();
            again.append(3, new byte[77]);
            again.close();
            SegmentLog third = open();
            assertThat(third.read(3)).hasSize(77);
            third.close();
        }
        assertThat(files(".damaged")).isEmpty();
    }

    @Test
    void aFileWhoseHeadersAreDamagedIsSetAsideAndTheOthersStay() throws IOException {
        SegmentLog log = open();
        for (long fingerprint = 0; fingerprint < 200; fingerprint++) {
            log.append(fingerprint, new byte[1_000]);
        }
        log.close();
        List<Path> files = files(".segment");
        assertThat(files).hasSizeGreaterThan(2);
        byte[] bytes = Files.readAllBytes(files.get(1));
        bytes[8 + 5] ^= 1;
        Files.write(files.get(1), bytes);
        SegmentLog again = open();
        assertThat(files(".damaged")).hasSize(1);
        assertThat(again.lacks(0)).isFalse();
        assertThat(again.lacks(199)).isFalse();
        assertThat(again.entries()).isBetween(130L, 140L);
        again.append(1_000, new byte[10]);
        assertThat(again.read(1_000)).hasSize(10);
        again.close();
        assertThat(channels).noneMatch(FileChannel::isOpen);
    }

    @Test
    void aFlippedBitNeverYieldsAnEntryThatWasNotWrittenUnlessItIsInTheRecordItself() throws IOException {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        SegmentLog log = open();
        Map<Long, byte[]> written = new HashMap<>();
        for (long fingerprint = 0; fingerprint < 30; fingerprint++) {
            written.put(fingerprint, record(random));
            log.append(fingerprint, written.get(fingerprint));
        }
        log.close();
        Path file = files(".segment").get(0);
        byte[] whole = Files.readAllBytes(file);
        for (int round = 0; round < 200; round++) {
            byte[] flipped = whole.clone();
            int at = random.nextInt(flipped.length);
            flipped[at] ^= (byte) (1 << random.nextInt(8));
            Files.write(file, flipped);
            SegmentLog again = open();
            int changed = 0;
            for (long fingerprint = 0; fingerprint < 30; fingerprint++) {
                byte[] read = again.read(fingerprint);
                changed += read != null && !Arrays.equals(read, written.get(fingerprint)) ? 1 : 0;
            }
            assertThat(changed).as("byte %d, seed %d", at, seed).isLessThanOrEqualTo(1);
            again.close();
            Files.deleteIfExists(folder.resolve(file.getFileName() + ".damaged"));
        }
    }

    @Test
    void aFolderIsForOneAlone() throws IOException {
        Path mine = folder.resolve("mine");
        try (TierFolder taken = TierFolder.take(mine)) {
            assertThat(taken.path()).isEqualTo(mine);
            assertThatThrownBy(() -> TierFolder.take(mine))
                    .hasMessage("cache.disk.path: " + mine + " (expected: a folder that no other proxy uses)");
        }
        TierFolder.take(mine).close();
        Path file = Files.writeString(folder.resolve("file"), "");
        assertThatThrownBy(() -> TierFolder.take(file))
                .hasMessage("cache.disk.path: " + file + " (expected: a folder that can be made and written to)");
    }
}
