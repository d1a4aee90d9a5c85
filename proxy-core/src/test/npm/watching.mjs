// What the scripts share whose clients watch blocks and logs while nodes are lost.
import { saw } from './steps.mjs'

/** How many nodes are lost, one after another. */
export const ROUNDS = 10

/** Init code that writes one log with topic 1: log1(0, 0, 1). */
export const LOGGING_CODE = '0x60015f5fa100'

export const TOPIC = '0x' + '1'.padStart(64, '0')

/** Cuts the connections to the node in use; blocks are mined that no client asked for. Returns the number of the newest one. */
async function failover(control) {
  return Number(await (await fetch(`${control}/failover`)).text())
}

const pause = (millis) => new Promise((done) => setTimeout(done, millis))

/** Some clients do not say when their subscriptions are open. Sends transactions until a log is seen. */
async function awaitSubscriptions(watched, send) {
  const sent = []
  for (let i = 0; i < 100 && watched.logs.length === 0; i++) {
    if (i % 10 === 0) sent.push(await send(LOGGING_CODE))
    await pause(100)
  }
  return sent
}

/**
 * Loses a node in each round and sends a transaction that writes a log.
 *
 * @param send sends a transaction and returns the number and the hash of its mined form
 * @param watched the numbers of the blocks and the transaction hashes of the logs seen so far
 * @param more mines a block and returns its number, for clients that look for logs once after each block
 */
export async function watchThroughFailovers(control, watched, send, more = null) {
  const sent = await awaitSubscriptions(watched, send)
  for (let round = 0; round < ROUNDS; round++) {
    await failover(control)
    sent.push(await send(LOGGING_CODE))
  }
  let head = await failover(control)
  const last = sent[sent.length - 1].hash
  for (let i = 0; i < 600 && !(watched.blocks.includes(head) && watched.logs.includes(last)); i++) {
    if (more && i % 20 === 19) head = await more()
    await pause(50)
  }
  saw('sent', sent)
  saw('head', head)
  saw('blocks', watched.blocks)
  saw('logs', watched.logs)
}
