/** Messages of the stateless era. */
export const VERSION = '2026-07-28'
export const META = {
  'io.modelcontextprotocol/protocolVersion': VERSION,
  'io.modelcontextprotocol/clientCapabilities': {},
}

export const toStateless = (method: string, params: Record<string, unknown> = {}, _meta: unknown = META) => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  params: { ...params, _meta },
})

export const headersFor = (method: string, name?: string) => ({
  'mcp-protocol-version': VERSION,
  'mcp-method': method,
  'mcp-name': name,
})
