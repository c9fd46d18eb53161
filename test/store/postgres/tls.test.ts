import { afterAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SQL } from 'bun'
import { findPostgres, startPostgres } from '../../postgres.ts'
import { makeFolder } from '../../run-cli.ts'
import { waitUntil } from '../../wait-until.ts'

const programs = findPostgres()
const MAIN = join(import.meta.dir, '../../../src/main.ts')

describe.skipIf(programs === undefined || Bun.which('openssl') === null)('a database behind TLS', async () => {
  if (programs === undefined) return
  const server = await startPostgres(programs)
  afterAll(server.stop)

  test('is used with sslmode=verify-full if its certificate is of a known authority and for its name, and refused otherwise', async () => {
    const folder = await makeFolder()
    const authority = join(folder, 'cert.pem')
    const made = ['openssl', 'req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost']
    const files = ['-addext', 'subjectAltName=DNS:localhost', '-keyout', join(folder, 'key.pem'), '-out', authority]
    expect(Bun.spawnSync([...made, ...files], { stderr: 'ignore' }).exitCode).toBe(0)
    const { url } = await server.createDatabase()
    await useCertificate(url, folder)
    const list = async (host: string, environment: Record<string, string>) => {
      const env = {
        PATH: process.env.PATH ?? '',
        SVC_DATA_DIR: folder,
        SVC_SECRET_KEY: '0'.repeat(64),
        SVC_DATABASE_URL: `${url.replace('127.0.0.1', host)}?sslmode=verify-full`,
        ...environment,
      }
      const { exited, stderr } = Bun.spawn([process.execPath, MAIN, 'account', 'list'], {
        env,
        stdout: 'ignore',
        stderr: 'pipe',
      })
      return { said: await stderr.text(), status: await exited }
    }
    const known = { NODE_EXTRA_CA_CERTS: authority }
    expect(await list('localhost', known)).toEqual({ said: '', status: 0 })
    expect(await list('localhost', {})).toEqual({
      said: expect.stringMatching(/^memsvc: the database cannot be used: .*certificate\n$/),
      status: 1,
    })
    expect(await list('127.0.0.1', known)).toEqual({
      said: expect.stringMatching(/^memsvc: the database cannot be used: .*does not match certificate.*\n$/),
      status: 1,
    })
  })
})

/**
 * Makes the server use the certificate of a folder: the server writes it into its own, so that the files belong to its
 * user.
 */
async function useCertificate(url: string, folder: string): Promise<void> {
  await using admin = new SQL({ url: url.replace('memsvc@', 'postgres@'), max: 1 })
  for (const [from, to] of [
    ['cert.pem', 'server.crt'],
    ['key.pem', 'server.key'],
  ] as const) {
    const text = readFileSync(join(folder, from), 'utf8')
    await admin.unsafe(`copy (select regexp_split_to_table('${text}', '\n')) to program 'umask 077; cat > ${to}'`)
  }
  await admin.unsafe('alter system set ssl = on')
  await admin.unsafe('select pg_reload_conf()')
  await waitUntil(
    'the server takes TLS',
    async () => (await admin.unsafe("select setting from pg_settings where name = 'ssl'"))[0].setting === 'on',
  )
}
