import { Elysia } from 'elysia'
import { forget } from './forget.ts'
import { gatewayCall } from './gateway_call.ts'
import { remember } from './remember.ts'
import { search } from './search.ts'
import { validateMemory } from './validate_memory.ts'

/** All tools of the service, in the order of `tools/list`. */
export const tools = new Elysia({ name: 'tools' })
  .use(remember)
  .use(search)
  .use(forget)
  .use(validateMemory)
  .use(gatewayCall)
