import { expect, test } from 'bun:test'
import { startService } from '../../start-service.ts'

type Answer = { hint?: { words_not_found?: string[] } }

/** Records of one project, in eight languages, and words of each that are in a record or in none. */
const CASES: { notes: string[]; held: string[]; absent: string[] }[] = [
  {
    notes: [
      'Backups are kept for thirty days and then removed by the cron job',
      'The children of the mice ran through the well-known backyard',
      'We deploy the parser on Tuesdays, and the database is restarted afterwards',
      'The file name of the log-in page is in the changelog',
    ],
    held: [
      'day',
      'Days',
      'backup',
      'removing',
      'child',
      'mouse',
      'wellknown',
      'well known',
      'parsers',
      'deployed',
    ].concat(['dpeloy', 'databsae', 'databases', 'data base', 'filename', 'file-name', 'login', 'log in', 'restarts']),
    absent: ['dam', 'cot', 'moose', 'chilled', 'parsec', 'filament', 'logic', 'submarine', 'backbone'],
  },
  {
    notes: [
      'Die Häuser am Hafen bekommen eine neue Datenbankverbindung',
      'Die Straße wird im Frühjahr gesperrt, die Kündigungsfrist endet im März',
    ],
    held: [
      'Haus',
      'Hafen',
      'Häfen',
      'Verbindung',
      'Datenbank',
      'Strasse',
      'Straßen',
      'Kuendigungsfrist',
      'Kündigung',
    ].concat(['Frist', 'Frühjahrs', 'Hafne']),
    absent: ['Hefe', 'Schiffbruch', 'Kundgebung', 'Strauss', 'Bindfaden'],
  },
  {
    notes: [
      'De gegevensbank staat in de kelder en de huizen worden verwarmd',
      'De belastingaangifte moet voor mei klaar zijn',
    ],
    held: ['huis', 'kelders', 'gegevens', 'aangifte', 'belasting', 'gegevensbanken', 'verwarmen'],
    absent: ['kolder', 'belofte', 'huiswerk', 'aanhanger'],
  },
  {
    notes: ['Lösenordet för servern byts varje månad', 'Säkerhetskopian ligger i källaren, nycklarna hos vaktmästaren'],
    held: ['lösenord', 'losenordet', 'månader', 'nyckel', 'källare', 'kopia', 'säkerhet', 'vaktmästare'],
    absent: ['nyckfull', 'måndag', 'lösning'],
  },
  {
    notes: [
      'Les données sont sauvegardées chaque nuit sur le deuxième serveur',
      'Les journaux du château sont à l’étage',
    ],
    held: ['donnée', 'donnees', 'journal', 'chateau', 'châteaux', 'serveurs', 'sauvegarde', 'étages', 'etage'],
    absent: ['chapeau', 'journée', 'donjon', 'serveuse', 'otage'],
  },
  {
    notes: ['La contraseña del servidor caduca en diez días', 'Las canciones se guardan en el disco pequeño'],
    held: [
      'día',
      'dia',
      'canción',
      'cancion',
      'contrasena',
      'contraseñas',
      'servidores',
      'discos',
      'guardar',
      'pequeños',
    ],
    absent: ['dosis', 'cancha', 'contrario', 'servilleta', 'discurso'],
  },
  {
    notes: ['Le chiavi della città sono nell’armadio degli operai', 'Gli uomini controllano i documenti ogni sera'],
    held: ['chiave', 'citta', 'città', 'armadi', 'operaio', 'documento', 'controllare', 'sere'],
    absent: ['chiavica', 'armata', 'opera lirica'],
  },
  {
    notes: ['Резервные копии хранятся тридцать дней на втором сервере', 'Пароли от базы меняют каждый месяц'],
    held: ['копия', 'сервер', 'серверы', 'пароль', 'паролей', 'база', 'месяцы', 'хранить'],
    absent: ['парус', 'базар', 'месиво'],
  },
]

test('words are named as unknown only if no record holds them in any form that a reader calls that word', async () => {
  const { call } = await startService()
  for (const { notes } of CASES) for (const content of notes) await call('remember', { content })
  const isNamed = async (query: string) =>
    ((await call('search', { query })).structured as Answer).hint?.words_not_found !== undefined
  const named: string[] = []
  for (const word of CASES.flatMap(({ held, absent }) => [...held, ...absent]))
    if (await isNamed(word)) named.push(word)
  expect(named).toEqual(CASES.flatMap(({ absent }) => absent))
})
