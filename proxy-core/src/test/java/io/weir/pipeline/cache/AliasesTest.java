package io.weir.pipeline.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.cache.CallKey;
import io.weir.jsonrpc.RawJson;
import io.weir.pipeline.cache.NetworkMemory.Aliases;
import org.junit.jupiter.api.Test;

class AliasesTest {

    private final Aliases aliases = new Aliases();

    private static CallKey key(String params) {
        return new CallKey("net", "eth_getBlockByNumber", RawJson.of(params));
    }

    @Test
    void theKeyIsRememberedForTheSameWordsAndNoOthers() {
        CallKey kept = key("[\"0xab\",true]");
        aliases.put(key("[\"0x1\",true]"), kept);
        assertThat(aliases.get(key("[\"0x1\",true]"))).isSameAs(kept);
        assertThat(aliases.get(key("[\"0x2\",true]"))).isNull();
        assertThat(aliases.get(new CallKey("other", "eth_getBlockByNumber", RawJson.of("[\"0x1\",true]"))))
                .isNull();
    }

    @Test
    void howeverManyComeTheLastOneIsRemembered() {
        for (int i = 0; i < 10_000; i++) {
            CallKey asked = key("[\"0x" + Integer.toHexString(i) + "\",true]");
            aliases.put(asked, asked);
            assertThat(aliases.get(asked)).isEqualTo(asked);
        }
    }

    @Test
    void longWordsAreNotRemembered() {
        CallKey asked = key("[\"0x" + "0".repeat(Aliases.MAX_BYTES) + "\"]");
        aliases.put(asked, asked);
        assertThat(aliases.get(asked)).isNull();
    }
}
