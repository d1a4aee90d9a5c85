"""A session of a user of starknet.py, with an account of their own. Usage: python session.py http://… http://…

The first URL is the proxy's, the second a node's own, for what only development nodes have.
"""

import asyncio
import json
import secrets
import sys
import urllib.request

from starknet_py.hash.address import compute_address
from starknet_py.hash.selector import get_selector_from_name
from starknet_py.net.account.account import Account
from starknet_py.net.client_models import Call
from starknet_py.net.full_node_client import FullNodeClient
from starknet_py.net.models.chains import StarknetChainId
from starknet_py.net.signer.key_pair import KeyPair

# OpenZeppelin's account 1.0.0, which the node declares at its start.
CLASS_HASH = 0x05B4B537EAA2399E3AA99C4E2E0208EBD6C71BC1467938CD52C798C601E43564
TOKEN = 0x04718F5A0FC34CC1AF16A1CDEE98FFB20C31F5CD61D6AB07201858F4287C938D
RECEIVER = 0x4321
ROUNDS = 4


def call_node(url, method, params):
    """Calls a node without a client's help, for what clients do not know."""
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
    request = urllib.request.Request(url, body, {"content-type": "application/json"})
    answer = json.load(urllib.request.urlopen(request))
    if "error" in answer:
        raise RuntimeError(f"{method}: {answer['error']}")
    return answer["result"]


class Session:
    """Steps that are run one after the other, and what failed."""

    def __init__(self):
        self.steps = 0
        self.failures = []
        self.heads = []

    async def step(self, name, attempt):
        """Runs a step. What it returns must hold."""
        self.steps += 1
        try:
            if not await attempt():
                self.failures.append(f"{name}: not as expected")
        except Exception as error:  # the Java side judges what failed
            self.failures.append(f"{name}: {str(error)[:300]}")


def transfer(amount):
    return Call(TOKEN, get_selector_from_name("transfer"), [RECEIVER, amount, 0])


async def main(proxy_url, node_url):
    session = Session()
    step = session.step
    keys = KeyPair.from_private_key(secrets.randbelow(2**250) + 1)
    address = compute_address(class_hash=CLASS_HASH, constructor_calldata=[keys.public_key], salt=keys.public_key)
    call_node(node_url, "devnet_mint", {"address": hex(address), "amount": 10**20, "unit": "FRI"})
    client = FullNodeClient(node_url=proxy_url)
    account = Account(address=address, client=client, key_pair=keys, chain=StarknetChainId.SEPOLIA)
    known = {}

    async def head():
        session.heads.append(await client.get_block_number())
        return session.heads[-1]

    async def seen():
        """Waits until the proxy has seen a block that was not made through it."""
        number = call_node(node_url, "starknet_blockNumber", [])
        for _ in range(100):
            if await client.get_block_number() >= number:
                return
            await asyncio.sleep(0.1)

    async def balance(owner, **block):
        words = await client.call_contract(Call(TOKEN, get_selector_from_name("balance_of"), [owner]), **block)
        return words[0] + (words[1] << 128)

    async def accepted(transaction_hash):
        receipt = await client.wait_for_tx(transaction_hash, check_interval=0.2)
        known["receipt"] = receipt
        return receipt.execution_status.value == "SUCCEEDED"

    async def deploy():
        result = await Account.deploy_account_v3(
            address=address,
            class_hash=CLASS_HASH,
            salt=keys.public_key,
            key_pair=keys,
            client=client,
            constructor_calldata=[keys.public_key],
            auto_estimate=True,
        )
        return await accepted(result.hash)

    async def send(*calls):
        sent = await account.execute_v3(list(calls), auto_estimate=True)
        known["hash"] = sent.transaction_hash
        return await accepted(sent.transaction_hash)

    async def error_of_a_contract():
        try:
            await client.call_contract(Call(TOKEN, get_selector_from_name("no_such_function"), []))
            return False
        except Exception as error:
            return "ntry" in str(error)

    async def is_true(value, test):
        return test(await value)

    await seen()
    await step("chain id", lambda: is_true(client.get_chain_id(), lambda one: int(one, 16) == StarknetChainId.SEPOLIA))
    await step("spec version", lambda: is_true(client.spec_version(), lambda one: one.startswith("0.")))
    await step("block number", lambda: is_true(head(), lambda one: one >= 0))
    await step("newest block", lambda: is_true(client.get_block_hash_and_number(), lambda one: one.block_number >= session.heads[0]))
    await step("syncing", lambda: is_true(client.get_syncing_status(), lambda one: one is False))
    await step("balance before", lambda: is_true(balance(address), lambda one: one > 0))
    await step("deployment", deploy)
    await step("class hash", lambda: is_true(client.get_class_hash_at(address), lambda one: one == CLASS_HASH))
    await step("class", lambda: is_true(client.get_class_at(address), lambda one: one is not None))
    await step("class by hash", lambda: is_true(client.get_class_by_hash(CLASS_HASH), lambda one: one is not None))
    await step("nonce", lambda: is_true(account.get_nonce(), lambda one: one == 1))
    start = await balance(RECEIVER)
    for number in range(1, ROUNDS + 1):
        await step(f"transfer {number}", lambda: send(transfer(number)))
        await step(f"head {number}", lambda: is_true(head(), lambda one: one >= session.heads[-2]))
        total = number * (number + 1) // 2
        await step(f"balance {number}", lambda: is_true(balance(RECEIVER), lambda one: one - start == total))
    await step("two calls in one transaction", lambda: send(transfer(5), transfer(6)))
    receipt = known["receipt"]
    block = receipt.block_number
    await step("receipt", lambda: is_true(client.get_transaction_receipt(known["hash"]), lambda one: len(one.events) >= 2))
    await step("transaction", lambda: is_true(client.get_transaction(known["hash"]), lambda one: one.sender_address == address))
    await step("status", lambda: is_true(client.get_transaction_status(known["hash"]), lambda one: one.finality_status.value.startswith("ACCEPTED_ON_")))
    await step("trace", lambda: is_true(client.trace_transaction(known["hash"]), lambda one: one.execute_invocation is not None))
    await step("block", lambda: is_true(client.get_block(block_number=block), lambda one: len(one.transactions) > 0))
    await step("block with hashes", lambda: is_true(client.get_block_with_tx_hashes(block_number=block), lambda one: known["hash"] in one.transactions))
    await step("block with receipts", lambda: is_true(client.get_block_with_receipts(block_number=block), lambda one: len(one.transactions) > 0))
    await step("number of transactions", lambda: is_true(client.get_block_transaction_count(block_hash=receipt.block_hash), lambda one: one > 0))
    await step("transaction by place", lambda: is_true(client.get_transaction_by_block_id(block_number=block, index=0), lambda one: one is not None))
    await step("state update", lambda: is_true(client.get_state_update(block_number=block), lambda one: one.state_diff is not None))
    await step("events", lambda: is_true(client.get_events(address=TOKEN, from_block_number=block, to_block_number=block, chunk_size=10), lambda one: len(one.events) >= 2))
    await step("balance of an earlier block", lambda: is_true(balance(RECEIVER, block_number=block - 1), lambda one: one - start == ROUNDS * (ROUNDS + 1) // 2))
    await step("an error of a contract", error_of_a_contract)
    await step("final balance", lambda: is_true(balance(RECEIVER), lambda one: one - start == ROUNDS * (ROUNDS + 1) // 2 + 11))
    truth = call_node(node_url, "starknet_blockNumber", [])
    value = {"steps": session.steps, "failures": session.failures, "heads": session.heads, "truth": truth}
    print(json.dumps({"step": "session", "value": value}), flush=True)


asyncio.run(main(*sys.argv[1:3]))
