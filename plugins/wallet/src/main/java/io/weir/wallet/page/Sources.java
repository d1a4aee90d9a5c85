package io.weir.wallet.page;

import io.weir.wallet.send.Remedies;
import io.weir.wallet.state.AccountTable;
import io.weir.wallet.token.TokenReader;

/** The parts of a started wallet that the pages read. Immutable. */
public record Sources(Remedies remedies, TokenReader tokens, AccountTable accounts, DecisionHistory decisions) {}
