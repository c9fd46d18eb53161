import { inSession, startConsole } from './browse.ts'

type Saved = { id: string; created_at: string }

/**
 * A console with its owner and a plain member, Ben of the department Sales, both in the console, and what their
 * assistants save.
 */
export async function startTeam(wish: Parameters<typeof startConsole>[0] = {}) {
  const running = await startConsole(wish)
  const { service, org, url, project, call, as } = running
  const sales = await org.addDepartment('Sales')
  const ben = await org.addMember('Ben', { department: sales })
  const calls = { owner: call, ben: as(await org.keyOf(ben)).call }

  /** Saves for one of them; time passes, so that no two records are of one moment. */
  async function save(
    content: string,
    more: Record<string, unknown> = {},
    who: keyof typeof calls = 'owner',
  ): Promise<string> {
    running.pass(1000)
    const { structured, text } = await calls[who]('remember', { content, ...more })
    if (structured === undefined) throw new Error(text)
    return (structured.result as Saved).id
  }

  const memory = service.store.project(project.id)
  return {
    ...running,
    ben: { ...(await inSession(service, url, ben)), member: ben, call: calls.ben },
    memory,
    save,
    /** Forgets a record of the owner's. */
    forget: (id: string) => call('forget', { id }),
    /** How a record stands, forgotten or not. */
    standing: async (id: string) =>
      (await memory.findRecord(undefined, id, { forgotten: true })) ?? { status: 'none', forgottenAt: null },
  }
}

/** The places of texts in a page, in the order of the page; -1 for one that is not there. */
export function placesOf(page: string, texts: string[]): number[] {
  return texts.map((text) => page.indexOf(text))
}

/** Fields of the form of a page that posts to this path. */
export function fieldsOf(page: string, action: string): Record<string, string> {
  const form = new RegExp(`<form method="post" action="${action}"[^>]*>(.*?)</form>`, 's').exec(page)?.[1]
  if (form === undefined) throw new Error(`no form for ${action}`)
  return Object.fromEntries(
    [...form.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)].map(([, name = '', value = '']) => [
      name,
      value.replaceAll('&amp;', '&'),
    ]),
  )
}
