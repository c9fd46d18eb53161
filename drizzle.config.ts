import { defineConfig } from 'drizzle-kit'

// Three kinds of file, each with migrations of its own: `KIND=control` (the default), `KIND=project` or `KIND=history` before `bunx drizzle-kit generate`.
const SCHEMAS: Record<string, string[]> = {
  control: ['control', 'sign-in', 'oauth', 'integration', 'audit'],
  project: ['project'],
  history: ['history'],
}
const kind = process.env.KIND ?? 'control'
const schema = (SCHEMAS[kind] ?? []).map((file) => `./src/store/sqlite/schema/${file}.ts`)

export default defineConfig({
  dialect: 'sqlite',
  casing: 'snake_case',
  schema,
  out: `./drizzle/${kind}`,
})
