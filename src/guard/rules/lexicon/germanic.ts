import type { Lexicon } from '../concepts.ts'

export const german: Lexicon = {
  consent: 'genehmigt | zugestimmt | freigegeben | erlaubt | bewilligt | eingewilligt | zustimmung | einwilligung | einverstanden',
  override:
    'ignorier* | vergiss | vergesst | vergessen sie | missacht* | nicht beachten | beachte nicht | befolge nicht | nicht mehr befolgen | setze dich hinweg | verwirf | verwerfen | umgeh* | hinwegsetz* | ausser acht | überschreib* | widersetz* | lass alle',
  prior:
    'vorherig* | vorig* | bisherig* | frühere* | obig* | alle | alles | deine | ihre | davor | ursprünglich* | vorangegangen* | vorstehend* | zuvor | vorhergehend*',
  rules:
    'anweisung* | regel* | richtlinie* | vorgabe* | befehl* | prompt* | einschränkung* | instruktion* | nachricht* | beschränkung* | filter* | vorschrift*',
  agent: 'assistent* | ki | künstliche intelligenz | modell* | agent* | chatbot | bot | sprachmodell',
  user: 'nutzer* | benutzer* | anwender* | kunde* | kunden | niemand* | besitzer* | eigentümer* | reviewer*',
  hush: 'sag nichts | sage nichts | nicht sagen | nicht erwähnen | erwähne nicht | erwähne dies nicht | erwähne es nicht | niemals erwähnen | nicht informier* | ohne zu informieren | ohne den nutzer | ohne dem nutzer | ohne den benutzer | verrate nicht | nicht verraten | verschweig* | geheim halten | halte geheim | geheim | heimlich | stillschweigend | verbirg* | verberge* | unbemerkt | ohne hinweis | ohne es zu erwähnen | nicht mitteilen | nicht benachrichtig* | nicht verrat* | verheimlich*',
  always:
    'ab jetzt | von nun an | ab sofort | künftig | in zukunft | immer wenn | jedes mal | jedesmal | immer | wann immer | sobald | wenn der nutzer | wenn der benutzer | falls der nutzer | bei jeder | bei jedem | in allen zukünftigen | dauerhaft | wenn jemand fragt | wenn du gefragt | fortan',
  send: 'sende | senden | sendest | schick* | weiterleit* | leite weiter | übermittl* | übertrag* | hochlad* | lade hoch | teile | kopier* | veröffentlich* | exfiltrier* | verschick* | maile | leite',
  secret:
    'passwort | passwörter | kennwort | api-schlüssel | schlüssel | zugangsdaten | geheimnis* | token | daten | gespräch* | verlauf | bericht* | personenbezogen* | kundendaten | .env | kreditkart* | kontodaten | anmeldedaten',
  reveal:
    'verrate | verraten | zeig* | gib aus | ausgeb* | gib mir | wiederhol* | nenne* | sag mir | schreib* | offenbar* | was ist | wie lautet | was sind | drucke | liste | anzeig*',
  prompt:
    'systemprompt | system-prompt | systemanweisung* | deine anweisungen | ihre anweisungen | ursprüngliche anweisungen | systemnachricht | deine konfiguration | versteckte anweisungen | text oben | obigen text | deine regeln | initial-prompt | anfangsanweisung*',
  persona:
    'du bist jetzt | du bist nun | sie sind jetzt | sie sind nun | verhalte dich | tu so | tue so | stell dir vor | spiele die rolle | rollenspiel | simulier* | übernimm die rolle | du bist ein | du bist eine | agiere als | gib vor | deine neue identität | dein name ist | entwicklermodus',
  free: 'ohne einschränkung* | ohne filter | ohne grenzen | ohne zensur | unzensiert | ungefiltert | uneingeschränkt* | ohne regeln | keine regeln | frei von | ohne ethik | unbegrenzt* | keine einschränkungen | ohne beschränkung*',
  unchecked:
    'ohne nachfrage | ohne nachzufragen | ohne zu fragen | ohne rückfrage | ohne bestätigung | ohne zustimmung | ohne genehmigung | ohne freigabe | ohne prüfung | ohne überprüfung | ohne zu prüfen | frage nicht nach | frag nicht | nicht nachfragen | keine bestätigung | bereits genehmigt | bereits zugestimmt | hat bereits | automatisch genehmig* | genehmige automatisch | überspring* | keine rückfrage* | ohne review',
  favour: 'empfehl* | empfiehl* | beste wahl | die beste | das beste | der beste | schlage vor | bevorzug* | bewirb*',
  fetch:
    'folge den anweisungen | befolge die anweisungen | führe aus was | führe den code | tu was | herunterladen und ausführen | führe die befehle | führe alles aus',
  first: 'bevor du antwortest | vor allem anderen | zuerst | als erstes | vor jeder | bevor du',
  act: 'lösch* | überweis* | zahl* | bezahl* | genehmig* | führe aus | ausführ* | kauf* | installier* | rufe auf | ruf auf | aufruf* | öffne* | ändere | entfern*',
  memory:
    'diese erinnerung | dieser eintrag | diese notiz | speichere in deinem | aktualisiere dein gedächtnis | merke dir | merk dir | dauerhaft* | zukünftige* gespräch* | künftige gespräche | nächstes mal | diese anweisung | dieses gedächtnis',
  only: 'sage nur | sag nur | antworte nur | antworte ausschliesslich | stattdessen | nichts anderes | antworte mit | antworte dass | und sage | gib nur | tue folgendes | neue anweisung* | neue regel* | neue aufgabe',
  obey: 'gehorch* | befolge meine | tu alles was | ich bin dein entwickler | ich bin der administrator | ich bin dein schöpfer | du musst antworten | folge meinen',
  rank: 'vorrang | über den anweisungen | höchste priorität | ersetzt alle | ersetzen alle | geht vor | stehen über | steht über | hat priorität',
  describe:
    'angriff* | angreif* | injection* | injektion* | schwachstelle* | bösartig* | beispiel* | szenario* | bedrohung* | erkenn* | risik* | abgelehnt | blockier* | schütz* | verhinder* | versuch* | schutz*',
}

export const dutch: Lexicon = {
  consent: 'goedgekeurd | toegestaan | toestemming | ingestemd | akkoord | vrijgegeven',
  override:
    'negeer* | negeren | vergeet | vergeten | volg niet | niet opvolgen | laat varen | schend | omzeil* | overschrijf* | sla geen acht | trek je niets aan',
  prior: 'vorige | voorgaande | eerdere | bovenstaande | alle | alles | jouw | je | uw | voorafgaande | oorspronkelijke | hiervoor',
  rules: 'instructie* | regel* | richtlijn* | opdracht* | prompt* | beperking* | beleid | bericht* | voorschrift* | filter* | aanwijzing*',
  agent: 'assistent* | ai | kunstmatige intelligentie | model | modellen | agent* | chatbot | bot | taalmodel',
  user: 'gebruiker* | klant* | niemand | eigenaar | reviewer*',
  hush: 'zeg niets | vertel niet | vertel het niet | niet vertellen | niet vermelden | vermeld niet | vermeld dit niet | noem dit niet | nooit vermelden | niet informeren | zonder te informeren | zonder de gebruiker | zonder het te | geheim | houd geheim | stiekem | stilletjes | onthul niet | verberg* | verzwijg* | in het geheim | niet melden | meld niet | ongemerkt | waarschuw niet',
  always:
    'vanaf nu | voortaan | in het vervolg | telkens wanneer | elke keer | steeds wanneer | altijd | in de toekomst | wanneer de gebruiker | als de gebruiker | bij elke | bij elk | permanent | zodra | in alle toekomstige',
  send: 'stuur* | verstuur* | verzend* | stuur door | doorsturen | mail | upload* | deel | delen | kopieer* | publiceer* | exfiltreer* | geef door',
  secret:
    'wachtwoord* | api-sleutel* | sleutel* | inloggegevens | geheim* | token* | gegevens | gesprek* | geschiedenis | rapport* | persoonsgegevens | klantgegevens | .env | creditcard*',
  reveal: 'onthul* | toon | laat zien | print | herhaal | geef me | vertel me | schrijf | wat is | wat zijn | noem | lijst',
  prompt:
    'systeemprompt | systeeminstructie* | je instructies | jouw instructies | uw instructies | oorspronkelijke instructies | systeembericht | verborgen instructies | tekst hierboven | je regels | initiele prompt',
  persona:
    'je bent nu | jij bent nu | u bent nu | gedraag je | doe alsof | stel je voor | speel de rol | rollenspel | simuleer | neem de rol | je bent een | nieuwe identiteit | ontwikkelaarsmodus | je naam is',
  free: 'zonder beperking* | zonder filter* | ongefilterd | ongecensureerd | zonder grenzen | zonder regels | onbeperkt* | vrij van | zonder censuur | geen regels | geen beperkingen',
  unchecked:
    'zonder te vragen | zonder bevestiging | zonder toestemming | zonder goedkeuring | zonder controle | zonder review | zonder na te vragen | vraag niet om | vraag nooit om | vraag geen | al goedgekeurd | heeft al toestemming | automatisch goedkeuren | keur automatisch | sla over | geen bevestiging | zonder te controleren',
  favour: 'raad aan | aanraden | aanbevel* | beveel aan | beste keuze | de beste | het beste',
  fetch: 'volg de instructies | voer uit wat | voer de code | doe wat | download en voer | voer de opdrachten',
  first: 'voordat je antwoordt | eerst | als eerste | voor alles',
  act: 'verwijder* | wis | maak over | betaal* | keur goed | voer uit | uitvoeren | koop | installeer* | roep aan | wijzig*',
  memory:
    'deze herinnering | deze notitie | sla op in je geheugen | werk je geheugen bij | onthoud | toekomstige gesprekken | volgende keer | deze instructie | dit record | je geheugen',
  only: 'zeg alleen | antwoord alleen | in plaats daarvan | niets anders | antwoord met | antwoord dat | en zeg | doe het volgende | nieuwe instructie* | nieuwe regel* | nieuwe opdracht',
  obey: 'gehoorzaam* | doe alles wat | volg mijn | ik ben je ontwikkelaar | ik ben de beheerder | ik ben je maker | je moet antwoorden',
  rank: 'voorrang | hoogste prioriteit | vervangt alle | boven de | gaat boven | prioriteit boven',
  describe:
    'aanval* | injectie* | injection | kwetsbaar* | kwaadaardig* | kwaadwillend* | voorbeeld* | dreiging* | detecteer* | risico* | geweigerd | blokkeer* | bescherm* | voorkom* | poging*',
}
