package io.weir.api;

import java.util.List;
import org.pf4j.ExtensionPoint;

/**
 * A plugin's entry point: one class per plugin, public, with a public constructor without parameters and PF4J's
 * {@code @Extension} on it.
 *
 * <p>Runs each step of the life cycle once and on one host thread. First come the constructor (no side effects), {@link
 * #provision} and {@link #validate}. The offers follow ({@link #methodHandlers} and so on, asked for once), then {@link #start},
 * {@link #drain} and finally {@link #close}. A step that throws stops this plugin; the host logs it and closes the plugin.
 */
public interface WeirPlugin extends ExtensionPoint {

    /** The version of this API, which a plugin's {@code Plugin-Requires} is held against; semantic versioning. */
    String API_VERSION = "0.3.0";

    /**
     * Takes what the host gives: settings, data folder, meters, threads, clients. Reads the settings; opens nothing that
     * {@link #close} could not close.
     *
     * @throws Exception when the plugin cannot run with this context; the message is shown to the operator
     */
    void provision(PluginContext context) throws Exception;

    /** Says what is wrong with the settings, one line each as {@code path: value (expected: rule)}; empty when nothing. */
    default List<String> validate() {
        return List.of();
    }

    /**
     * Says what will not work as configured although the settings are right, in the form of {@link #validate}. Asked for by the command
     * {@code check}.
     */
    default List<String> warnings() {
        return List.of();
    }

    /**
     * Begins work in the background, where there is any. Calls may arrive from here on.
     *
     * @throws Exception when the plugin cannot start; the message is shown to the operator
     */
    default void start() throws Exception {}

    /**
     * Hears that the proxy stops: calls under way have {@code server.drain} to end before {@link #close}. A plugin that has calls
     * wait for something ends them. Not called where the plugin was not started; must not block.
     */
    default void drain() {}

    /** Gives back everything. Called in every case, also after a failed {@link #provision}; must not throw. */
    default void close() {}

    /** The JSON-RPC methods that this plugin answers. */
    default List<MethodHandler> methodHandlers() {
        return List.of();
    }

    /** The URL schemes behind which this plugin has nodes in this process. */
    default List<UpstreamProvider> upstreamProviders() {
        return List.of();
    }

    /** The kinds of network, beside {@code ethereum}, that this plugin knows how to probe. */
    default List<NetworkKind> networkKinds() {
        return List.of();
    }

    /** The pages that this plugin shows on the admin listener. */
    default List<AdminPage> adminPages() {
        return List.of();
    }

    /** The commands behind {@code plugin <id> …}; asked for after {@link #provision}, without {@link #start}. */
    default List<PluginCommand> commands() {
        return List.of();
    }
}
