package io.weir.config;

/**
 * The reload of the configuration while the proxy runs. Immutable.
 *
 * @param watchMillis time between two looks at the files of the configuration; 0 for none
 * @param probeWaitMillis how long a reload looks for the nodes of new networks before they serve
 * @param maxFinishing replaced networks that may finish their calls at the same time
 */
public record ReloadConfig(long watchMillis, long probeWaitMillis, int maxFinishing) {

    /** The reload of a configuration that sets nothing about it. */
    public static final ReloadConfig DEFAULT = new ReloadConfig(0, 500, 100);
}
