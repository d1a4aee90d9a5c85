package io.weir.config;

/**
 * The reload of the configuration while the proxy runs. Immutable.
 *
 * @param watchMillis time between two looks at the files of the configuration; 0 for none
 * @param probeWaitMillis how long a reload looks for the nodes of new networks before they serve
 */
public record ReloadConfig(long watchMillis, long probeWaitMillis) {

    /** The reload of a configuration that sets nothing about it. */
    public static final ReloadConfig DEFAULT = new ReloadConfig(0, 500);
}
