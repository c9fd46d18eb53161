import type { Config } from '../../config.ts'
import { Refusal } from '../../errors.ts'
import type { Cli } from '../cli.ts'

/**
 * The passphrase to encrypt with: the configured one, or one that is typed twice; undefined if there is none or nothing
 * was typed.
 */
export async function choosePassphrase({ ask, isInputTerminal }: Cli, config: Config): Promise<string | undefined> {
  if (config.backupPassphrase !== undefined || ask === undefined || !isInputTerminal) return config.backupPassphrase
  const typed = await ask('Passphrase to encrypt secret.key with (empty leaves the key out): ')
  if (typed === '') return undefined
  if ((await ask('The same again: ')) !== typed) throw new Refusal('the passphrases differ')
  return typed
}

/**
 * The passphrase that a key was encrypted with: the configured one, or one that is typed. Throws a Refusal if there is
 * no terminal to ask on.
 */
export async function askPassphrase({ ask, isInputTerminal }: Cli, config: Config): Promise<string> {
  if (config.backupPassphrase !== undefined) return config.backupPassphrase
  if (ask === undefined || !isInputTerminal)
    throw new Refusal(
      'the backup has an encrypted secret.key: name a file with its passphrase in SVC_BACKUP_PASSPHRASE_FILE, or leave it out with --without-key',
    )
  return ask('Passphrase of secret.key: ')
}
