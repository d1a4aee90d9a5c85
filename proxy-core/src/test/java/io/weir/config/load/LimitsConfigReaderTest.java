package io.weir.config.load;

import static io.weir.config.load.TextConfig.NETWORK;
import static io.weir.config.load.TextConfig.load;
import static io.weir.config.load.TextConfig.rules;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.config.LimitsConfig;
import io.weir.config.ParamLimit;
import org.junit.jupiter.api.Test;

class LimitsConfigReaderTest {

    @Test
    void defaultsAreThoseOfTheReference() {
        assertThat(load(NETWORK).limits()).isEqualTo(LimitsConfig.DEFAULT);
    }

    @Test
    void everyLimitCanBeSet() {
        LimitsConfig limits = load(NETWORK
                        + "limits { addresses = 7, storage-slots = 8, method-name = 64 B, id = 2 KiB }")
                .limits();
        assertThat(limits.params())
                .containsEntry(ParamLimit.ADDRESSES, 7)
                .containsEntry(ParamLimit.STORAGE_SLOTS, 8)
                .containsEntry(ParamLimit.MEMBERS, 64)
                .containsOnlyKeys(ParamLimit.values());
        assertThat(limits.methodNameBytes()).isEqualTo(64);
        assertThat(limits.idBytes()).isEqualTo(2_048);
    }

    @Test
    void aLimitThatRejectsEverythingIsAProblem() {
        assertThat(rules("limits { members = 0, id = 1 B, method-name = 3 KiB }"))
                .hasSize(3);
    }
}
