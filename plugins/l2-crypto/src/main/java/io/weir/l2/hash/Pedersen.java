package io.weir.l2.hash;

import io.weir.l2.Felt;
import io.weir.l2.curve.StarkCurve;
import java.util.List;
import org.bouncycastle.math.ec.ECPoint;

/** The Pedersen hash on the Stark curve: of older typed data, of addresses. Thread-safe. */
public final class Pedersen {
    /** The network's five constant points: the first is where every sum begins, then two for each input. */
    private static final ECPoint SHIFT = StarkCurve.point(
            "049ee3eba8c1600700ee1b87eb599f16716b0b1022947733551fde4050ca6804",
            "03ca0cfe4b3bc6ddf346d49d06ea0ed34e621062c0e056c1d0405d266e10268a");

    private static final PointTable LEFT = new PointTable(
            StarkCurve.point(
                    "0234287dcbaffe7f969c748655fca9e58fa8120b6d56eb0c1080d17957ebe47b",
                    "03b056f100f96fb21e889527d41f4e39940135dd7a6c94cc6ed0268ee89e5615"),
            StarkCurve.point(
                    "04fa56f376c83db33f9dab2656558f3399099ec1de5e3018b7a6932dba8aa378",
                    "03fa0984c931c9e38113e0c0e47e4401562761f92a7a23b45168f4e80ff5b54d"));

    private static final PointTable RIGHT = new PointTable(
            StarkCurve.point(
                    "04ba4cc166be8dec764910f75b45f74b40c690c74709e90f3aa372f0bd2d6997",
                    "0040301cf5c1751f4b971e46c4ede85fcac5c59a5ce5ae7c48151f27b24b219c"),
            StarkCurve.point(
                    "054302dcb0e6cc1c6e44cca8f61a63bb2ca65048d53fb325d36ff12c49a58202",
                    "01b77b3e37d13504b348046268d8ae25ce98ad783c25561a879dcc77e99c2426"));

    private Pedersen() {}

    /** The hash of two felts. */
    public static Felt hash(Felt left, Felt right) {
        PointSum sum = new PointSum(SHIFT);
        LEFT.addTo(sum, left);
        RIGHT.addTo(sum, right);
        return sum.plainX();
    }

    /** The hash of a list: a chain from 0 over its elements, closed by their number. */
    public static Felt hashMany(List<Felt> elements) {
        Felt chain = Felt.ZERO;
        for (Felt element : elements) {
            chain = hash(chain, element);
        }
        return hash(chain, Felt.of(elements.size()));
    }
}
