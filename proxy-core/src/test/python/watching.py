"""A user of web3.py who watches blocks and logs over WebSocket. Usage: python3 watching.py ws://... CONTROL

Says a line of JSON for each step, as the scripts of ../npm do.
"""

import asyncio
import json
import sys
import urllib.request

from eth_account import Account
from web3 import AsyncWeb3, WebSocketProvider
from web3.exceptions import Web3RPCError

ROUNDS = 10
LOGGING_CODE = "0x60015f5fa100"
TOPIC = "0x" + "1".rjust(64, "0")
MNEMONIC = "test test test test test test test test test test test junk"


def saw(step, value):
    print(json.dumps({"step": step, "value": value}), flush=True)


async def failover(control):
    answer = await asyncio.to_thread(lambda: urllib.request.urlopen(control + "/failover").read())
    return int(answer)


async def watch(w3, watched, heads, logs):
    async for message in w3.socket.process_subscriptions():
        if message["subscription"] == heads:
            watched["blocks"].append(message["result"]["number"])
        elif message["subscription"] == logs:
            watched["logs"].append(message["result"]["transactionHash"].to_0x_hex())


async def main(url, control):
    Account.enable_unaudited_hdwallet_features()
    account = Account.from_mnemonic(MNEMONIC)
    watched = {"blocks": [], "logs": []}
    async with AsyncWeb3(WebSocketProvider(url)) as w3:
        heads = await w3.eth.subscribe("newHeads")
        logs = await w3.eth.subscribe("logs", {"topics": [TOPIC]})
        watching = asyncio.create_task(watch(w3, watched, heads, logs))
        sent = []
        for _ in range(ROUNDS):
            mined = await failover(control)
            nonce = await w3.eth.get_transaction_count(account.address)
            price = await w3.eth.gas_price
            signed = account.sign_transaction(
                {"nonce": nonce, "gas": 100000, "gasPrice": 2 * price, "data": LOGGING_CODE, "value": 0, "chainId": 31337}
            )
            try:
                sent_hash = await w3.eth.send_raw_transaction(signed.raw_transaction)
            except Web3RPCError as error:
                head = await w3.eth.block_number
                now = await w3.eth.get_transaction_count(account.address)
                error.add_note(f"nonce {nonce}, then {now} at {head}; mined up to {mined}; sent before: {sent[-1:]}")
                raise
            receipt = await w3.eth.wait_for_transaction_receipt(sent_hash, timeout=20)
            sent.append({"hash": receipt["transactionHash"].to_0x_hex(), "block": receipt["blockNumber"]})
        head = await failover(control)
        for _ in range(600):
            if head in watched["blocks"] and len(watched["logs"]) >= ROUNDS:
                break
            await asyncio.sleep(0.05)
        watching.cancel()
        saw("sent", sent)
        saw("head", head)
        saw("blocks", watched["blocks"])
        saw("logs", watched["logs"])


asyncio.run(main(sys.argv[1], sys.argv[2]))
