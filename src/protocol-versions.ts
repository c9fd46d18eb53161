/** Revisions of MCP with an `initialize` handshake, newest first. */
export const HANDSHAKE_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']

/** The revision without a handshake: every request carries its revision and the client's capabilities in `_meta`. */
export const STATELESS_VERSION = '2026-07-28'

/** Prefix of the protocol's own members of `_meta`. */
export const META_PREFIX = 'io.modelcontextprotocol/'

/** The member of `_meta` that holds the revision of a request. */
export const VERSION_KEY = `${META_PREFIX}protocolVersion`
