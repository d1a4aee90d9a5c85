package io.weir.plugin;

import io.weir.api.AdminPage;
import io.weir.api.BlockForm;
import io.weir.api.MethodHandler;
import io.weir.api.NetworkKind;
import io.weir.api.NetworkMethod;
import io.weir.api.PluginCommand;
import io.weir.api.SubscriptionForm;
import io.weir.api.UpstreamProvider;
import io.weir.api.WeirPlugin;
import io.weir.method.MethodRole;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.plugin.call.FailureLog;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads and checks a plugin's offers. Confined to the plugin's life-cycle thread. */
final class OfferReader {

    private static final Pattern METHOD = Pattern.compile("\\S{1,200}");
    private static final Pattern SCHEME = Pattern.compile("[a-z][a-z0-9+.-]*");
    private static final Pattern KIND = Pattern.compile("[a-z][a-z0-9-]*");
    private static final Pattern PAGE = Pattern.compile("([a-z0-9._~-]+(/[a-z0-9._~-]+)*)?");
    private static final Set<String> HOST_SCHEMES = Set.of("http", "https", "ws", "wss");
    private static final String HOST_KIND = "ethereum";

    private final WeirPlugin plugin;
    private final FailureLog log;
    private final List<String> problems = new ArrayList<>();

    OfferReader(WeirPlugin plugin, FailureLog log) {
        this.plugin = plugin;
        this.log = log;
    }

    /** Returns the offers. Offers that break a rule are omitted and are among the problems. */
    PluginOffers read() {
        return new PluginOffers(methods(), providers(), kinds(), pages(), commands());
    }

    /** Returns the problems of the offers, as {@code what: value (expected: rule)}. */
    List<String> problems() {
        return problems;
    }

    private List<PluginOffers.Methods> methods() {
        List<PluginOffers.Methods> offers = new ArrayList<>();
        for (MethodHandler handler : listed("methodHandlers", plugin.methodHandlers())) {
            Set<String> names = Set.copyOf(handler.methods());
            Set<String> kinds = Set.copyOf(handler.networkKinds());
            check(!names.isEmpty(), "method handler", handler.getClass().getName(), "one that serves a method");
            names.forEach(name -> check(METHOD, "method", name, "a name without spaces"));
            kinds.forEach(kind -> check(KIND, "network kind of a method", kind, "lower-case letters, digits, hyphens"));
            offers.add(new PluginOffers.Methods(handler, names, kinds));
        }
        return List.copyOf(offers);
    }

    private List<PluginOffers.Nodes> providers() {
        List<PluginOffers.Nodes> offers = new ArrayList<>();
        Set<String> seen = new HashSet<>(HOST_SCHEMES);
        for (UpstreamProvider provider : listed("upstreamProviders", plugin.upstreamProviders())) {
            String scheme = provider.scheme();
            check(SCHEME, "URL scheme", scheme, "lower-case letters and digits");
            check(seen.add(scheme), "URL scheme", scheme, "one that is neither the proxy's own nor offered twice");
            offers.add(new PluginOffers.Nodes(provider, scheme));
        }
        return List.copyOf(offers);
    }

    private List<NetworkKind> kinds() {
        List<NetworkKind> offers = new ArrayList<>();
        Set<String> seen = new HashSet<>(Set.of(HOST_KIND));
        for (NetworkKind kind : listed("networkKinds", plugin.networkKinds())) {
            GuardedKind guarded = GuardedKind.of(kind, methods(kind), log);
            check(KIND, "network kind", guarded.name(), "lower-case letters, digits, hyphens");
            check(
                    seen.add(guarded.name()),
                    "network kind",
                    guarded.name(),
                    "one that is neither the proxy's own nor offered twice");
            checkSubscriptions(guarded);
            offers.add(guarded);
        }
        return List.copyOf(offers);
    }

    private void checkSubscriptions(NetworkKind kind) {
        SubscriptionForm form = kind.subscriptionForm();
        if (form == null) {
            return;
        }
        String what = "subscriptions of network kind " + kind.name();
        check(kind.blockForm() != null, what, form.ending(), "none, as long as the kind has no block form");
        boolean byKind = form.heads().topic().kind() != null;
        check(
                byKind == (form.heads().start() == null),
                what,
                form.heads().topic().method(),
                "either a start, or a kind in the first parameter");
        Set<SubscriptionForm.Topic> seen = new HashSet<>();
        List<SubscriptionForm.Topic> names = new ArrayList<>(form.topics());
        form.passed().forEach(one -> names.add(one.topic()));
        names.add(new SubscriptionForm.Topic(form.ending(), ""));
        for (SubscriptionForm.Topic topic : names) {
            String name = topic.method();
            boolean other =
                    kind.methods().stream().anyMatch(method -> method.name().equals(name));
            boolean own = kind.servesEthereumBlocks() && isOfSubscriptions(name);
            boolean free = (own || !MethodCatalogue.listsName(name)) && !other;
            check(METHOD, what, name, "a name without spaces");
            check(
                    free && seen.add(new SubscriptionForm.Topic(name, "", topic.kind())),
                    what,
                    topic.kind() == null ? name : name + ' ' + topic.kind(),
                    "a name that no other method has");
        }
    }

    private static boolean isOfSubscriptions(String method) {
        MethodRole role = MethodCatalogue.ofName(method).role();
        return role == MethodRole.SUBSCRIBE || role == MethodRole.UNSUBSCRIBE;
    }

    private List<NetworkMethod> methods(NetworkKind kind) {
        List<NetworkMethod> methods = listed("methods of network kind " + kind.name(), kind.methods());
        Set<String> seen = new HashSet<>();
        for (NetworkMethod method : methods) {
            String name = method.name();
            String what = "method of network kind " + kind.name();
            check(METHOD, what, name, "a name without spaces");
            boolean foreign = !MethodCatalogue.listsName(name);
            check(foreign, what, name, "one that the proxy does not know itself");
            check(seen.add(name), what, name, "a name of its own");
            boolean plain = method.answer() == NetworkMethod.Answer.PLAIN
                    && method.lifetime() == NetworkMethod.Lifetime.NONE
                    && method.parameters().stream().noneMatch(NetworkMethod.Parameter::block);
            check(plain || kind.blockForm() != null, what, name, "no block, as long as the kind has no block form");
        }
        return methods;
    }

    private List<PluginOffers.Page> pages() {
        List<PluginOffers.Page> offers = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (AdminPage page : listed("adminPages", plugin.adminPages())) {
            String path = page.path();
            boolean climbs = List.of(path.split("/")).contains("..");
            check(PAGE, "admin page", path, "lower-case segments without a slash at either end");
            check(!climbs && seen.add(path), "admin page", path, "a path of its own");
            offers.add(new PluginOffers.Page(page, path));
        }
        return List.copyOf(offers);
    }

    private List<PluginOffers.Command> commands() {
        List<PluginOffers.Command> offers = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (PluginCommand command : listed("commands", plugin.commands())) {
            String name = command.name();
            check(KIND, "command", name, "one lower-case word");
            check(seen.add(name), "command", name, "a name of its own");
            offers.add(new PluginOffers.Command(command, name, String.valueOf(command.description())));
        }
        return List.copyOf(offers);
    }

    private <T> List<T> listed(String what, @Nullable List<T> offers) {
        boolean whole = offers != null && offers.stream().allMatch(Objects::nonNull);
        check(whole, what, String.valueOf(offers), "a list without nulls");
        return whole ? List.copyOf(offers) : List.of();
    }

    private void check(Pattern rule, String what, String value, String words) {
        check(value != null && rule.matcher(value).matches(), what, value, words);
    }

    private void check(boolean holds, String what, String value, String words) {
        if (!holds) {
            problems.add(what + ": " + value + " (expected: " + words + ")");
        }
    }

    /**
     * A plugin's kind of network. Its constant properties are read once. Any exception it throws about an answer becomes
     * the one exception that probes expect. Thread-safe.
     */
    private record GuardedKind(
            NetworkKind kind,
            FailureLog log,
            String name,
            ProbeCall chainIdCall,
            ProbeCall headCall,
            ProbeCall syncingCall,
            boolean servesEthereumBlocks,
            boolean servesEthereumMethods,
            List<NetworkMethod> methods,
            @Nullable BlockForm blockForm,
            @Nullable SubscriptionForm subscriptionForm)
            implements NetworkKind {

        /** @param methods the kind's, read and checked */
        static GuardedKind of(NetworkKind kind, List<NetworkMethod> methods, FailureLog log) {
            return new GuardedKind(
                    kind,
                    log,
                    kind.name(),
                    kind.chainIdCall(),
                    kind.headCall(),
                    kind.syncingCall(),
                    kind.servesEthereumBlocks(),
                    kind.servesEthereumMethods(),
                    List.copyOf(methods),
                    kind.blockForm(),
                    kind.subscriptionForm());
        }

        @Override
        public String normaliseChainId(String chainId) {
            return guarded(() -> kind.normaliseChainId(chainId));
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
            return holds(() -> kind.isRepeatable(method));
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
}
