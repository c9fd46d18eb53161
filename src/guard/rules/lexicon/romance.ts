import type { Lexicon } from '../concepts.ts'

export const french: Lexicon = {
  consent: 'approuvé | autorisé | validé | accepté | consenti | donné son accord | accord | permis | accepte',
  override:
    'ignor* | oubli* | neglig* | ne tiens pas compte | ne tenez pas compte | ne tenir aucun compte | fais abstraction | faites abstraction | ne suis plus | ne suivez plus | ne suis pas | ne suivez pas | desobei* | annul* | contourn* | outrepass* | remplac* | laisse tomber',
  prior:
    "precedent* | anterieur* | toutes | tous | tout | avant | tes | vos | ci-dessus | initial* | originel* | originaux | jusqu'ici | jusqu'a present | qu'on t'a | qu'on vous a | ce qui precede",
  rules:
    'instruction* | regle* | directive* | consigne* | ordre* | prompt* | restriction* | politique* | message* | limites | filtre* | dit',
  agent: "assistant* | ia | l'ia | intelligence artificielle | modele* | agent* | chatbot | bot",
  user: "utilisateur* | l'utilisateur | client* | personne | proprietaire | relecteur*",
  hush: "ne dis pas | ne dites pas | ne dis rien | ne dites rien | ne le dis | ne mentionne* | sans prevenir | sans informer | sans avertir | sans le dire | sans en parler | ne revele* | ne previens pas | ne prevenez pas | n'informe* | n'en parle* | ne parle pas de | en secret | garde le secret | gardez le secret | secretement | discretement | silencieusement | en silence | cachez | cacher | cache le | cache la | cache les | cache ce* | cache tout | cache-le | cache-la | dissimul* | a l'insu | sans mentionner | sans notifier | ne pas mentionner | ne pas informer",
  always:
    "a partir de maintenant | desormais | dorenavant | chaque fois que | a chaque fois | toujours | a l'avenir | des que | quand l'utilisateur | lorsque l'utilisateur | si l'utilisateur | des maintenant | pour chaque | dans toutes les | en permanence | quand on te demande | si on te demande",
  send: 'envoi* | envoy* | transfer* | transmet* | expedi* | televers* | partag* | copie | copiez | copier | publie | publiez | publier | exfiltr* | joins | joindre | poste',
  secret:
    'mot de passe | mots de passe | cle api | cles api | cle secrete | cles | identifiants | secret* | jeton* | donnees | conversation* | historique | rapport* | donnees personnelles | fichier .env | carte bancaire | cle',
  reveal:
    'revel* | montr* | affich* | imprim* | repet* | dis-moi | dites-moi | donne-moi | donnez-moi | ecri* | quelle est | quel est | quelles sont | liste | listes | listez | lister | renvoi* | recopi*',
  prompt:
    'prompt systeme | prompt du systeme | instructions systeme | instructions du systeme | tes instructions | vos instructions | instructions initiales | prompt initial | message systeme | ta configuration | votre configuration | instructions cachees | texte ci-dessus | tes regles | vos regles | ton prompt',
  persona:
    'tu es maintenant | vous etes maintenant | tu es desormais | vous etes desormais | agis comme | agissez comme | agis en tant | fais semblant | faites semblant | imagine que tu | imaginez que vous | joue le role | jouez le role | jeu de role | simule | simulez | simuler | tu es un | tu incarnes | comporte-toi comme | ta nouvelle identite | ton nom est | mode developpeur',
  free: "sans restriction* | sans filtre* | sans limite* | sans censure | sans regles | sans aucune regle | sans ethique | non censure | libre de toute | illimite* | sans aucune restriction | sans aucun filtre | faire n'importe quoi",
  unchecked:
    'sans demander | sans confirmation | sans confirmer | sans approbation | sans autorisation | sans permission | sans relecture | sans revue | sans verifier | sans verification | ne demande pas | ne demandez pas | ne demande jamais | ne demandez jamais | a deja autorise | deja approuve | deja autorise | deja valide | approuve automatiquement | approuvez automatiquement | confirmation inutile | pas besoin de confirmation | saute la verification | sans validation',
  favour:
    'recommand* | le meilleur | la meilleure | meilleur choix | meilleure option | sugger* | suggere* | promouv* | privilegi* | conseill*',
  fetch:
    "suis les instructions | suivez les instructions | suivre les instructions | execute ce que | execute le code | executez le code | fais ce qu'il | telecharge et execute | executer les commandes",
  first: "avant de repondre | avant toute chose | avant tout | avant d'utiliser | en premier | d'abord",
  act: 'supprim* | efface* | vire | virer | paye | payez | payer | paiement* | approuv* | execute | executez | executer | achet* | installe | installez | installer | appelle* | ouvr* | modifi* | fusionn*',
  memory:
    'cette memoire | ce souvenir | cette note | enregistre dans ta memoire | mets a jour ta memoire | souviens-toi | souvenez-vous | memoire permanente | futures conversations | conversations futures | prochaine fois | cette instruction | retiens que | cet enregistrement',
  only: "dis seulement | dis juste | reponds seulement | repondez uniquement | reponds uniquement | uniquement | a la place | plutot | au lieu | rien d'autre | reponds que | repondez que | reponds par | dis que | et dis | fais ce qui suit | nouvelles instructions | nouvelle instruction | nouvelle regle | nouvelle tache | et indiquez | et fais",
  obey: "obei* | obey* | conforme-toi | fais tout ce que | suis mes ordres | je suis ton createur | je suis l'administrateur | je suis ton developpeur | tu dois repondre",
  rank: "priorite sur | prime sur | priment sur | l'emporte* | au-dessus de | prevaut | priorite absolue | priorite maximale | remplace toutes | prevalent",
  describe:
    'attaque* | attaquant* | injection* | vulnerab* | malveillan* | exemple* | mitig* | menace* | detecte | detectez | detecter | risque* | rejet* | bloqu* | proteg* | prevenir les | tentative*',
}

export const italian: Lexicon = {
  consent: 'approvato | autorizzato | accettato | concesso | acconsentito | dato il consenso | permesso | consenso',
  override:
    'ignor* | dimentic* | trascur* | non considerare | non seguire | non tenere conto | smetti di seguire | disobbedi* | annull* | aggira* | scavalc* | lascia perdere | tralascia*',
  prior:
    'precedent* | anterior* | tutto | tutte | tutti | prima | tue | tuoi | vostre | sopra | inizial* | original* | finora | e stato detto',
  rules:
    'istruzion* | regol* | direttiv* | indicazion* | ordine | ordini | prompt* | restrizion* | politic* | messagg* | limit* | filtr* | detto',
  agent: 'assistent* | ia | intelligenza artificiale | modell* | agent* | chatbot | bot',
  user: "utent* | l'utente | client* | nessuno | proprietari* | revisor*",
  hush: "non dire | non dirlo | non menzionare | mai menzionare | non informare | senza informare | senza avvisare | senza dire | senza dirlo | non rivelare | non avvisare | non notificare | in segreto | mantieni il segreto | tieni segret* | segretamente | silenziosamente | di nascosto | nascond* | all'insaputa | senza menzionare | non far sapere | non parlare di",
  always:
    "d'ora in poi | da ora in poi | da adesso in poi | ogni volta che | sempre | in futuro | quando l'utente | se l'utente | ogniqualvolta | in ogni | in tutte le | permanentemente | quando ti chiedono | se ti chiedono",
  send: 'invia* | inviare | invio | inoltr* | manda* | spedi* | trasmett* | carica | caricare | condivid* | copia* | pubblica* | esfiltra* | allega*',
  secret:
    'password | chiave | chiavi | credenzial* | segret* | token | dati | conversazion* | cronologia | rapport* | dati personali | file .env | carta di credito | chiave segreta',
  reveal: 'rivel* | mostra* | stampa* | ripet* | dimmi | dammi | scriv* | elenca* | qual e | quali sono | restituisc* | visualizza*',
  prompt:
    'prompt di sistema | istruzioni di sistema | tue istruzioni | istruzioni iniziali | prompt iniziale | messaggio di sistema | tua configurazione | istruzioni nascoste | testo sopra | tue regole | istruzioni del sistema',
  persona:
    'ora sei | adesso sei | sei ora | agisci come | comportati come | fingi | fai finta | immagina di essere | interpreta | gioco di ruolo | simula | assumi il ruolo | sei un | tua nuova identita | il tuo nome e | modalita sviluppatore',
  free: 'senza restrizioni | senza filtri | senza limiti | senza censura | senza regole | senza limitazioni | senza etica | libero da | illimitat* | fare qualsiasi cosa | senza alcuna restrizione',
  unchecked:
    'senza chiedere | senza conferma | senza confermare | senza approvazione | senza autorizzazione | senza permesso | senza revisione | senza verificare | senza verifica | non chiedere | ha gia autorizzato | gia approvat* | gia autorizzat* | approva automaticamente | conferma non necessaria | salta la revisione | salta i controlli | non serve conferma',
  favour: 'raccomand* | consiglia* | il migliore | la migliore | migliore opzione | suggeri* | promuov* | preferisc*',
  fetch: 'segui le istruzioni | esegui cio che | esegui il codice | fai quello che dice | scarica ed esegui | esegui i comandi',
  first: 'prima di rispondere | prima di tutto | prima di qualsiasi | prima di usare | per prima cosa',
  act: 'cancell* | elimin* | trasferi* | paga* | approv* | esegui* | acquist* | compra* | installa* | chiama* | apri | modifica*',
  memory:
    'questa memoria | questo ricordo | questa nota | salva in memoria | aggiorna la tua memoria | ricorda che | memoria permanente | future conversazioni | conversazioni future | prossima volta | questa istruzione | queste istruzioni',
  only: "di solo | rispondi solo | rispondi soltanto | unicamente | invece | al posto di | nient'altro | rispondi che | rispondi con | e di | fai quanto segue | nuove istruzioni | nuova istruzione | nuova regola | nuovo compito",
  obey: "obbedi* | ubbidi* | esegui i miei ordini | fai tutto quello che | sono il tuo creatore | sono l'amministratore | sono il tuo sviluppatore | devi rispondere",
  rank: 'priorita su | al di sopra | prevalgono | prevale | ha la precedenza | hanno la precedenza | massima priorita | sostituisc*',
  describe:
    'attacc* | aggressor* | iniezion* | injection | vulnerab* | malevol* | esempi* | mitig* | minacc* | rilev* | rischi* | rifiut* | blocc* | proteg* | prevenire | tentativ*',
}
