// Loaded once, before the first test file: matchers of our own, the default time-out, and the seed of what is tried at
// random.

import { expect, setDefaultTimeout } from 'bun:test'
import { plugin } from 'bun'
import fc from 'fast-check'
import type { Called } from './start-service.ts'
// A macro of Bun's is found only by files that are loaded before the first plugin is registered.
import '../src/store/sqlite/migrations.ts'
import '../src/store/postgres/migrations.ts'
import '../src/version.ts'

declare module 'bun:test' {
  interface Matchers<T> {
    /** The tool said no, in the contract's form, for exactly this reason. */
    toBeToolError(reason: string | RegExp): T
  }
}

expect.extend({
  toBeToolError(received: unknown, reason: string | RegExp) {
    const { tool, isError, text } = received as Called
    const said = text.startsWith(`Error executing tool ${tool}: `)
      ? text.slice(`Error executing tool ${tool}: `.length)
      : undefined
    const fits = said !== undefined && (typeof reason === 'string' ? said === reason : reason.test(said))
    return {
      pass: isError && fits,
      message: () => `expected ${tool} to refuse with ${reason}, got ${isError ? 'error' : 'success'}: ${text}`,
    }
  },
})

/**
 * For every test and each of its hooks, and for none a shorter one: on a machine that has much else to do, a test takes
 * ten times as long as on an idle one. One that hangs is ended all the same.
 */
const TIMEOUT_MS = 300_000

// Bun keeps a default time-out for one test file only, and runs this one before the first alone: so it is set again as
// each test file is resolved.
plugin({
  name: 'default time-out of tests',
  setup: (build) => {
    build.onResolve({ filter: /\.(test|smoke)\.ts$/ }, () => {
      setDefaultTimeout(TIMEOUT_MS)
      return undefined
    })
  },
})

/** Every run tries the same values, so that a change is refused for what it does. Another seed tries others. */
fc.configureGlobal({ seed: Number(process.env.SVC_TEST_SEED ?? 20_260_115) })
