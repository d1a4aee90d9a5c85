package io.weir.plugin;

import io.weir.api.BlockForm;
import io.weir.api.NetworkKind;
import io.weir.api.NetworkMethod;
import io.weir.api.SubscriptionForm;
import io.weir.plugin.bulkhead.FailureLog;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A plugin's kind of network. Its constant properties are read once. Any exception it throws about an answer becomes
 * the one exception that probes expect. Thread-safe.
 */
final class GuardedKind implements NetworkKind {

    private final NetworkKind kind;
    private final FailureLog log;
    private final String name;
    private final ProbeCall chainIdCall;
    private final ProbeCall headCall;
    private final ProbeCall syncingCall;
    private final boolean ethereumBlocks;
    private final List<NetworkMethod> methods;
    private final @Nullable BlockForm blockForm;
    private final @Nullable SubscriptionForm subscriptionForm;

    /**
     * Reads the properties of a kind.
     *
     * @param methods its methods, read and checked
     */
    GuardedKind(NetworkKind kind, List<NetworkMethod> methods, FailureLog log) {
        this.kind = kind;
        this.log = log;
        this.name = kind.name();
        this.chainIdCall = kind.chainIdCall();
        this.headCall = kind.headCall();
        this.syncingCall = kind.syncingCall();
        this.ethereumBlocks = kind.servesEthereumBlocks();
        this.methods = List.copyOf(methods);
        this.blockForm = kind.blockForm();
        this.subscriptionForm = kind.subscriptionForm();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String normaliseChainId(String chainId) {
        return guarded(() -> kind.normaliseChainId(chainId));
    }

    @Override
    public ProbeCall chainIdCall() {
        return chainIdCall;
    }

    @Override
    public ProbeCall headCall() {
        return headCall;
    }

    @Override
    public ProbeCall syncingCall() {
        return syncingCall;
    }

    @Override
    public boolean servesEthereumBlocks() {
        return ethereumBlocks;
    }

    @Override
    public List<NetworkMethod> methods() {
        return methods;
    }

    @Override
    public @Nullable BlockForm blockForm() {
        return blockForm;
    }

    @Override
    public @Nullable SubscriptionForm subscriptionForm() {
        return subscriptionForm;
    }

    @Override
    public String readChainId(JsonNode result) {
        return guarded(() -> kind.readChainId(result));
    }

    @Override
    public long readHead(JsonNode result) {
        return guarded(() -> kind.readHead(result));
    }

    @Override
    public boolean readSyncing(JsonNode result) {
        return guarded(() -> kind.readSyncing(result));
    }

    @Override
    public boolean isRepeatable(String method) {
        try {
            return kind.isRepeatable(method);
        } catch (Throwable e) {
            log.failed("the network kind " + name, e);
            return false;
        }
    }

    @Override
    public boolean isFinalError(String method, int code) {
        return holds(() -> kind.isFinalError(method, code));
    }

    @Override
    public boolean isUnread(String method, int code) {
        return holds(() -> kind.isUnread(method, code));
    }

    @Override
    public boolean isNotFound(String method, int code) {
        return holds(() -> kind.isNotFound(method, code));
    }

    private boolean holds(BooleanSupplier question) {
        try {
            return question.getAsBoolean();
        } catch (Throwable e) {
            log.failed("the network kind " + name, e);
            return false;
        }
    }

    private <T> T guarded(Supplier<T> reading) {
        try {
            T read = reading.get();
            if (read != null) {
                return read;
            }
        } catch (IllegalArgumentException e) {
            throw e;
        } catch (Throwable e) {
            log.failed("the network kind " + name, e);
        }
        throw new IllegalArgumentException("network kind " + name + ": cannot read the answer");
    }
}
