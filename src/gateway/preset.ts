import type { Wish } from './integration.ts'

type Said = Omit<Wish, 'url'> & { url?: string | undefined }

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

/** What a person says goes before what the preset of this name says. Undefined where neither tells the URL. */
export function withPreset(name: string, said: Said): Wish | undefined {
  const preset = Object.hasOwn(PRESETS, name) ? PRESETS[name] : undefined
  const url = said.url ?? preset?.url
  if (url === undefined) return undefined
  return {
    ...said,
    url,
    name: said.name ?? preset?.name,
    headers: { ...preset?.headers, ...said.headers },
    mode: said.mode ?? preset?.mode,
    tools: said.tools ?? preset?.tools,
  }
}
