package io.weir.transport.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ContentHeadersTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "gzip",
                "x-gzip",
                "GZIP ; Q=0.001",
                "br;q=1.0, gzip;q=0.8, *;q=0.1",
                "*",
                "*;q=0.5",
                "deflate, *;q=1.000",
                "identity;q=0, *",
                "gzip;q=0, x-gzip",
                "gzip, *;q=0",
                ", gzip,"
            })
    void gzipIsAllowed(String header) {
        assertThat(ContentHeaders.allowGzip(List.of(header))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "identity",
                "gzip;q=0",
                "gzip;q=0.000",
                "gzip;q=0, *",
                "*;q=0",
                "br, deflate",
                "identity;q=0",
                "gzip;q=2",
                "gzip;q=0.1234",
                "gzip;q=-1",
                "gzip;q=",
                "gzip;level=9",
                "gzip;q=1;x=y",
                "gzipped",
                "g zip"
            })
    void gzipIsNotAllowed(String header) {
        assertThat(ContentHeaders.allowGzip(List.of(header))).isFalse();
    }

    @Test
    void severalHeadersAreOneList() {
        assertThat(ContentHeaders.allowGzip(List.of())).isFalse();
        assertThat(ContentHeaders.allowGzip(List.of("br", "gzip"))).isTrue();
        assertThat(ContentHeaders.allowGzip(List.of("*", "gzip;q=0"))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/json",
                " Application/JSON ",
                "application/json;",
                "application/json;charset=utf-8",
                "application/json ; charset=\"UTF-8\" ; q=1",
                "application/json; charset=UTF8",
                "application/json-rpc",
                "application/jsonrequest"
            })
    void jsonInUtf8IsTaken(String type) {
        assertThat(ContentHeaders.isJson(List.of(type))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "text/plain",
                "application/jsonx",
                "application/json, text/plain",
                "application/json; charset=latin1",
                "application/json; charset=",
                "application/json; charset=\"",
                "application/json; a=b; CHARSET=utf-16",
                "application/x-www-form-urlencoded"
            })
    void anyOtherTypeIsNot(String type) {
        assertThat(ContentHeaders.isJson(List.of(type))).isFalse();
    }

    @Test
    void noTypeIsTakenAndTwoAreNot() {
        assertThat(ContentHeaders.isJson(List.of())).isTrue();
        assertThat(ContentHeaders.isJson(List.of("application/json", "application/json")))
                .isFalse();
    }

    @Test
    void oneEncodingIsKnownOrNone() {
        assertThat(ContentHeaders.isGzip(List.of(" X-Gzip "))).isTrue();
        assertThat(ContentHeaders.isGzip(List.of("gzip", "gzip"))).isFalse();
        assertThat(ContentHeaders.isPlain(List.of())).isTrue();
        assertThat(ContentHeaders.isPlain(List.of("Identity"))).isTrue();
        assertThat(ContentHeaders.isPlain(List.of("br"))).isFalse();
        assertThat(ContentHeaders.isPlain(List.of("identity", "identity"))).isFalse();
    }
}
