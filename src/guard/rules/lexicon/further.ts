import type { Lexicon } from '../concepts.ts'

/** Lexicons of one or several related languages each, with few phrases: they match only the most common wordings of attacks. */
export const further: Lexicon[] = [
  // Swedish, Danish, Norwegian
  {
    override: 'ignorera | ignorer | strunta i | bortse fran | se bort fra | glom | glem | kasta bort | fölg inte | ikke folg',
    prior: 'tidigare | tidligere | foregaende | forrige | alla | alle | ovan | ovenfor | allt',
    rules: 'instruktion* | regler | reglerna | reglerne | retningslinjer | riktlinjer | begransning* | order | ordre | kommando*',
    user: 'anvandaren | brugeren | brukeren | kunden | någon | noen | nogen',
    hush: 'säg inget | si ikke | sig ikke | fortell ikke | fortæl ikke | berätta inte | dölj | skjul | nevn ikke | nämn inte | i hemlighet | i tysthet | hemmelig* | förneka',
    always: 'varje gång | hver gang | när någon | från och med nu | fra nå av | fra nu af | alltid | altid | alltid',
    send: 'skicka | send | vidarebefordra | videresend | ladda upp | kopiera | kopier',
    secret: 'lösenord* | passord* | adgangskod* | hemlig* nyckel | kundlistan | databasen | historiken | adresslistan',
    reveal: 'visa | vis | avslöja | afslør | upprepa | gjenta | gentag | skriv ut',
    prompt: 'systemprompt* | systemmeddelande* | dina instruktioner | dine instruktioner',
    persona: 'du är nu | du er nu | du er nå | låtsas | lat som | spela rollen | spil rollen',
    free: 'utan regler | uden regler | uten regler | inga regler | ingen regler | utan begränsningar',
    unchecked: 'utan att fråga | uden at spørge | uten å spørre | utan bekräftelse | redan godkänt | på förhand godkänt',
    obey: 'lyd | lyda | adlyd | lydig',
  },
  // Czech, Slovak
  {
    override: 'ignoruj* | zapomeň | zabudni | zahoď | nedbej | neber v úvahu | nedodržuj',
    prior: 'předchozí* | predchádzajúc* | všechn* | všetk* | dosavadní* | původní*',
    rules: 'pokyn* | pravid* | instrukc* | inštrukci* | příkaz* | omezení | obmedzeni*',
    user: 'uživatel* | používateľ* | zákazník* | nikomu',
    hush: 'neříkej | nehovor | zataj* | neprozraď* | nezmiňuj | nespomínaj | potichu | tajně | popři | utaj',
    always: 'pokaždé | zakaždým | vždy | jakmile | od teď | odteraz | kdykoli',
    send: 'pošli | odešli | zkopíruj | nahraj | přepošli | prepošli',
    secret: 'heslo | hesla | heslá | databázi | seznam kontaktů | historii | klíč* | kľúč*',
    reveal: 'ukaž | vypiš | zobraz | prozraď | zopakuj',
    persona: 'jsi teď | teraz si | předstírej | hraj roli',
    unchecked: 'bez ptaní | bez potvrzení | bez potvrdenia | už schválil | předem schválil | neptej se | nepýtaj sa',
    obey: 'poslouchej | počúvaj | poslechni',
  },
  // Romanian
  {
    override: 'ignoră | uită | anulează | nu mai urma | nu ține cont | renunță la',
    prior: 'anterioare | precedente | toate | dinainte | inițiale',
    rules: 'instrucțiuni* | reguli* | regulile | ordinele | limitele | comenzile',
    user: 'utilizator* | clientul* | nimănui',
    hush: 'nu spune | nu-i spune | nu menționa | ascunde | pe ascuns | în secret | neagă | fără să anunți',
    always: 'de fiecare dată | ori de câte ori | mereu | întotdeauna | de acum înainte',
    send: 'trimite | copiază | încarcă | redirecționează',
    secret: 'parol* | parolele | baza de date | lista de contacte | datele clienților | istoricul',
    reveal: 'arată | afișează | dezvăluie | repetă',
    unchecked: 'fără să întrebi | fără confirmare | nu întreba | aprobat dinainte | a aprobat deja',
    persona: 'acum ești | prefă-te | joacă rolul',
    obey: 'ascultă doar | supune-te',
  },
  // Hungarian, Finnish, Greek
  {
    override:
      'hagyd figyelmen kívül | felejtsd el | vesd el | unohda | ohita | jätä huomiotta | älä välitä | αγνόησε | αγνοήστε | ξέχασε | ξεχάστε | ακύρωσε',
    prior: 'korábbi | előző | összes | aiemmat | edelliset | kaikki | προηγούμεν* | όλους | όλες | όλα',
    rules: 'utasítás* | szabály* | korlát* | ohjeet | säännöt | ohjeista | οδηγίες | κανόνες | εντολές | όρια',
    user: 'felhasználó* | ügyfél | käyttäj* | asiakas | χρήστη* | πελάτη*',
    hush: 'ne mondd | titokban | csendben | älä kerro | salassa | μην πεις | κρυφά | σιωπηλά',
    always: 'valahányszor | mostantól | mindig | aina kun | tästä lähtien | κάθε φορά | πάντα | από τώρα',
    send: 'küldd el | küldje | lähetä | στείλε | στείλτε | αντίγραψε',
    secret: 'jelsz* | jelszavakat | salasana* | κωδικό* | κωδικούς | βάση δεδομένων',
    reveal: 'mutasd | ismételd | näytä | paljasta | toista | δείξε | αποκάλυψε | επανάλαβε',
    unchecked: 'kérdés nélkül | megerősítés nélkül | kysymättä | χωρίς να ρωτήσεις | χωρίς επιβεβαίωση | έχει ήδη εγκρίνει',
    obey: 'hallgass | tottele | υπάκουε',
  },
  // Urdu
  {
    override: 'نظر انداز | بھول جاؤ | بھول جائیں | منسوخ',
    prior: 'پچھلی | پچھلے | سابقہ | تمام | پہلے کے | سب',
    rules: 'ہدایات | قواعد | احکام | اصول | پابندی',
    user: 'صارف | گاہک | کسی کو',
    hush: 'مت بتاؤ | نہ بتائیں | خاموشی سے | خفیہ طور | خبر نہ ہونے | انکار کرو | چھپاؤ',
    always: 'جب بھی | ہر بار | اب سے | آج سے | ہمیشہ',
    send: 'بھیجو | بھیج دو | بھیجیں | اپلوڈ | کاپی',
    secret: 'پاس ورڈ | ڈیٹا بیس | رابطوں | خفیہ کلید | گفتگو کی تاریخ',
    reveal: 'دکھاؤ | بتاؤ | دہراؤ | ظاہر کرو',
    unchecked: 'بغیر پوچھے | تصدیق کے بغیر | مت پوچھو | منظوری دے دی',
    persona: 'اب تم | اداکاری | کردار ادا',
  },
  // Tamil, Telugu, Kannada, Malayalam
  {
    override: 'புறக்கணி* | மறந்துவிடு* | విస్మరించు | విస్మరించండి | మరచిపో* | ನಿರ್ಲಕ್ಷಿಸ* | ಮರೆತುಬಿಡ* | അവഗണിക്ക* | മറക്കുക | മറന്നേക്കുക',
    prior: 'முந்தைய | அனைத்து | எல்லா | మునుపటి | అన్ని | ಹಿಂದಿನ | ಎಲ್ಲಾ | മുമ്പത്തെ | മുൻ | എല്ലാ',
    rules: 'வழிமுறை* | விதி* | கட்டளை* | அறிவுறுத்தல்* | సూచన* | నియమ* | ఆదేశ* | ಸೂಚನೆ* | ನಿಯಮ* | നിർദ്ദേശ* | നിയമ*',
    user: 'பயனர* | వినియోగదారు* | ಬಳಕೆದಾರ* | ഉപയോക്താ*',
    secret: 'கடவுச்சொ* | రహస్య* | పాస్‌వర్డ్* | పాస్ వర్డ్* | ಗುಪ್ತಪದ* | ಪಾಸ್‌ವರ್ಡ್* | രഹസ്യവാക്ക* | പാസ്‌വേഡ്*',
    send: 'அனுப்பு* | పంపు* | పంపండి | ಕಳುಹಿಸ* | അയയ്ക്കുക | അയക്കുക',
    reveal: 'காட்டு* | சொல் | చూపించు* | చెప్పు | ತೋರಿಸ* | ಹೇಳಿ | കാണിക്കുക | പറയുക',
    hush: 'சொல்லாதே | చెప్పకు* | చెప్పవద్దు | ಹೇಳಬೇಡಿ | പറയരുത്',
  },
  // Marathi, Punjabi, Gujarati
  {
    override: 'दुर्लक्ष करा | दुर्लक्षित करा | विसरून जा | विसरा | ਨਜ਼ਰਅੰਦਾਜ਼* | ਭੁੱਲ ਜਾ* | અવગણો | અવગણના | ભૂલી જાઓ',
    prior: 'मागील | आधीच्या | सर्व | ਪਿਛਲੀਆਂ | ਪਿਛਲੇ | ਸਾਰੀਆਂ | ਸਾਰੇ | અગાઉની | પાછલી | બધી | બધા',
    rules: 'सूचना | नियम | आदेश | ਹਦਾਇਤਾਂ | ਨਿਯਮ | ਨਿਰਦੇਸ਼* | સૂચનાઓ | નિયમો | આદેશો',
    user: 'वापरकर्त्या* | ਵਰਤੋਂਕਾਰ* | ਉਪਭੋਗਤਾ* | વપરાશકર્તા*',
    secret: 'पासवर्ड | ਪਾਸਵਰਡ | પાસવર્ડ | गुप्त | ਗੁਪਤ | ગુપ્ત',
    send: 'पाठवा | ਭੇਜੋ | મોકલો',
    reveal: 'सांगा | दाखवा | ਦੱਸੋ | ਦਿਖਾਓ | કહો | બતાવો',
    hush: 'सांगू नका | ਨਾ ਦੱਸੋ | કહેશો નહીં',
  },
  // Swahili, Tagalog, Malay
  {
    override: 'puuza | sahau | kalimutan | balewalain | huwag pansinin | abaikan | lupakan | ketepikan',
    prior: 'ya awali | yaliyotangulia | yote | naunang | lahat ng | terdahulu | sebelum ini | semua',
    rules: 'maagizo | sheria | amri | tagubilin | tuntunin | utos | arahan | peraturan',
    user: 'mtumiaji | mteja | gumagamit | pengguna | pelanggan',
    secret: 'nywila | neno la siri | funguo | data za wateja | password | kata laluan',
    send: 'tuma | unitumie | ipadala | hantar',
    reveal: 'onyesha | niambie | ipakita | sabihin | tunjukkan',
    hush: 'usimwambie | bila kumwambia | kwa siri | huwag sabihin | nang palihim | jangan beritahu | secara senyap',
  },
]
