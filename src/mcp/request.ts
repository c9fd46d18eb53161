import type { Caller } from '../account/auth/caller.ts'
import type { Params, ResultText } from '../jsonrpc.ts'
import type { Service } from '../service.ts'
import type { Catalogue } from './catalogue.ts'

/** What every message is answered with: the opened service and the tools that it offers. */
export type McpContext = { service: Service; catalogue: Catalogue }

/** One authenticated request. `signal()` is aborted when the client has disconnected; it is created at the first call, since most requests need none. */
export type McpRequest = McpContext & { caller: Caller; params: Params; headers: Headers; signal: () => AbortSignal }

/** Answers one method with its result, without the members that its protocol era adds. */
export type Method = (request: McpRequest) => ResultText | Promise<ResultText>
