import { expect, test } from 'bun:test'
import { toEntries } from '../../../../src/console/sessions/entry.ts'
import { indexUploaded } from '../../../../src/history/index/index-histories.ts'
import { claudeLine, createUploadClient, type SourceWish } from '../../../history/upload-client.ts'
import { launchBrowser, withoutBrowser } from '../../chromium.ts'
import { inSession, readCode, startConsole } from '../browse.ts'

async function start(lines: (object | string)[], wish: SourceWish = {}) {
  const running = await startConsole()
  const client = createUploadClient(running.url, running.secret)
  const head = await client.head(wish)
  await running.post(`${running.at}/sessions/confirm`, { code: await readCode(running.url, running.secret) })
  const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
  await client.append(head, texts)
  const page = `${running.at}/sessions/${head.source_id}`
  return { ...running, page, text: (await running.get(page)).text }
}

const user = (content: unknown, more: object = {}) => ({
  ...JSON.parse(claudeLine(crypto.randomUUID(), '')),
  message: { role: 'user', content },
  ...more,
})
const assistant = (block: object, more: object = {}) => ({
  ...user([block]),
  type: 'assistant',
  message: { id: crypto.randomUUID(), role: 'assistant', content: [block], ...more },
})
const call = (name: string, input: unknown) => assistant({ type: 'tool_use', id: 'x', name, input })
const said = (text: string) => assistant({ type: 'text', text })

test('what people and the assistant said is rendered Markdown', async () => {
  const { text } = await start([
    user('Why is **bread** flat?\nAnd *hard*?'),
    said(
      '# Because\n\n1. no `yeast`\n2. no [time](https://example.org/time)\n\n```sh\nls <b>\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |',
    ),
  ])
  for (const part of [
    '<p>Why is <strong>bread</strong> flat?<br>\nAnd <em>hard</em>?</p>',
    '<h4>Because</h4>',
    '<li>no <code>yeast</code></li>',
    '<a href="https://example.org/time" rel="noopener noreferrer nofollow">time</a>',
    '<pre tabindex="0"><code>ls &lt;b&gt;</code></pre>',
    '<td>1</td>',
  ])
    expect(text).toContain(part)
})

test('nothing of a transcript is markup, loads anything, or leads to a script', async () => {
  const hostile = [
    '<script>alert(1)</script><img src=x onerror=alert(2)>',
    '![picture](https://evil.example/pixel.png)',
    '[a](javascript:alert(3)) [b](data:text/html,x) [c](vbscript:x) [d](/console/sign-out) <javascript:alert(4)>',
    '[e]: javascript:alert(5)\n\n[e]',
    '[f](https://example.org/"onmouseover="alert(6))',
    '```"><script>alert(7)</script>\n</code></pre><script>alert(8)</script>\n```',
    '&lt;script&gt; &#x3c;script>',
  ].join('\n\n')
  const { text, get, page } = await start([
    user(hostile),
    said(hostile),
    call('</code><script>alert(9)</script>', { '<script>': '<script>alert(10)</script>', old: ['<script>'] }),
    call('Edit', { old_string: '<script>alert(11)</script>', new_string: hostile }),
    call('Bash', { command: '<script>alert(12)</script>' }),
    call('Write', '*** Begin Patch\n+<script>alert(13)</script>'),
    user([{ type: 'tool_result', content: hostile }]),
  ])
  const { headers } = await get(page)
  expect(headers.get('content-security-policy')).not.toContain('unsafe-inline')
  expect(text).not.toMatch(/<script>|<img|<[^>]+\son\w+\s*=/)
  const links = [...text.matchAll(/href="([^"]*)"[^>]*rel="noopener/g)].map(([, href]) => href)
  expect(links.length).toBeGreaterThan(2)
  for (const href of links) expect(href).toMatch(/^https:\/\//)
  expect(text).not.toMatch(/href="(?:javascript|data|vbscript)/i)
})

test('a call is its name and arguments, a command as typed, an edit a diff with what stands around it', async () => {
  const around = ['a', 'b', 'c', 'd', 'e']
  const { text } = await start([
    call('Bash', { command: 'bun test\nls', description: 'Runs them' }),
    call('Edit', {
      file_path: '/app/bread.ts',
      old_string: [...around, 'flour', ...around].join('\n'),
      new_string: [...around, 'flour and yeast', ...around].join('\n'),
    }),
    call('MultiEdit', { edits: [{ old_string: 'one', new_string: 'two' }] }),
    call('remember', { tags: ['x', 'y'] }),
    user([{ type: 'tool_result', content: Array.from({ length: 40 }, (_, at) => `line ${at}`).join('\n') }]),
  ])
  for (const part of [
    '<p class="tool"><code>Bash</code></p>',
    '<pre class="said command" dir="auto">bun test\nls</pre>',
    '<dt>description</dt><dd><code>Runs them</code></dd>',
    '<dt>file_path</dt><dd><code>/app/bread.ts</code></dd>',
    '<span class="quiet">  2 lines\n</span>  c\n  d\n  e\n<del>- flour\n</del><ins>+ flour and yeast\n</ins>  a\n  b\n  c\n<span',
    '<del>- one\n</del><ins>+ two\n</ins>',
    '<dt>tags</dt><dd><code>[&quot;x&quot;,&quot;y&quot;]</code></dd>',
    '<details><summary>Output, 40 lines</summary>',
  ])
    expect(text).toContain(part)
  expect(text).not.toContain('{&quot;command')
})

test('a call and a patch of Codex are shown so, too', async () => {
  const item = (payload: object) => ({ timestamp: '2026-01-14T10:00:00.000Z', type: 'response_item', payload })
  const { text } = await start(
    [
      item({ type: 'function_call', name: 'exec_command', arguments: '{"cmd":"git status"}' }),
      item({
        type: 'custom_tool_call',
        name: 'apply_patch',
        input: '*** Begin Patch\n*** Update File: src/a.ts\n-old\n+new',
      }),
      item({ type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm **so**.' }] }),
    ],
    { assistant: 'codex', source_key: 'rollout-x' },
  )
  for (const part of [
    '<dt>cmd</dt><dd><pre class="said command" dir="auto">git status</pre>',
    '<del>-old\n</del><ins>+new\n</ins>',
    '<details><summary>Reasoning</summary><div class="markdown" dir="auto"><p>Hm <strong>so</strong>.</p>',
    '1 file touched',
    'src/a.ts',
  ])
    expect(text).toContain(part)
})

test('what was not uploaded is named with its size, and what was compacted is marked', async () => {
  const image = { $omitted: { bytes: 2_048, reason: 'image' } }
  const { text } = await start([
    user([{ type: 'image', source: { type: 'base64', data: image } }]),
    user('We baked bread.', { isCompactSummary: true }),
  ])
  expect(text).toContain('<p class="placeholder">Not uploaded: an image of 2 KiB</p>')
  expect(text).toMatch(/replaces what came before<\/span>[\s\S]*We baked bread\./)
})

test('the head says where, how long, with how many tokens, and which files; each line has a link to itself', async () => {
  const usage = { input_tokens: 10, cache_read_input_tokens: 1_000, output_tokens: 5 }
  const answer = (id: string, path: string) =>
    assistant({ type: 'tool_use', name: 'Read', input: { file_path: path } }, { id, usage })
  const { text, page, get } = await start(
    [
      user('first', { gitBranch: 'fix/bread' }),
      answer('m1', '/app/b.ts'),
      answer('m1', '/app/a.ts'),
      answer('m2', '/app/a.ts'),
      user('last', { timestamp: '2026-01-14T10:45:00.000Z' }),
    ],
    { git_branch: 'fix/bread', first_at: '2026-01-14T10:00:00.000Z' },
  )
  for (const part of ['fix/bread', '45 minutes', '2,020 tokens read, 10 written', '2 files touched', '/app/a.ts'])
    expect(text).toContain(part)
  expect(text).toContain(`href="${page}?from=3#l3"`)
  const third = (await get(`${page}?from=3`)).text
  expect(third).toContain('id="l3"')
  expect(third).not.toContain('id="l2"')
})

test('lines of any shape stay small on the page: many edits, arguments and calls, deep and long ones', async () => {
  const lines = [
    call('Edit', { old_string: '\n'.repeat(30_000), new_string: 'a\n'.repeat(30_000) }),
    call('MultiEdit', { edits: Array.from({ length: 500 }, () => ({ old_string: 'a', new_string: 'b' })) }),
    call('Many', Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`k${at}`, at]))),
    call('Deep', { a: JSON.parse('['.repeat(150) + ']'.repeat(150)) }),
    call('Long', { content: 'x'.repeat(500_000) }),
    user('['.repeat(8_000)),
    user('- '.repeat(4_000)),
    user('> '.repeat(4_000)),
    user('`'.repeat(8_000)),
  ]
  const { text, page, get } = await start(lines)
  expect(text.length).toBeLessThan(400_000)
  expect(text).toContain('1,960 more arguments')
  expect(text).toContain(`href="${page}/lines/5"`)
  expect((await get(`${page}/lines/5`)).text.length).toBeGreaterThan(500_000)
})

test('a paragraph with more than 300 brackets is shown as it is', async () => {
  const { text } = await start([said(`${'['.repeat(300)}**some**`), said(`${'['.repeat(301)}**many**`)])
  expect(text).toContain('<strong>some</strong>')
  expect(text).toContain('**many**')
})

test('a very long line is named on the page by its length, and is whole on its own', async () => {
  const long = 'word '.repeat(120_000)
  const { get, page, text } = await start([user('before'), said(long), user('after')])
  expect(text).toMatch(/<p>before<\/p>.*A line of 586 KiB\..*The whole line 2<\/a>.*<p>after<\/p>/s)
  expect(text).not.toContain('word word')
  expect((await get(`${page}/lines/2`)).text).toContain(long)
})

test('a part of the page that has no structure is shown as it is', async () => {
  const [entry] = await toEntries('/page', [{ line: 1, role: 'raw', at: null, text: '{"a":"<b>"}' }])
  expect(entry?.render({})).toContain('{&quot;a&quot;:&quot;&lt;b&gt;&quot;}')
})

test.skipIf(withoutBrowser)('J and K go from line to line, and X chooses one', async () => {
  const { url, page: path, cookie } = await start([user('one'), said('two'), user('three')])
  const browser = await launchBrowser()
  try {
    const context = await browser.newContext()
    const [name = '', value = ''] = cookie()?.split('=') ?? []
    await context.addCookies([{ name, value, url }])
    const page = await context.newPage()
    await page.goto(url + path)
    const focused = () => page.evaluate<string>('document.activeElement.id')
    const visited: string[] = []
    for (const key of ['j', 'j', 'x', 'j', 'j', 'k']) {
      await page.keyboard.press(key)
      visited.push(await focused())
    }
    expect(visited).toEqual(['l1', 'l2', 'l2', 'l3', 'l3', 'l2'])
    expect(await page.locator('input[name=line]:checked').count()).toBe(1)
    expect(await page.locator('#c2').isChecked()).toBe(true)
  } finally {
    await browser.close()
  }
})

test('a line on which a record was saved has a link to it, and the record one to the line, for whoever may see them', async () => {
  const running = await start([user('Remember it')])
  const { call, get, at, page, url, secret, service, org } = running
  const saved = await call('remember', { content: 'The port is 8080' })
  const ben = await org.addMember('Ben')
  const asBen = running.as(await org.keyOf(ben)).call
  const hers = await asBen('remember', { content: 'My own draft', scope: 'draft' })
  const [id, draft] = [saved, hers].map((one) => (one.structured as { result: { id: string } }).result.id)
  const client = createUploadClient(url, secret)
  const lines = [saved.text, hers.text].map((text) => user([{ type: 'tool_result', content: text }]))
  await client.append(
    await client.head(),
    lines.map((line) => JSON.stringify(line)),
  )
  await indexUploaded(service)
  const { text } = await get(page)
  expect(text).toContain('1 record saved')
  expect(text).toContain(`Saved: <a href="${at}/records/${id}"><bdi>The port is 8080</bdi></a>`)
  expect(text).not.toContain('My own draft')
  expect(text).not.toContain(`records/${draft}`)
  const record = `${at}/records/${id}`
  expect((await get(record)).text).toContain(`<a href="${page}?from=2#l2">your session, line 2</a>`)
  const browser = await inSession(service, url, ben)
  const seen = (await browser.get(record)).text
  expect(seen).toContain('a session of <bdi>Owner</bdi>')
  expect(seen).not.toContain('/sessions/')
})
