import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder, openCli } from '../run-cli.ts'

type InForce = { name: string; value: string; from: string }

/** The command line with a file of these lines as its settings. */
async function openWithFile(lines: string, environment: Record<string, string> = {}) {
  const file = join(await makeFolder(), 'memsvc.toml')
  writeFileSync(file, lines)
  return { file, cli: await openCli({ environment: { SVC_CONFIG: file, ...environment } }) }
}

test('what is in force is listed with where it comes from: environment before file before default', async () => {
  const { file, cli } = await openWithFile(
    'port = 9_000\ntrash_days = "7"\noutbound_allow = ["a.internal", "10.0.0.0/8"]\n',
    {
      SVC_TRASH_DAYS: '3',
      SVC_HOST: '',
    },
  )
  const settings = new Map(
    (await cli.json<InForce[]>(['config'])).map(({ name, value, from }) => [name, { value, from }]),
  )
  expect(settings.get('SVC_PORT')).toEqual({ value: '9000', from: `port in ${file}` })
  expect(settings.get('SVC_TRASH_DAYS')).toEqual({ value: '3', from: 'environment' })
  expect(settings.get('SVC_OUTBOUND_ALLOW')?.value).toBe('a.internal,10.0.0.0/8')
  expect(settings.get('SVC_HOST')).toEqual({ value: '127.0.0.1', from: 'default' })
  expect((await cli.run(['config'])).out).toMatch(/^SVC_PORT +9000 +port in \//m)
})

test('the file may be named before or behind any command, and its folder is the one that is served', async () => {
  const folder = await makeFolder()
  const file = join(folder, 'memsvc.toml')
  writeFileSync(file, `data_dir = '${folder}/data'\nport = 0\n`)
  const cli = await openCli({ environment: { SVC_DATA_DIR: '' } })
  const served = await cli.run(['serve', '--config', file], { interrupted: () => Promise.resolve() })
  expect(served).toMatchObject({ status: 0, err: expect.stringContaining(`"data":"${folder}/data"`) })
  expect(await cli.json(['--config', file, 'project', 'list'])).toMatchObject([{ name: 'default' }])
})

test('secrets are not shown', async () => {
  const key = 'c0ffee00'.repeat(8)
  const cli = await openCli({ environment: { SVC_SECRET_KEY: key } })
  const { out } = await cli.run(['config'])
  expect(out).toMatch(/^SVC_SECRET_KEY +\(secret\) +environment$/m)
  expect(out).not.toContain(key.slice(0, 8))
})

test('everything that is wrong is named at once, with the place of each', async () => {
  const { file, cli } = await openWithFile(
    'port = 99_999\nTrash_Days = 3\nprot = 1\naudit_days = 1.5\nsecret_key = "00"\napi_key = "x"\nconfig = "y"\n[table]\na = 1\n',
    {
      SVC_OAUTH_CLIENT_DOCUMENTS: 'maybe',
    },
  )
  for (const words of [['config'], ['serve'], ['project', 'list']]) {
    const { status, out, err } = await cli.run(words)
    expect({ status, out }).toEqual({ status: 1, out: '' })
    expect(err.trimEnd().split('\n')).toEqual([
      'memsvc: the settings are wrong:',
      `  Trash_Days in ${file} is not a setting of the service`,
      `  prot in ${file} is not a setting of the service`,
      `  audit_days in ${file} must be a text, a whole number, true, false or a list of texts`,
      `  secret_key in ${file} is a secret: name a file with it in secret_key_file`,
      `  api_key in ${file} is not a setting of the service`,
      `  config in ${file} is not a setting of the service`,
      `  table in ${file} is not a setting of the service`,
      `  port in ${file} must be a whole number from 0 to 65535, not '99999'`,
      "  SVC_OAUTH_CLIENT_DOCUMENTS must be on, off or tried, not 'maybe'",
    ])
  }
})

test.each([
  ['port = 1\nport = 2 # hunter2\n', /is not valid TOML: line 2, column 1: Value already defined for port\n$/],
  ['host = 0.0.0.0', /is not valid TOML: line 1, column 11: [^\n]*\n$/],
  [`host = "${'x'.repeat(70_000)}"`, /is larger than 65536 bytes\n$/],
])('a file that is none is refused without what it holds: %#', async (lines, reason) => {
  const { file, cli } = await openWithFile(lines)
  const { status, err } = await cli.run(['config'])
  expect({ status, err }).toEqual({ status: 1, err: expect.stringMatching(reason) })
  expect(err).toStartWith(`memsvc: ${file}`)
  expect(err).not.toContain('hunter2')
})

test('a file that is not there is named', async () => {
  const cli = await openCli({ environment: { SVC_CONFIG: '/nowhere/memsvc.toml' } })
  expect(await cli.run(['config'])).toEqual({
    status: 1,
    out: '',
    err: 'memsvc: /nowhere/memsvc.toml cannot be read (ENOENT)\n',
  })
})
