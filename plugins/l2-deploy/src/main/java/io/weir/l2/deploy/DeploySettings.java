package io.weir.l2.deploy;

import io.weir.api.setting.About;
import io.weir.api.setting.Setting;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The settings of the layer-2 deployments. Immutable. */
record DeploySettings(
        @About("Prefix of the method's name.") @Setting(value = "l2net", pattern = PREFIX, rule = PREFIX_RULE)
        String methodPrefix,

        @About("Further prefixes of the same method, such as `starknet`, which real clients use.")
        @Setting(value = "[]", pattern = PREFIX, rule = PREFIX_RULE)
        List<String> aliases,

        @About("The method's name at the nodes.")
        @Setting(
                value = "starknet_addDeployAccountTransaction",
                pattern = "\\S{1,200}",
                rule = "a method's name, without spaces")
        String upstreamMethod,

        @About(
                "Destinations of transactions with single hex strings as `resource_bounds`, which most nodes refuse. Maps the network of "
                        + "the call to a network of the same chain, all of whose nodes take them. They pass unchanged. Without an entry they go to "
                        + "the nodes of their own network.")
        @Setting(value = "{}", pattern = "\\S{1,200}", rule = "a network's name")
        Map<String, String> bareBounds) {

    private static final String METHOD = "_addDeployAccountTransaction";
    static final String PREFIX = "[A-Za-z][A-Za-z0-9]{0,31}";
    static final String PREFIX_RULE = "a letter, then up to 31 letters and digits";

    /** Returns the names that the method is served under. */
    Set<String> methods() {
        Set<String> names = new LinkedHashSet<>();
        names.add(methodPrefix + METHOD);
        aliases.forEach(alias -> names.add(alias + METHOD));
        return names;
    }
}
