package io.weir.transport.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MediaTypesTest {

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
        assertThat(MediaTypes.isJson(List.of(type))).isTrue();
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
    void anythingElseIsNot(String type) {
        assertThat(MediaTypes.isJson(List.of(type))).isFalse();
    }

    @Test
    void noneIsTakenAndTwoAreNot() {
        assertThat(MediaTypes.isJson(List.of())).isTrue();
        assertThat(MediaTypes.isJson(List.of("application/json", "application/json")))
                .isFalse();
    }
}
