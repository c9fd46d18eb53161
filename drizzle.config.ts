import { defineConfig } from 'drizzle-kit'

// A history of migrations for each kind of file of the embedded engine, and one for PostgreSQL: `KIND=control` (the
// default), `KIND=project`, `KIND=history` or `KIND=postgres` before `bunx drizzle-kit generate`.
const KINDS: Record<string, { dialect: 'sqlite' | 'postgresql'; folder: string; files: string[] }> = {
  control: { dialect: 'sqlite', folder: 'sqlite', files: ['control'] },
  project: { dialect: 'sqlite', folder: 'sqlite', files: ['project'] },
  history: { dialect: 'sqlite', folder: 'sqlite', files: ['history'] },
  postgres: { dialect: 'postgresql', folder: 'postgres', files: ['control', 'windows', 'project', 'history'] },
}
const kind = process.env.KIND ?? 'control'
const { dialect, folder, files } = KINDS[kind] ?? { dialect: 'sqlite', folder: '', files: [] }

export default defineConfig({
  dialect,
  casing: 'snake_case',
  schema: files.map((file) => `./src/store/${folder}/schema/${file}.ts`),
  out: `./drizzle/${kind}`,
})
