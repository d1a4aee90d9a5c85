package io.weir.devnet;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.api.setting.Binder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class DevnetSettingsTest {

    @Test
    void everySettingIsDescribedForOperatorsWithItsDefault() throws IOException {
        Map<String, String> defaults = new TreeMap<>();
        Binder.defaults(DevnetPlugin.Settings.class)
                .forEach((name, value) -> defaults.put(name, value.unwrapped().toString()));

        Map<String, String> described = new TreeMap<>();
        Pattern.compile("(?m)^\\| `([a-z-]+)` \\| `([^`]+)` \\| .+ \\| .+ \\|$")
                .matcher(Files.readString(Path.of("README.md")))
                .results()
                .forEach(row -> described.put(row.group(1), row.group(2)));
        assertThat(described).containsExactlyInAnyOrderEntriesOf(defaults);
    }
}
