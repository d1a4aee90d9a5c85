package io.weir.config;

import com.typesafe.config.Config;
import io.weir.api.setting.Binder;
import io.weir.api.setting.Block;
import io.weir.api.setting.Form;
import io.weir.api.setting.SettingValue;
import io.weir.api.setting.TextForm;
import io.weir.api.setting.TextRule;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.Inet6Address;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The patterns and forms of the proxy's settings that are more than a number or a word. Stateless. */
public final class Forms {

    /** The kind of network that the proxy itself knows. */
    static final String ETHEREUM = "ethereum";

    static final String HOST = "[A-Za-z0-9._:%-]{1,255}";
    static final String HOST_RULE = "an address or host name, such as 127.0.0.1 or ::";
    static final String ORIGIN = "https?://([a-z0-9.-]{1,253}|\\[[0-9a-f:.]{2,45}])(:[0-9]{1,5})?";
    /** Beside origins over HTTP those of browser extensions and of applications made of web pages. */
    static final String CORS_ORIGIN =
            ORIGIN + "|(?!https?:)[a-z][a-z0-9+.-]{0,31}://[A-Za-z0-9._-]{0,253}(:[0-9]{1,5})?|null|\\*";

    static final String CORS_ORIGIN_RULE = "an origin as browsers send it, such as https://app.example.org, or *";
    static final String TOKEN = "[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}";
    static final String NAME = "[a-z0-9][a-z0-9-]{0,62}";
    static final String NAME_RULE = "a name of lower-case letters, digits and hyphens";
    static final TextRule NETWORK = TextRule.matching(NAME, NAME_RULE);
    /** Names that appear in metrics and headers. */
    static final String ID = "[A-Za-z0-9][A-Za-z0-9._-]{0,62}";

    static final String ID_RULE = "a name of letters, digits, dots, hyphens and underscores";
    static final String METHOD = "\\*|[A-Za-z][A-Za-z0-9_.]{0,127}\\*?";
    static final String METHOD_RULE = "a method, a prefix such as debug_*, or *";
    static final String MEMBER = "[A-Za-z][A-Za-z0-9_]{0,63}";
    static final String MEMBER_RULE = "the name of a member, such as l1Fee";
    static final String PREFIX = "[A-Za-z0-9_.:-]{0,100}";
    static final String PREFIX_RULE = "up to 100 letters, digits, underscores, dots, colons and hyphens";
    static final String PEM_RULE = "the path of a PEM file";

    private static final int MAX_PORT = 65_535;
    static final TextRule METHODS = TextRule.matching(METHOD, METHOD_RULE);

    private Forms() {}

    /** Hosts that a listener answers to. */
    static final class Hosts extends ListForm<Set<String>> {

        Hosts() {
            super(
                    new TextRule(
                            Hosts::isHost,
                            "a host name without a port, a domain such as .svc, an address, a block such as 10.0.0.0/8, or *"),
                    Set::copyOf);
        }

        private static boolean isHost(String text) {
            boolean six = text.startsWith("[") && text.endsWith("]");
            return text.matches("\\*|[A-Za-z0-9_.-]{1,253}")
                    || AddressBlock.parse(text) != null
                    || (six && AddressBlock.address(text.substring(1, text.length() - 1)) instanceof Inet6Address);
        }
    }

    static final class AddressBlocks extends ListForm<List<AddressBlock>> {

        AddressBlocks() {
            super(
                    new TextRule(
                            text -> AddressBlock.parse(text) != null,
                            "an address or a block of them, such as 10.0.0.5, 10.0.0.0/8 or fd00::/8"),
                    texts -> texts.stream()
                            .map(AddressBlock::parse)
                            .filter(Objects::nonNull)
                            .toList());
        }
    }

    /** Fingerprints of certificates, in lower case without colons. */
    static final class Fingerprints extends ListForm<Set<String>> {

        Fingerprints() {
            super(
                    TextRule.matching(
                            "[0-9a-fA-F]{2}(:?[0-9a-fA-F]{2}){31}",
                            "the SHA-256 fingerprint of a certificate: 64 hex digits, with or without colons"),
                    texts -> texts.stream()
                            .map(text -> text.replace(":", "").toLowerCase(Locale.ROOT))
                            .collect(Collectors.toUnmodifiableSet()));
        }
    }

    /** Names in the Host header that select a network, in lower case. */
    static final class NetworkHosts extends ListForm<Set<String>> {

        NetworkHosts() {
            super(
                    TextRule.matching("(?!\\.)[A-Za-z0-9_.-]{1,253}|\\[[0-9A-Fa-f:.]+]", "a host name without a port"),
                    texts -> texts.stream().map(NetworkHosts::name).collect(Collectors.toUnmodifiableSet()));
        }

        /** Returns a name as the Host header is compared with it. */
        static String name(String text) {
            Authority authority = Authority.parse(text);
            return authority == null ? text.toLowerCase(Locale.ROOT) : authority.host();
        }
    }

    static final class Time extends MeaningForm<Instant> {

        Time() {
            super(
                    new TextRule(Time::isTime, "a time with its zone, such as \"2027-01-31T00:00:00Z\""),
                    false,
                    false,
                    text -> text == null ? null : Instant.parse(text));
        }

        private static boolean isTime(String text) {
            try {
                return Instant.parse(text).getEpochSecond() >= 0;
            } catch (DateTimeException e) {
                return false;
            }
        }
    }

    /** A share in percent, as a number from 0 to 1. */
    static final class Share extends MeaningForm<Double> {

        Share() {
            super(
                    TextRule.matching(
                            "(100|[0-9]{1,2}(\\.[0-9]{1,4})?) ?%", "a share from 0 % to 100 %, such as 1 % or 0.5 %"),
                    true,
                    false,
                    text -> text == null
                            ? 0
                            : new BigDecimal(text.replace("%", "").trim())
                                    .movePointLeft(2)
                                    .doubleValue());
        }
    }

    /** The id of a chain, in decimal if it is a number. */
    static final class ChainId implements Form<String> {

        private static final TextRule NUMBER =
                TextRule.matching("[0-9]{1,78}|0x[0-9a-fA-F]{1,64}", "the chain's id, a whole number");
        private static final TextRule TEXT =
                TextRule.matching("[\\x21-\\x7e]{1,128}", "the chain's id, a number or a text without spaces");

        @Override
        public String read(Binder binder, Block block, String name) {
            if (!block.look("kind").is(ETHEREUM)) {
                return block.setting(name).text(TEXT);
            }
            String text = block.setting(name).text(NUMBER);
            if (text.isEmpty()) {
                return text;
            }
            return text.startsWith("0x")
                    ? new BigInteger(text.substring(2), 16).toString()
                    : new BigInteger(text).toString();
        }

        @Override
        public String rule() {
            return TEXT.rule();
        }
    }

    /** The calls to nodes for a proof that nobody requires; negative if nothing passes without. */
    static final class ProofCalls extends MeaningForm<Integer> {

        private static final int OF_TWO_BLOCKS = 4;

        ProofCalls() {
            super(
                    TextRule.matching("refuse|pass|[0-9]{1,3}", "refuse, pass, or the calls of a proof: 0 to 999"),
                    true,
                    false,
                    text -> text == null || text.equals("pass")
                            ? OF_TWO_BLOCKS
                            : text.equals("refuse") ? -1 : Integer.parseInt(text));
        }
    }

    /** The name of a network, if there is one. */
    static final class DefaultNetwork extends MeaningForm<String> {

        DefaultNetwork() {
            super(NETWORK, false, false, text -> text == null ? "" : text);
        }
    }

    /** A number of upstreams, or all. */
    static final class Broadcast extends MeaningForm<Integer> {

        Broadcast() {
            super(
                    TextRule.matching("[1-9][0-9]{0,2}|all", "a whole number from 1 to 999, or all"),
                    true,
                    false,
                    text -> text == null ? 1 : text.equals("all") ? Integer.MAX_VALUE : Integer.parseInt(text));
        }
    }

    /** The URL of a Redis; empty if there is none. */
    static final class RedisUrl extends MeaningForm<String> {

        RedisUrl() {
            super(
                    new TextRule(
                            RedisUrl::isUrl,
                            "redis://host:port or rediss://host:port, with or without user:password@ before and /database behind"),
                    false,
                    true,
                    text -> text == null ? "" : text);
        }

        private static boolean isUrl(String text) {
            return Forms.isUrl(text, Set.of("redis", "rediss"))
                    && URI.create(text).getQuery() == null
                    && URI.create(text).getPath().matches("(/[0-9]{0,5})?");
        }
    }

    static final class CollectorUrl extends MeaningForm<String> {

        CollectorUrl() {
            super(
                    new TextRule(
                            CollectorUrl::isUrl,
                            "a URL without a user, such as \"http://127.0.0.1:4318/v1/traces\"; credentials belong in tracing.headers"),
                    false,
                    true,
                    text -> text);
        }

        private static boolean isUrl(String text) {
            return Forms.isUrl(text, Set.of("http", "https"))
                    && URI.create(text).getRawUserInfo() == null;
        }
    }

    static final class NodeUrl implements Form<URI> {

        private static final String RULE =
                "http://…, https://…, or a scheme that a plugin brings, such as devnet:default";
        private static final Pattern OPAQUE_PORT = Pattern.compile("[0-9]+(/.*)?");
        private static final URI NOWHERE = URI.create("none:wrong");

        @Override
        public @Nullable URI read(Binder binder, Block block, String name) {
            SettingValue url = block.setting(name).secret();
            if (url.isNull() && !block.look("ws-url").isNull()) {
                return null;
            }
            String rule = url.isNull() ? RULE + "; or a ws-url in its place" : RULE;
            String text = url.text(new TextRule(NodeUrl::isNodeUrl, rule));
            return text.isEmpty() ? NOWHERE : URI.create(text);
        }

        @Override
        public String rule() {
            return RULE;
        }

        private static boolean isNodeUrl(String text) {
            URI uri = uri(text);
            if (uri == null || uri.getScheme() == null) {
                return false;
            }
            return switch (uri.getScheme().toLowerCase(Locale.ROOT)) {
                case "http", "https" -> isUrl(text, Set.of("http", "https"));
                case "ws", "wss" -> false;
                // `localhost:8545` parses as a URL with the scheme `localhost`.
                default -> !OPAQUE_PORT.matcher(uri.getSchemeSpecificPart()).matches();
            };
        }
    }

    /** The URL of a node's WebSocket. */
    static final class SocketUrl extends MeaningForm<URI> {

        SocketUrl() {
            super(
                    new TextRule(text -> isUrl(text, Set.of("ws", "wss")), "ws://… or wss://…"),
                    false,
                    true,
                    text -> text == null ? null : URI.create(text));
        }
    }

    private static boolean isUrl(String text, Set<String> schemes) {
        URI uri = uri(text);
        return uri != null
                && uri.getScheme() != null
                && schemes.contains(uri.getScheme().toLowerCase(Locale.ROOT))
                && uri.getHost() != null
                && uri.getPort() != 0
                && uri.getPort() <= MAX_PORT
                && uri.getRawFragment() == null;
    }

    private static @Nullable URI uri(String text) {
        try {
            return new URI(text);
        } catch (URISyntaxException e) {
            return null;
        }
    }

    /** True or false, or a block, which means true and says how. */
    static final class FlagOrBlock implements Form<Boolean> {

        private static final String RULE = "true, false, or a block { … }";

        @Override
        public Boolean read(Binder binder, Block block, String name) {
            SettingValue value = block.setting(name);
            return value.isBlock() || value.flag(RULE);
        }

        @Override
        public String rule() {
            return RULE;
        }
    }

    /** The blocks of plugins, by id. They are checked when the plugins are known. */
    static final class OtherBlocks implements Form<Map<String, Config>> {

        @Override
        public Map<String, Config> read(Binder binder, Block block, String name) {
            Map<String, Config> others = new LinkedHashMap<>();
            block.otherBlocks().forEach((id, content) -> others.put(id, content.toConfig()));
            return Collections.unmodifiableMap(others);
        }

        @Override
        public String rule() {
            return "";
        }
    }

    /** A text that stands for something else. */
    abstract static class MeaningForm<T> extends TextForm<T> {

        private final Function<@Nullable String, @Nullable T> meaning;

        MeaningForm(TextRule rule, boolean required, boolean secret, Function<@Nullable String, @Nullable T> meaning) {
            super(rule, required, secret);
            this.meaning = meaning;
        }

        @Override
        protected @Nullable T of(@Nullable String text) {
            return meaning.apply(text);
        }
    }

    /** A list of texts that stand for something else. */
    abstract static class ListForm<T> implements Form<T> {

        private final TextRule rule;
        private final Function<List<String>, T> meaning;

        ListForm(TextRule rule, Function<List<String>, T> meaning) {
            this.rule = rule;
            this.meaning = meaning;
        }

        @Override
        public T read(Binder binder, Block block, String name) {
            return meaning.apply(block.setting(name).texts(rule));
        }

        @Override
        public String rule() {
            return rule.rule();
        }
    }
}
