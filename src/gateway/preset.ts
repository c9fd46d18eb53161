import type { Wish } from './integration.ts'

/** Integrations that many want, described but for their credential. */
export const PRESETS: Record<string, Omit<Wish, 'slug'>> = {
  github: {
    name: 'GitHub',
    url: 'https://api.githubcopilot.com/mcp/',
    headers: { 'x-mcp-readonly': 'true', 'x-mcp-tools': 'get_file_contents,pull_request_read,get_me' },
    mode: 'read-only',
    tools: ['get_file_contents', 'pull_request_read', 'get_me'],
  },
}
