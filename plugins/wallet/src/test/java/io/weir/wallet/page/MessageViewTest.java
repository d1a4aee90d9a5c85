package io.weir.wallet.page;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class MessageViewTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String ORDER = """
        {"types":{
          "StarknetDomain":[{"name":"name","type":"shortstring"},{"name":"chainId","type":"shortstring"}],
          "Order":[{"name":"maker","type":"ContractAddress"},{"name":"items","type":"Item*"},{"name":"until","type":"timestamp"}],
          "Item":[{"name":"label","type":"string"},{"name":"price","type":"u256"}]},
         "primaryType":"Order",
         "domain":{"name":"market","chainId":"CHAIN","revision":"1"},
         "message":{"maker":"0x7","items":[{"label":"<b>a\\u2800b","price":{"low":"0x10","high":"0x1"}}],"until":"1700000000"}}
        """;

    private static String write(String typedData, String chain) {
        MessageView message = new MessageView(JSON.readTree(typedData));
        return new String(Html.of("message", Map.of("message", message, "chain", chain)), UTF_8);
    }

    private static String element(String html, String id) {
        return html.replaceAll("(?s).*id=\"" + id + "\"[^>]*>(.*?)</(?:p|div|pre)>.*", "$1");
    }

    private static String plain(String html) {
        return html.replaceAll("<[^>]+>", " ").replaceAll("\\s+", " ").strip();
    }

    @Test
    void theMessageComesFirstWithNamesAndTypesAndTheTypesAreFolded() {
        String html = write(ORDER.replace("CHAIN", "SN_SEPOLIA"), "SN_SEPOLIA");
        assertThat(html).containsSubsequence("id=\"message\"", "id=\"domain\"", "<details>", "id=\"typed-data\"");
        String message = html.substring(html.indexOf("id=\"message\"") + 30, html.indexOf("<h3>"));
        assertThat(plain(message))
                .isEqualTo("Order maker ContractAddress 0x7 items Item* [0] label string &lt;b&gt;a[U+2800]b"
                        + " price u256 340282366920938463463374607431768211472 low u128 0x10 high u128 0x1"
                        + " until timestamp 1700000000 = 2023-11-14T22:13:20Z");
        assertThat(plain(element(html, "domain")))
                .isEqualTo("name shortstring market chainId shortstring SN_SEPOLIA revision 1");
    }

    @Test
    void theChainOfTheMessageIsShownByName() {
        assertThat(element(write(ORDER.replace("CHAIN", "0x534e5f5345504f4c4941"), "SN_SEPOLIA"), "message-chain"))
                .isEqualTo("For the chain SN_SEPOLIA (0x534e5f5345504f4c4941).");
        assertThat(element(write(ORDER.replace("CHAIN", "SN_MAIN"), "SN_SEPOLIA"), "message-chain"))
                .isEqualTo("For the chain SN_MAIN, which is not that of the call.");
        String html = write(ORDER.replace(",\"chainId\":\"CHAIN\"", ""), "SN_SEPOLIA");
        assertThat(element(html, "message-chain")).isEqualTo("It names no chain: it is good on every one.");
        assertThat(html).contains("<p id=\"message-chain\" class=\"notice\">");
    }

    @Test
    void aMessageThatIsNoneIsShownWhole() {
        assertThat(plain(write("{\"primaryType\":\"X\",\"message\":\"y\"}", "SN_SEPOLIA")))
                .contains("X y");
        String deep = "{\"a\":".repeat(200) + "\"end\"" + "}".repeat(200);
        assertThat(write("{\"message\":" + deep + "}", "SN_SEPOLIA")).contains("&quot;end&quot;");
    }
}
