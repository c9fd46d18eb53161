import type { IntegrationInput } from './integration.ts'

/** Well-known servers, without credentials. */
export const PRESETS: Record<string, Omit<IntegrationInput, 'slug'>> = {
  github: {
    name: 'GitHub',
    url: 'https://api.githubcopilot.com/mcp/',
    headers: { 'x-mcp-readonly': 'true', 'x-mcp-tools': 'get_file_contents,pull_request_read,get_me' },
    mode: 'read-only',
    tools: ['get_file_contents', 'pull_request_read', 'get_me'],
  },
}

/** Fills omitted fields with the preset's values, and merges the headers of both. Undefined if neither has a URL. */
export function withPreset(
  presetName: string,
  input: Omit<IntegrationInput, 'url'> & { url?: string | undefined },
): IntegrationInput | undefined {
  const preset = Object.hasOwn(PRESETS, presetName) ? PRESETS[presetName] : undefined
  const url = input.url ?? preset?.url
  if (url === undefined) return undefined
  return {
    ...input,
    url,
    name: input.name ?? preset?.name,
    headers: { ...preset?.headers, ...input.headers },
    mode: input.mode ?? preset?.mode,
    tools: input.tools ?? preset?.tools,
  }
}
