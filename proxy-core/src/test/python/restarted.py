"""A user of web3.py who watches blocks over WebSocket while the proxy restarts. Usage: python3 restarted.py ws://... CONTROL

Says a line of JSON for each step, as the scripts of ../npm do.
"""

import asyncio
import json
import sys
import urllib.request

from web3 import AsyncWeb3, WebSocketProvider
from websockets.exceptions import ConnectionClosed


def saw(step, value):
    print(json.dumps({"step": step, "value": value}), flush=True)


async def ask(control, what):
    answer = await asyncio.to_thread(lambda: urllib.request.urlopen(control + "/" + what).read())
    return int(answer)


async def watch(url, blocks, opened):
    """Reads heads, and connects again whenever it hears that the connection was lost. Ends without an exception if it does not."""
    while True:
        try:
            async with AsyncWeb3(WebSocketProvider(url)) as w3:
                await w3.eth.subscribe("newHeads")
                opened.put_nowait(len(blocks))
                async for message in w3.socket.process_subscriptions():
                    blocks.append(message["result"]["number"])
            return
        except ConnectionClosed:
            pass


async def main(url, control):
    blocks = []
    opened = asyncio.Queue()
    watching = asyncio.create_task(watch(url, blocks, opened))
    await opened.get()
    await ask(control, "restart")
    again = asyncio.create_task(opened.get())
    await asyncio.wait([watching, again], timeout=30, return_when=asyncio.FIRST_COMPLETED)
    saw("reconnected", again.done())
    head = await ask(control, "mine")
    for _ in range(600 if again.done() else 0):
        if head in blocks:
            break
        await asyncio.sleep(0.05)
    watching.cancel()
    again.cancel()
    saw("head", head)
    saw("blocks", blocks)


asyncio.run(main(sys.argv[1], sys.argv[2]))
