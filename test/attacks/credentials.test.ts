import { expect, test } from 'bun:test'
import { startGateway } from '../gateway/start-gateway.ts'
import { startUpstream } from '../gateway/upstreams.ts'

const TOKEN = 'uT9-x7Kq_Zw3/Lm+8vRb=2Ns'
const SECOND = 'second.secret~value!4711'

const base64 = (text: string) => Buffer.from(text).toString('base64')

/** How an upstream may repeat what it was sent. */
const ECHOES: Record<string, string> = {
  plain: `Bearer ${TOKEN}`,
  'without its scheme': TOKEN,
  'with another case of the scheme': `bEARER ${TOKEN}`,
  'in capitals': TOKEN.toUpperCase(),
  'in base64': base64(TOKEN),
  'in base64 with the scheme': base64(`Bearer ${TOKEN}`),
  'in base64 after one byte': base64(`x${TOKEN}`),
  'in base64 after two bytes': base64(`xy${TOKEN}z`),
  'in base64url': Buffer.from(TOKEN).toString('base64url'),
  'in base64, in lines': base64(TOKEN).replace(/.{6}/g, '$&\n'),
  'percent-encoded': encodeURIComponent(TOKEN),
  'percent-encoded as a whole': Buffer.from(TOKEN).toString('hex').replace(/../g, '%$&'),
  'in hexadecimal': Buffer.from(TOKEN).toString('hex'),
  'in hexadecimal, in capitals': Buffer.from(TOKEN).toString('hex').toUpperCase(),
  'in hexadecimal, with colons': Buffer.from(TOKEN)
    .toString('hex')
    .replace(/..(?=.)/g, '$&:'),
  escaped: [...TOKEN].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  'by its beginning': TOKEN.slice(0, 8),
  'by its end': TOKEN.slice(-8),
  'by a part of it': TOKEN.slice(7, 15),
  'by the beginning of its base64': base64(TOKEN).slice(0, 12),
  'split over lines': TOKEN.replace(/.{5}/g, '$&\r\n  '),
  'split by blanks and invisible characters': [...TOKEN].join('\u200b '),
  'split by dashes': [...TOKEN].join('-'),
  'from another header': SECOND,
  'from another header, in base64': base64(SECOND),
  'decoded from Basic': 'user-name:pass-word-4711',
  'decoded from Basic, the password alone': 'pass-word-4711',
}

/** Runs of eight characters of a text, in every form that is promised, after blanks and case are taken out. */
function partsOf(secret: string): string[] {
  const hex = Buffer.from(secret).toString('hex')
  const forms = [secret, base64(secret), Buffer.from(secret).toString('base64url'), hex, encodeURIComponent(secret)]
  return forms.flatMap((form) =>
    Array.from({ length: form.length - 7 }, (_, at) => form.slice(at, at + 8).toLowerCase()),
  )
}

const PARTS = [TOKEN, SECOND, 'user-name:pass-word-4711'].flatMap(partsOf)

const repeats = (text: string) => {
  const read = text.replace(/[\s\u200b]/g, '').toLowerCase()
  const letters = read.replace(/[^a-z0-9]/g, '')
  return PARTS.filter((part) => read.includes(part) || (/^[a-z0-9]+$/.test(part) && letters.includes(part)))
}

const headers = {
  Authorization: `Bearer ${TOKEN}`,
  'X-Second': SECOND,
  'X-Third': `Basic ${base64('user-name:pass-word-4711')}`,
}

test.each(Object.entries(ECHOES))(
  'a credential that an upstream repeats %s is in no error, receipt or line of the log',
  async (_, echo) => {
    let status = 400
    const upstream = startUpstream({
      'tools/call': ({ id }) =>
        Response.json(
          { jsonrpc: '2.0', id, error: { code: -32000, message: `You sent me: ${echo}; what is it?`, data: echo } },
          { status },
        ),
    })
    const { call, service, logged, account } = await startGateway({ url: upstream.url, headers })
    for (status of [200, 400, 500]) {
      const { isError, text } = await call('hub.echo')
      expect(isError).toBe(true)
      expect(repeats(text)).toEqual([])
    }
    await service.gateway.close()
    const audit = await service.store.control.listAudit({ accountId: account.id, limit: 100 })
    expect(audit.filter(({ act }) => act === 'integration.call')).toHaveLength(3)
    expect(repeats(JSON.stringify(audit) + logged.join('\n'))).toEqual([])
  },
)

test('what else an upstream says of an error is passed on', async () => {
  const message = 'no repository of that name; a token of another team may read it'
  const upstream = startUpstream({
    'tools/call': ({ id }) => Response.json({ jsonrpc: '2.0', id, error: { code: -32000, message } }),
  })
  const { call } = await startGateway({ url: upstream.url, headers })
  expect(await call('hub.echo')).toBeToolError(
    `integration 'hub' failed (protocol): it answered with error -32000: ${message}`,
  )
})
