package io.weir.l2.deploy.intake;

import io.weir.api.RpcException;
import io.weir.l2.Felt;
import io.weir.l2.FeltJson;
import io.weir.l2.deploy.intake.Deployment.Payment;
import io.weir.l2.transaction.DataAvailability;
import io.weir.l2.transaction.ResourceBounds;
import java.math.BigInteger;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads deployments of accounts out of parameters, given by name or by position. Immutable and thread-safe. */
public final class DeploymentReader {
    /** The one parameter. */
    public static final String PARAMETER = "deploy_account_transaction";

    private static final BigInteger VERSION = BigInteger.valueOf(3);
    private static final BigInteger QUERY = BigInteger.ONE.shiftLeft(128);
    private static final int TIP_BITS = 64;
    private static final List<String> MODES = List.of("L1", "L2");
    private static final List<String> TYPES = List.of("DEPLOY_ACCOUNT");
    private static final String VERSION_RULE = "\"0x3\", or the same with the query bit";

    /** The length of a transaction's arrays. The address takes up to a tenth of a millisecond for each element of the constructor's. */
    private static final int MOST_ELEMENTS = 1000;

    private final int mostElements;

    /** Makes a reader. */
    public DeploymentReader() {
        this(MOST_ELEMENTS);
    }

    DeploymentReader(int mostElements) {
        this.mostElements = mostElements;
    }

    /**
     * Reads one.
     *
     * @throws RpcException that says of all wrong fields what they should be
     */
    public Deployment read(JsonNode params) {
        Problems problems = new Problems();
        JsonNode given = parameter(params, problems);
        if (given.isObject()) {
            Deployment deployment = deployment((ObjectNode) given, problems);
            if (problems.none()) {
                return deployment;
            }
        } else if (problems.none()) {
            problems.add(PARAMETER, "an object: the transaction", given);
        }
        throw problems.refusal();
    }

    private static JsonNode parameter(JsonNode params, Problems problems) {
        if (params.isArray()) {
            if (params.size() > 1) {
                problems.add("params", "one parameter: " + PARAMETER, params);
            }
            return params.isEmpty() ? MissingNode.getInstance() : params.path(0);
        }
        for (String name : params.propertyNames()) {
            if (!name.equals(PARAMETER)) {
                problems.add("params." + Problems.cut(name), "one parameter: " + PARAMETER, params.path(name));
            }
        }
        return params.path(PARAMETER);
    }

    private Deployment deployment(ObjectNode given, Problems problems) {
        FieldReader fields = new FieldReader(PARAMETER, given, problems);
        ObjectNode normal = given.objectNode();
        normal.put("type", fields.word("type", TYPES));
        boolean query = query(fields);
        normal.put("version", BoundsReader.hex(query ? QUERY.add(VERSION) : VERSION));
        normal.set("signature", FeltJson.hexes(fields.felts("signature", mostElements, true)));
        Felt nonce = felt(fields, "nonce", normal);
        Felt salt = felt(fields, "contract_address_salt", normal);
        Felt classHash = felt(fields, "class_hash", normal);
        List<Felt> calldata = felts(fields, "constructor_calldata", normal);
        BoundsReader.Reading bounds = new BoundsReader(problems).read(fields);
        normal.set(BoundsReader.NAME, bounds.normal());
        BigInteger tip = fields.number("tip", TIP_BITS);
        normal.put("tip", BoundsReader.hex(tip));
        List<Felt> paymasterData = felts(fields, "paymaster_data", normal);
        DataAvailability nonceMode = mode(fields, "nonce_data_availability_mode", normal);
        DataAvailability feeMode = mode(fields, "fee_data_availability_mode", normal);
        fields.onlyThese(List.copyOf(normal.propertyNames()));
        ResourceBounds known = bounds.bounds();
        Payment payment =
                known == null ? null : new Payment(nonce, tip, known, List.copyOf(paymasterData), nonceMode, feeMode);
        return new Deployment(normal, query, classHash, salt, calldata, payment);
    }

    /** Whether the version is that of a query; notes one that is not 3. */
    private static boolean query(FieldReader fields) {
        BigInteger version = FieldReader.hex(fields.get("version"));
        boolean query = version != null && version.testBit(QUERY.bitLength() - 1);
        if (version == null || !(query ? version.subtract(QUERY) : version).equals(VERSION)) {
            fields.wrong("version", VERSION_RULE);
        }
        return query;
    }

    private static Felt felt(FieldReader fields, String name, ObjectNode normal) {
        Felt felt = fields.felt(name);
        normal.put(name, felt.toHex());
        return felt;
    }

    private List<Felt> felts(FieldReader fields, String name, ObjectNode normal) {
        List<Felt> felts = fields.felts(name, mostElements, false);
        normal.set(name, FeltJson.hexes(felts));
        return felts;
    }

    private static DataAvailability mode(FieldReader fields, String name, ObjectNode normal) {
        String mode = fields.word(name, MODES);
        normal.put(name, mode);
        return DataAvailability.valueOf(mode);
    }
}
