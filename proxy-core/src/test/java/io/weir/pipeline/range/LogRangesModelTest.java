package io.weir.pipeline.range;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.jsonrpc.RpcError;
import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.HandNode;
import io.weir.pipeline.HandNode.Asked;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;

/** Random ranges at nodes with random limits, logs and failures give the bytes of one node without limits. */
class LogRangesModelTest {

    private static final int RUNS = 400;

    /** A run, with what decides it. */
    private static final class Run {

        private final Random random;
        private final LogRangeFixture weir;
        private final LogNode unlimited;
        private final List<LogNode> nodes = new ArrayList<>();

        /** No range needs more pieces than one may have. */
        private int longest = 600;

        Run(long seed) {
            random = new Random(seed);
            weir = new LogRangeFixture(1 + random.nextInt(3));
            LongFunction<List<String>> logs = logs(random.nextInt(4), random.nextLong());
            unlimited = new LogNode(logs);
            for (int i = 0; i < weir.nodes.size(); i++) {
                nodes.add(limited(new LogNode(logs)));
            }
        }

        /** Blocks without logs, with some, and with many in a row. */
        private static LongFunction<List<String>> logs(int density, long seed) {
            return block -> {
                Random ofBlock = new Random(seed ^ block * 0x9E3779B97F4A7C15L);
                boolean crowd = (block >> 4) % 5 == 0;
                int count = density == 0 ? 0 : crowd ? ofBlock.nextInt(density * 3) : ofBlock.nextInt(8) / 7;
                return Collections.nCopies(count, "{\"blockNumber\":\"0x%x\"}".formatted(block));
            };
        }

        private LogNode limited(LogNode node) {
            // More logs than any block has.
            int limit = 10 + random.nextInt(60);
            int kind = random.nextInt(5);
            // A block has up to eight logs, and a refused range is asked for again in parts.
            longest = kind == 2 || kind == 3 ? Math.min(longest, limit * LogRanges.MAX_PIECES / 24) : longest;
            return switch (kind) {
                case 0 -> node.takingBlocks(blocks(), asked -> new RpcError(-32600, "block range is too wide", null));
                case 1 -> {
                    int blocks = blocks();
                    yield node.takingBlocks(
                            blocks, asked -> new RpcError(-32614, "limited to a " + blocks + " range", null));
                }
                case 2 ->
                    node.takingLogs(
                            limit,
                            asked -> new RpcError(-32005, "query returned more than " + limit + " results", null));
                case 3 -> node.takingLogs(limit, asked -> new RpcError(-32005, "limit exceeded", null));
                default -> node;
            };
        }

        private int blocks() {
            int blocks = 1 + random.nextInt(60);
            longest = Math.min(longest, blocks * LogRanges.MAX_PIECES / 3);
            return blocks;
        }

        /** Answers calls in a random order. All nodes but the last fail now and then. */
        void check() {
            long from = random.nextInt(1_000);
            BlockRange range = new BlockRange(from, from + 1 + random.nextInt(longest));
            List<RpcReply> replies = weir.send(weir.context(LogRangeFixture.filter(range)));
            List<int[]> open = new ArrayList<>();
            int[] seen = new int[nodes.size()];
            while (replies.isEmpty()) {
                for (int i = 0; i < nodes.size(); i++) {
                    for (; seen[i] < weir.nodes.get(i).asked.size(); seen[i]++) {
                        open.add(new int[] {i, seen[i]});
                    }
                }
                assertThat(open).as("calls under way").isNotEmpty();
                int[] next = open.remove(random.nextInt(open.size()));
                Asked asked = weir.nodes.get(next[0]).asked.get(next[1]);
                boolean fails = next[0] < nodes.size() - 1 && random.nextInt(6) == 0;
                asked.answer(fails ? HandNode.timeout() : nodes.get(next[0]).apply(asked.call()));
                weir.runLoop();
            }
            weir.nodes.forEach(node -> node.asked.clear());
            assertThat(LogRangeFixture.text(replies)).isEqualTo(unlimited.logs(range));
            assertThat(weir.budget.taken()).isZero();
        }
    }

    @Test
    void rangesAreAnsweredAsByOneNodeWithoutLimits() {
        long first = new Random().nextLong();
        for (long seed = first; seed < first + RUNS; seed++) {
            try {
                Run run = new Run(seed);
                for (int call = 0; call < 4; call++) {
                    run.check();
                }
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
        }
    }
}
