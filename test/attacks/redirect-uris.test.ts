import { expect, test } from 'bun:test'
import { CALLBACK, connectTo, makePkce } from '../http/oauth/flow.ts'
import { serveDocuments } from '../oauth/serve-documents.ts'
import { startService } from '../start-service.ts'

const TAKEN = [
  'https://assistant.example/callback',
  'https://assistant.example:8443/callback?x=1',
  'http://localhost/callback',
  'http://localhost:33418/callback',
  'http://127.0.0.1:1/',
  'http://[::1]:65535/callback',
  'com.example.app:/callback',
  'com.example.app://callback',
  'io.github.some-app2:/oauth?x=1',
  'dev.example:/callback',
  'cursor://anysphere.cursor-mcp/oauth/callback',
  'vscode://vscode.github-authentication/did-authenticate',
  'vscode-insiders://publisher.extension/callback',
]

const REFUSED = [
  // Parts of an operating system, which do more with an address than to hand it on.
  'search-ms://query=x&crumb=location:%5C%5Cevil.example',
  'search://x',
  'shell://startup',
  'shell:///x',
  'res://ieframe.dll/x.htm',
  'resource://gre/x',
  'itms-services://?action=download-manifest&url=https://evil.example',
  'itms-apps://x',
  'ms-settings://x',
  'ms-msdt://x',
  'ms-word.ofe://x',
  'ms-appinstaller://?source=https://evil.example',
  'windows-settings://x',
  'ldap://evil.example/x',
  'smb://evil.example/x',
  'ssh://evil.example/x',
  'telnet://evil.example/',
  'steam://run/1',
  'market://details',
  'intent://scan#Intent;end',
  'intent.x://scan',
  'market.x://details',
  'help://x',
  'apple-help://x',
  // What a browser handles itself.
  'javascript:alert(1)',
  'javascript://assistant.example/%0aalert(1)',
  'JavaScript://assistant.example/%0aalert(1)',
  'data:text/html,x',
  'data://text/html,x',
  'vbscript://x',
  'file:///etc/passwd',
  'file://evil.example/x',
  'blob:https://evil.example/x',
  'filesystem:https://evil.example/x',
  'about://blank',
  'view-source://https',
  'chrome://settings',
  'chrome-extension://abcdef/x',
  'chrome-extension.x://abcdef/x',
  'view-source.x://https',
  'javascript.x://assistant.example/%0aalert(1)',
  'ws://evil.example/',
  'wss://evil.example/',
  'ftp://evil.example/',
  'mailto:a@evil.example',
  'tel://123',
  // Near misses of what is taken.
  'myapp://callback',
  'cursors://callback',
  'vscode-exploration://x.y/callback',
  'CURSOR://anysphere.cursor-mcp/callback',
  'Com.Example.App:/callback',
  '.example.app:/callback',
  'com..app:/callback',
  'com.example.:/callback',
  'com.example.app:callback',
  'com.example.app:///callback',
  'com.example.app://user@callback',
  'com.example.app://callback#x',
  'http://assistant.example/callback',
  'http://localhost.evil.example/',
  'http://127.0.0.2/callback',
  'http://127.1/callback',
  'http://2130706433/',
  'http://0.0.0.0/',
  'http://[::]/',
  'http://localhost:99999/',
  'http://localhost@evil.example/',
  'http://localhost\\@evil.example/',
  'https://user:word@assistant.example/',
  'https://assistant.example/#there',
  ' https://assistant.example/',
  'https://assistant.example/\n',
  '//assistant.example/callback',
  '',
]

const ID = 'https://assistant.example/oauth/client.json'

const asked = (client_id: string, redirect_uri: string) => ({
  client_id,
  redirect_uri,
  code_challenge: makePkce().challenge,
})

test('an application is returned to by https, on this machine, or by a scheme of its own', async () => {
  const { url, pass } = await startService()
  const { register, visit } = connectTo(url)
  for (const uri of TAKEN) {
    pass(60_000)
    const { status, body } = await register({ redirect_uris: [uri] })
    expect([uri, status]).toEqual([uri, 201])
    expect([uri, (await visit(asked(body.client_id, uri))).status]).toEqual([uri, 200])
  }
})

test('no registration names another way back', async () => {
  const { url, pass } = await startService()
  const { register } = connectTo(url)
  for (const uri of REFUSED) {
    pass(60_000)
    const { status, body } = await register({ redirect_uris: [CALLBACK, uri] })
    expect([uri, status, body.error]).toEqual([uri, 400, 'invalid_redirect_uri'])
  }
})

test('no metadata document names another way back', async () => {
  const { url, pass, service } = await startService()
  const { visit } = connectTo(url)
  let uri = ''
  await serveDocuments(
    service,
    (_, response) => void response.end(JSON.stringify({ client_id: ID, redirect_uris: [CALLBACK, uri] })),
  )
  for (uri of REFUSED) {
    pass(60_000)
    const page = await visit(asked(ID, CALLBACK))
    expect([uri, page.status, page.headers.get('location')]).toEqual([uri, 400, null])
    expect(await page.text()).toContain('invalid_redirect_uri')
  }
})

test('an application that registered one before it was refused is not returned there', async () => {
  const { url, service } = await startService()
  const { visit } = connectTo(url)
  const client = {
    id: 'old',
    kind: 'registration' as const,
    name: '',
    redirectUris: [CALLBACK, ...REFUSED],
    secretDigest: null,
  }
  await service.store.control.write((tx) =>
    tx.save('oauthClients', { ...client, readAt: service.clock.now(), usedAt: null }),
  )
  expect((await visit(asked('old', CALLBACK))).status).toBe(200)
  for (const uri of REFUSED) {
    const page = await visit(asked('old', uri))
    expect([uri, page.status, page.headers.get('location')]).toEqual([uri, 400, null])
    expect(await page.text()).not.toContain('Return to')
  }
})
