import { defineConfig } from 'drizzle-kit'

// Two kinds of file, two histories: `KIND=control` (the default) or `KIND=project` before `bunx drizzle-kit generate`.
const kind = process.env.KIND === 'project' ? 'project' : 'control'
const folder = './src/store/sqlite/schema'
const schema = (kind === 'project' ? ['project'] : ['control', 'sign-in', 'oauth', 'integration', 'audit']).map(
  (file) => `${folder}/${file}.ts`,
)

export default defineConfig({
  dialect: 'sqlite',
  casing: 'snake_case',
  schema,
  out: `./drizzle/${kind}`,
})
