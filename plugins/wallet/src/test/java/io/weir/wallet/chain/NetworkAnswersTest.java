package io.weir.wallet.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.api.RpcException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

class NetworkAnswersTest {

    private static NetworkStatus status(String json) {
        return NetworkStatus.read(JsonMapper.builder().build().readTree(json.replace('\'', '"')));
    }

    @ParameterizedTest
    @CsvSource({
        "RECEIVED,RECEIVED",
        "CANDIDATE,RECEIVED",
        "PRE_CONFIRMED,PENDING",
        "ACCEPTED_ON_L2,ACCEPTED_ON_L2",
        "ACCEPTED_ON_L1,ACCEPTED_ON_L2",
        "REJECTED,REJECTED"
    })
    void finalityOfAllVersionsIsOneOfFour(String finality, NetworkStatus.Stage stage) {
        assertThat(status("{'finality_status':'" + finality + "'}").stage()).isEqualTo(stage);
    }

    @Test
    void whatWasUndoneIsInABlockWithTheReason() {
        NetworkStatus status = status(
                "{'finality_status':'ACCEPTED_ON_L2','execution_status':'REVERTED','failure_reason':'no money'}");
        assertThat(status).isEqualTo(new NetworkStatus(NetworkStatus.Stage.ACCEPTED_ON_L2, "no money"));
        assertThat(status("{'finality_status':'ACCEPTED_ON_L2','execution_status':'SUCCEEDED'}")
                        .failureReason())
                .isNull();
    }

    @Test
    void aStatusThatNobodyKnowsIsNone() {
        assertThatThrownBy(() -> status("{'finality_status':'LOST'}")).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "0.7.1,false,",
        "0.8.0,true,pending",
        "0.9.0-rc.2,true,pre_confirmed",
        "0.10.3,true,pre_confirmed",
        "1.0.0,false,",
        "0.11.0,false,"
    })
    void versionsFromEightToTenAreSpoken(String text, boolean spoken, String tag) {
        L2Client.SpecVersion version = L2Client.SpecVersion.parse(text);
        assertThat(version.isSpoken()).isEqualTo(spoken);
        if (spoken) {
            assertThat(version.pendingTag()).isEqualTo(tag);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "20,true",
        "52,true",
        "54,true",
        "59,true",
        "63,true",
        "-32602,true",
        "-32601,true",
        "-32603,false",
        "-32000,false",
        "-32005,false",
        "1001,false"
    })
    void onlyANodesOwnNoIsARefusal(int code, boolean refusal) {
        assertThat(NodeError.isRefusal(new RpcException(code, "no"))).isEqualTo(refusal);
    }

    @Test
    void chainIdsAreShownAsTextWhereTheyAreText() {
        assertThat(new L2Network("a", L2Networks.parse("SN_MAIN")).chainIdText())
                .isEqualTo("SN_MAIN");
        assertThat(new L2Network("a", L2Networks.parse("0x534e5f4d41494e")).chainIdText())
                .isEqualTo("SN_MAIN");
        assertThat(new L2Network("a", L2Networks.parse("7")).chainIdText()).isEqualTo("0x7");
    }
}
