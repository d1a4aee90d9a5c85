// What the scripts share: one line of JSON for each step that the Java side then judges.

/** Says what a step saw. Large numbers are written as decimal text. */
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
