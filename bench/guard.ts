/** The module that an evaluation drives: `inspect(text)` of the guard that ships. */
export { inspect } from '../src/guard/inspect.ts'
