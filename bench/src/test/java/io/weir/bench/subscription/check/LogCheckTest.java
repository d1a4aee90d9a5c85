package io.weir.bench.subscription.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.bench.subscription.chain.Block;
import io.weir.bench.subscription.chain.ChainLog;
import io.weir.bench.subscription.chain.ForkingChain;
import io.weir.bench.subscription.chain.LogFilter;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class LogCheckTest {

    private static final JsonMapper JSON = new JsonMapper();

    private final ForkingChain chain = new ForkingChain(1, 5, 1000);
    private final LogCheck check =
            new LogCheck(chain, LogFilter.ALL, chain.head().event());

    @Test
    void logsInOrderAndAToldReorganisationAreRight() throws Violation {
        Block first = extendWithLogs();
        Block second = extendWithLogs();
        add(first);
        add(second);
        Block tip = chain.reorganise(2, 4);
        remove(second);
        remove(first);
        addBranch(tip, first.number());

        check.end(tip);
        check.replay(tip);
        assertThat(check.removed())
                .isEqualTo(first.logs().size() + second.logs().size());
    }

    @Test
    void aGapIsFound() throws Violation {
        add(extendWithLogs());
        extendWithLogs();
        Block next = extendWithLogs();

        assertViolation(() -> add(next), "gap");
    }

    @Test
    void aLogThatIsLeftOutWithinABlockIsFound() throws Violation {
        Block block = extendWithLogs(3);
        tell(block.logs().get(0), false);

        assertViolation(() -> tell(block.logs().get(2), false), "gap");
    }

    @Test
    void aDuplicateIsFound() throws Violation {
        Block block = extendWithLogs();
        add(block);

        assertViolation(() -> add(block), "duplicate");
    }

    @Test
    void logsOfABlockInReverseAreFound() throws Violation {
        Block earlier = extendWithLogs();
        Block block = extendWithLogs(2);
        add(earlier);

        assertViolation(() -> tell(block.logs().get(1), false), "gap");
    }

    @Test
    void aMissingRemovalIsFound() throws Violation {
        add(extendWithLogs());
        Block left = extendWithLogs();
        add(left);
        Block next = reorganiseWithLogs(1, 2);

        assertViolation(() -> add(next), "missing removal");
    }

    @Test
    void aMissingRemovalOfAPartOfABlockIsFound() throws Violation {
        Block left = extendWithLogs(2);
        add(left);
        Block next = reorganiseWithLogs(1, 1);
        tell(left.logs().get(left.logs().size() - 1), true);

        assertViolation(() -> add(next), "missing removal");
    }

    @Test
    void aMissingRemovalAtTheEndIsFound() throws Violation {
        add(extendWithLogs());
        chain.reorganise(1, 1);

        assertViolation(() -> check.end(chain.head()), "missing removal at the end");
    }

    @Test
    void removalsFromTheOldestAreFound() throws Violation {
        Block first = extendWithLogs();
        Block second = extendWithLogs();
        add(first);
        add(second);
        chain.reorganise(2, 2);

        assertViolation(() -> remove(first), "wrong order");
    }

    @Test
    void aRemovalOfALogThatWasNotToldIsFound() throws Violation {
        Block block = extendWithLogs();

        assertViolation(() -> remove(block), "not told");
    }

    @Test
    void aMissingLastLogIsFound() throws Violation {
        Block block = extendWithLogs(2);
        tell(block.logs().get(0), false);

        assertViolation(() -> check.end(chain.head()), "missing at the end");
    }

    @Test
    void aLogThatDoesNotPassTheFilterIsFound() {
        LogFilter filter = new LogFilter(Set.of("0x" + "11".repeat(20)), List.of());
        LogCheck strict = new LogCheck(chain, filter, chain.head().event());
        ChainLog log = extendWithLogs().logs().get(0);

        assertViolation(() -> strict.told(JSON.readTree(log.json(false))), "does not pass");
    }

    @Test
    void blocksFromBeforeTheSubscriptionNeedNotBeTold() throws Violation {
        extendWithLogs();
        LogCheck late = new LogCheck(chain, LogFilter.ALL, chain.head().event());
        Block next = extendWithLogs();
        for (ChainLog log : next.logs()) {
            late.told(JSON.readTree(log.json(false)));
        }

        late.end(chain.head());
        late.replay(chain.head());
        assertThat(late.added()).isEqualTo(next.logs().size());
    }

    private interface Telling {
        void run() throws Violation;
    }

    private static void assertViolation(Telling telling, String kind) {
        assertThatThrownBy(telling::run).isInstanceOf(Violation.class).hasMessageContaining(kind);
    }

    private void add(Block block) throws Violation {
        for (ChainLog log : block.logs()) {
            tell(log, false);
        }
    }

    private void remove(Block block) throws Violation {
        for (int i = block.logs().size() - 1; i >= 0; i--) {
            tell(block.logs().get(i), true);
        }
    }

    private void addBranch(Block tip, long from) throws Violation {
        Block parent = tip.parent();
        if (parent != null && parent.number() >= from) {
            addBranch(parent, from);
        }
        add(tip);
    }

    private void tell(ChainLog log, boolean removed) throws Violation {
        check.told(JSON.readTree(log.json(removed)));
    }

    private Block extendWithLogs() {
        return extendWithLogs(1);
    }

    /** Adds a block with enough logs. It replaces blocks with fewer, so that no other one comes between. */
    private Block extendWithLogs(int fewest) {
        Block block = chain.extend(1);
        while (block.logs().size() < fewest) {
            block = chain.reorganise(1, 1);
        }
        return block;
    }

    private Block reorganiseWithLogs(int depth, int count) {
        Block block = chain.reorganise(depth, count);
        while (block.logs().isEmpty()) {
            block = chain.reorganise(count, count);
        }
        return block;
    }
}
