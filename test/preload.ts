// Loaded before every test file: the place for matchers of our own.
import { expect, setDefaultTimeout } from 'bun:test'
import type { Called } from './start-service.ts'

declare module 'bun:test' {
  interface Matchers<T> {
    /** The tool said no, in the contract's form, for exactly this reason. */
    toBeToolError(reason: string | RegExp): T
  }
}

expect.extend({
  toBeToolError(received: unknown, reason: string | RegExp) {
    const { tool, isError, text } = received as Called
    const said = text.startsWith(`Error executing tool ${tool}: `) ? text.slice(`Error executing tool ${tool}: `.length) : undefined
    const fits = said !== undefined && (typeof reason === 'string' ? said === reason : reason.test(said))
    return {
      pass: isError && fits,
      message: () => `expected ${tool} to refuse with ${reason}, got ${isError ? 'error' : 'success'}: ${text}`,
    }
  },
})

/** Milliseconds. A test that hangs is ended; one on a machine that has much else to do is not. */
setDefaultTimeout(20_000)
