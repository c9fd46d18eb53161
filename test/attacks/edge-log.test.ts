import { expect, test } from 'bun:test'
import { createLog } from '../../src/log.ts'

const TOKEN = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFG'

function startLog() {
  const lines: Record<string, unknown>[] = []
  const time = { now: 0 }
  const log = createLog(
    () => time.now,
    (line) => lines.push(JSON.parse(line) as Record<string, unknown>),
  )
  return { log, lines, time }
}

test('of one event 60 lines are written in a minute, then one says how many were held back', () => {
  const { log, lines, time } = startLog()
  for (let at = 0; at < 1_000; at++) log('internal error', { at_request: at })
  log('stopping')
  expect(lines).toHaveLength(61)
  time.now = 60_000
  log('internal error')
  expect(lines.slice(61)).toMatchObject([
    { event: 'lines held back', of: 'internal error', lines: 940 },
    { event: 'internal error' },
  ])
})

test('a line that stands in for one of the audit log is never held back', () => {
  const { log, lines } = startLog()
  for (let at = 0; at < 100; at++) log('an audit line was not written', { target: `${at}` })
  expect(lines).toHaveLength(100)
})

test('texts are cut, and what opens something is masked, wherever it stands', () => {
  const { log, lines } = startLog()
  log('internal error', { error: 'x'.repeat(20_000) })
  expect(String(lines[0]?.error)).toHaveLength(2_001)
  const secrets = [
    `http://127.0.0.1/console/enter/${TOKEN}`,
    `at /console/join/${TOKEN}?x`,
    `/oauth/authorize?code=${TOKEN}&state=${TOKEN}`,
    `client_secret: /x?client_secret=${TOKEN}`,
    `Bearer svc_${TOKEN}`,
    `svo_${TOKEN}`,
  ]
  for (const secret of secrets)
    log('internal error', { error: `TypeError: "${secret}"\n  at x`, inner: { of: secret } })
  expect(JSON.stringify(lines)).not.toContain(TOKEN)
})
