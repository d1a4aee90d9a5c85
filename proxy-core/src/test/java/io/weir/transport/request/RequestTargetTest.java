package io.weir.transport.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.transport.request.RequestTarget.MalformedTargetException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestTargetTest {

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "/, false, -, false, -",
                "/?v3/key, false, -, false, -",
                "/ws, true, -, false, -",
                "/ws/, true, -, false, -",
                "/v3, false, -, true, -",
                "/v3/, false, -, true, -",
                "/v3/key, false, -, true, key",
                "/v3/key/?a=b/c, false, -, true, key",
                "/v3/key?%4g&%g4&%80&%4, false, -, true, key",
                "/v3/v3, false, -, true, v3",
                "/v3/ws, false, -, true, ws",
                "/v3/a%2Fb%c3%Bc+, false, -, true, a/bü+",
                "/ws/v3, true, -, true, -",
                "/ws/v3/key, true, -, true, key",
                "/main, false, main, false, -",
                "/main/ws, true, main, false, -",
                "/main/v3, false, main, true, -",
                "/main/v3/key, false, main, true, key",
                "/main/ws/v3/key, true, main, true, key",
                "/m%61in/v3/key, false, main, true, key",
                // Marks are marks only as they stand.
                "/v%33/v3/key, false, v3, true, key",
                "/%77s, false, ws, false, -",
            })
    void aPathNamesProtocolNetworkAndKey(String uri, boolean webSocket, String network, boolean keyed, String key)
            throws Exception {
        assertThat(RequestTarget.parse(uri)).isEqualTo(new RequestTarget(webSocket, network, keyed, key));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "//",
                "//v3/key",
                "/main//v3/key",
                "/v3/key//",
                "/v3/key/more",
                "/main/more",
                "/main/v3/key/more",
                "/ws/main/v3/key",
                "/main/main/v3/key",
                "/a/../v3/key",
                "/ws/ws",
                "/v3/a/b"
            })
    void otherPathsAreNotServed(String uri) throws Exception {
        assertThat(RequestTarget.parse(uri)).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "v3/secret",
                "http://host/v3/secret",
                "*",
                "/v3/secret%",
                "/v3/secret%4",
                "/v3/secret%4g",
                "/v3/secret%-1",
                "/v3/secret%ff",
                "/v3/secret%c3",
                "/v3/secret%ed%a0%80",
                "/v3/secret%c0%af",
                "/v3/secret#x",
                "/v3/secretü",
                "/v3/secret\u0001",
                "/v3/secret%\uff11\uff11",
                "/na me/v3/secret",
                "/v3/secret%00",
                "/v3/secret%1F/more/than/that",
                "/v3/secret%7f",
                "/v3/secret%c2%85",
                "/v3/secret?%0a",
                "/v3/secret?%7F",
                "/v3/secret?\u0000",
                "/v3/secret?a=\u0001",
                "/v3/secret?a=\u007f",
                "/v3/secret?a=\u00e4",
                "/v3/secret/more/\t"
            })
    void brokenTargetsAreRejectedWithoutRepeatingThem(String uri) {
        assertThatThrownBy(() -> RequestTarget.parse(uri))
                .isInstanceOf(MalformedTargetException.class)
                .message()
                .doesNotContain("secret");
    }

    @Test
    void itsTextLeavesTheKeyOut() throws Exception {
        assertThat(RequestTarget.parse("/main/ws/v3/secret")).asString().doesNotContain("secret");
    }
}
