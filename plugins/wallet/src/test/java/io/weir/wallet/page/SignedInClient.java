package io.weir.wallet.page;

import io.weir.api.AdminPage.Response;
import io.weir.wallet.approval.ApprovalFixture;
import java.util.Map;

/** A person who has signed in at a page, without a browser. Confined to one thread. */
final class SignedInClient {
    private final PageClient client;
    private final String cookie;

    private SignedInClient(PageClient client, String cookie) {
        this.client = client;
        this.cookie = cookie;
    }

    static SignedInClient of(ApprovalsPage page) {
        PageClient client = new PageClient(page);
        return new SignedInClient(client, client.signedIn(ApprovalFixture.CREDENTIAL));
    }

    /** The path of the session. */
    String path() {
        return "/plugins/wallet/approvals/" + PageClient.session(cookie);
    }

    Response get(String subPath, Map<String, String> query) {
        return client.get(subPath, cookie, query);
    }

    /** The text of a page, without its tags. */
    String read(String subPath, Map<String, String> query) {
        return PageClient.text(get(subPath, query)).replaceAll("<[^>]+>", " ").replaceAll("\\s+", " ");
    }

    Response decide(String id, String decision) {
        return client.decide(cookie, client.token(cookie), id, decision);
    }
}
