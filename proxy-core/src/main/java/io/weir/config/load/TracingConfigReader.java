package io.weir.config.load;

import io.weir.config.TracingConfig;
import io.weir.config.setting.Block;
import io.weir.config.setting.TextRule;
import java.net.URI;
import java.net.URISyntaxException;

/** Reader of {@code tracing}. */
final class TracingConfigReader {

    private static final TextRule URL = new TextRule(
            TracingConfigReader::isUrl,
            "a URL without a user, such as \"http://127.0.0.1:4318/v1/traces\"; credentials belong in tracing.headers");
    private static final TextRule NAME = TextRule.matching("[\\x21-\\x7e]{1,128}", "a name without spaces");

    private TracingConfigReader() {}

    static TracingConfig read(Block tracing) {
        TracingConfig config = new TracingConfig(
                tracing.setting("endpoint").secret().textOrNull(URL),
                NetworkConfigReader.share(tracing.setting("sample")),
                UpstreamConfigReader.headers(tracing.block("headers")),
                tracing.setting("service-name").text(NAME));
        tracing.end();
        return config;
    }

    private static boolean isUrl(String text) {
        try {
            URI url = new URI(text);
            boolean http = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
            return http && url.getHost() != null && url.getRawUserInfo() == null;
        } catch (URISyntaxException e) {
            return false;
        }
    }
}
