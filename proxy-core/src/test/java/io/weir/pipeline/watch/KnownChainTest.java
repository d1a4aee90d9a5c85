package io.weir.pipeline.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.chain.ChainView;
import io.weir.jsonrpc.RawJson;
import io.weir.testing.chain.SignedTransactions;
import io.weir.testing.chain.TestBlock;
import io.weir.testing.chain.TestChain;
import io.weir.testing.chain.TestChain.Memory;
import io.weir.verify.ChainFamily;
import io.weir.verify.ChainRules;
import io.weir.verify.MemberNames;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class KnownChainTest {

    private final AtomicLong nanos = new AtomicLong();

    private KnownChain known(ChainFamily family) {
        ChainRules rules = new ChainRules(family, MemberNames.ETHEREUM);
        return new KnownChain(new ChainView(16), rules, true, nanos::get);
    }

    @ParameterizedTest
    @EnumSource(
            value = ChainFamily.class,
            names = {"POLYGON", "ZKSYNC", "NONE"})
    void noBlockIsNewWhereHeadersJudgeNoLogs(ChainFamily family) {
        assertThat(known(family).newFrom()).isEqualTo(Long.MAX_VALUE);
        assertThat(known(ChainFamily.ETHEREUM).newFrom()).isLessThan(Long.MAX_VALUE);
    }

    @Test
    void theHeaderOfAFetchedBlockIsKeptFromThenOn() {
        TestChain chain = new TestChain(1, new SignedTransactions(), Memory.FORGETS);
        chain.mine(1);
        TestBlock block = chain.state().at(1);
        KnownChain known = known(ChainFamily.ETHEREUM);
        RawJson text = RawJson.of(block.text(false));

        assertThat(known.with(known, text).hash(1)).isEqualTo(block.hash());
        nanos.set(7);
        known.with(known, text);
        assertThat(known.header(block.hash())).isEqualTo(block.header());
        assertThat(known.knownNanos(block.hash())).isEqualTo(7);
        assertThat(known.with(known, RawJson.of("{}"))).isSameAs(known);
    }
}
