package io.weir.api.setting;

/** A record of settings with relations that none of them shows alone. */
public interface Checked {

    /** Reports each broken relation at the setting that should change, which {@link Block#look} returns. */
    void check(Block block);
}
