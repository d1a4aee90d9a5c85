// What the client scripts share: one line of JSON for each step that the Java side then judges, and the contract they deploy.

/** The accounts that anvil fills at its start. */
export const MNEMONIC = 'test test test test test test test test test test test junk'

/** How many storage slots the contract fills; slot i holds 42 + i. */
export const SLOTS = 30

const byte = (number) => number.toString(16).padStart(2, '0')
const STORES = Array.from({ length: SLOTS }, (_, i) => `60${byte(42 + i)}60${byte(i)}55`).join('') // sstore(i, 42 + i)
const LOG = '60015f5fa1' // log1(0, 0, 1)
const RUNTIME = '365f5f37365ffd' // calldatacopy(0, 0, calldatasize) revert(0, calldatasize)
const HEAD = STORES + LOG
const RETURN_LENGTH = 9

/**
 * Init code, written by hand: the constructor fills the slots and writes one log with topic 1; the contract reverts every
 * call with the call's own data, so that a caller chooses the error it wants to see.
 */
export const REVERTING_CONTRACT =
  '0x' + HEAD + `60078060${byte(HEAD.length / 2 + RETURN_LENGTH)}5f395ff3` + RUNTIME

/** `Error(string)` with "not enough funds in vault". */
export const REASON = '0x08c379a0'
  + '20'.padStart(64, '0')
  + '19'.padStart(64, '0')
  + Buffer.from('not enough funds in vault').toString('hex').padEnd(64, '0')

/** `Panic(uint256)` with 0x11, an arithmetic overflow. */
export const PANIC = '0x4e487b71' + '11'.padStart(64, '0')

/** `InsufficientBalance(uint256,uint256)` with 1 and 2. */
export const CUSTOM = '0xcf479181' + '1'.padStart(64, '0') + '2'.padStart(64, '0')

/** An address without code or balance. */
export const NOBODY = '0x00000000000000000000000000000000deadbeef'

export const UNKNOWN_HASH = '0x' + 'ab'.repeat(32)

/** Says what a step saw. Quantities are written as decimal text. */
export function saw(step, value) {
  const text = JSON.stringify({ step, value }, (_, v) => (typeof v === 'bigint' ? v.toString() : v === undefined ? null : v))
  process.stdout.write(text + '\n')
}

/** Says how a step failed; that it did not fail is said too. */
export async function sawFailure(step, attempt, describe) {
  try {
    saw(step, { failed: false, result: await attempt() })
  } catch (error) {
    saw(step, { failed: true, ...describe(error) })
  }
}

/** Asks until there is an answer other than null; at most 200 times. */
export async function polled(ask) {
  for (let i = 0; i < 200; i++) {
    const answer = await ask()
    if (answer !== null) return answer
    await new Promise((done) => setTimeout(done, 50))
  }
  throw new Error('no answer but null after 200 questions')
}
