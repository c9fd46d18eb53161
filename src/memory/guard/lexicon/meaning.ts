/** Everyday words by what they are about, beside the concepts of the rules: one meaning a line. A `*` stands for any ending of a word whose first five letters tell it. */
export const meanings = `
pay paid payment* pays transfer* wire wired refund* invoice* billing bill charge* salary salaries fee fees deposit* withdraw* money cash funds purchas* checkout
euro euros eur usd dollar* pound* bitcoin btc price* cost* budget* discount* iban account* bank banks wallet* card cards vendor* supplier* broker*
boss ceo cfo cto director* manager* admin admins administrator* lead leader* supervisor* officer* president chief head founder* creator* landlord
guest* visitor* patient* client* student* applicant* candidate* employee* colleague* staff member* partner* contractor* citizen* shopper* subscriber*
mother father mom dad sister brother friend* wife husband kids child* family grandm* grandf* birthday* wedding* dog dogs cat cats
mail mails email* inbox* mailbox* letter* message* sms slack chat chats channel* thread* dm newsletter*
file files folder* directory path paths document* attachment* spreadsheet* sheet sheets pdf archive* disk drive drives bucket*
repo repos repository repositories branch branches commit commits merge merged merging pr prs pull fork rebase squash tag tags changelog* release* version* lockfile diff diffs
npm pnpm yarn bun node deno cargo pip make docker kubernetes kubectl terraform helm webpack vite eslint prettier biome tsc typescript javascript python rust java react django
test tests testing unit lint linter format* build builds ci pipeline* compile* deploy* staging production rollout* rollback* coverage fixture* mock mocks
function* class classes method* module* variable* type types interface* component* endpoint* route* schema* query queries table* column* index migration* import imports export exports parameter* argument* field fields return returns null string strings array boolean
server servers service services host hosts node nodes pod pods cluster* cache queue* worker* database* db sql redis postgres* backup* replica* cron cronjob job jobs latency timeout* retry retries log logs metric* dashboard* alert alerts
readme docs documentation guide guides handbook* wiki runbook* adr rfc spec specs specification* section chapter* paragraph* heading* template* style convention* naming
issue issues ticket* bug bugs fix fixed fixes incident* outage* postmortem* regression* sprint* backlog* milestone* roadmap* story stories epic kanban scrum retro
meeting* minutes agenda* attendee* decided decision* agreed action owner due deadline* monday tuesday wednesday thursday friday weekly quarter* notes vote voted
key keys token tokens password* credential* secret* certificate* vault login logins cookie* session* id_rsa ssh env otp passcode* pin
call calls called tool tools invoke* plugin* api apis webhook* request* script* command* shell curl bash http https url urls link links website* page pages
run runs ran running execut* launch* start starts started install* download* upload* load loads open opens opened click* visit* browse* fetch*
delete* remov* erase* wipe* purge* drop dropp* destroy* clear clears discard* uninstall* revoke* disable* deactivat* cancel* close closes
approve* accept* confirm* agree* grant* allow* authoriz* authoris* permit* permission* consent* sign signed clearance waive* blanket advance preapp*
before first prior beforehand earlier already previously initially beginning start* upfront
after then afterwards later next finally subsequently once done finished complete* continue* proceed* resume*
whenever always each every everytime everyone constantly permanent* forever henceforth ongoing standing default
never no not none nothing nobody without neither nor cannot refuse* deny denie* reject* decline* forbid* prohibit* avoid* skip skips omit* exclude* leave
say says said tell tells told mention* state states claim* declare* announce* inform* report* explain* describe* respond* reply replies answer* write writes written print output outputs display* show shows
know knows learn learns notice* aware see sees find finds discover* realiz* suspect* wonder* hear hears remember* recall* forget* forgot*
quiet quietly silent* secretl* hidden hide hides private* privacy confidential* discreet* unnotic* invisib* covert* stealth* background conceal*
best better top superior leading excellent outstanding perfect trusted reliable safest ideal favourite favorite preferred recommend* suggest* promot* advertis* sponsor* endors*
worst bad worse inferior unreliable unsafe dangerous discontinued outdated deprecated broken scam overpriced avoid competitor* rival* alternative* others
product* brand* company companies provider* plan plans subscription* shop store offer offers campaign* market* customer* sales review* rating* star stars
pretend* imagin* act acting role roles play plays playing persona* character* simulat* impersonat* imitat* game games fictional scenario* hypothet* story roleplay* mode modes
unfilter* uncensor* unrestrict* unlimit* limitless free freedom lawless illegal immoral unethic* harmful explicit vulgar swear* curse* insult* offensive dark evil rebel*
obey* obedien* loyal* serve serves servant* submit* comply* complian* master masters owner slave command* loyalty allegiance
instruct* rule rules guideline* polic* directive* order orders constraint* restriction* limit limits limitation* safeguard* guardrail* filter filters safety ethic* moral* principle* training programm*
system developer* operator* vendor* model models assistant* bot bots agent agents ai llm llms chatbot* gpt chatgpt claude gemini copilot machine* robot* openai anthropic
prompt prompts context preamble configuration* config setup initial initiali* hidden original above verbatim exact exactly literal* entire* complete whole full
note notes memo memory memories record records remark* reminder* preference* prefer* profile* fact facts entry entries remembered saved stored
attack* attacker* injection* malicious* exploit* vulnerab* threat* adversar* phishing* jailbreak* payload* poison* leak leaks leaked exfiltrat* spoof* tamper* intru* breach*
detect* prevent* protect* mitigat* defend* defens* block blocked blocks sanitiz* sanitis* validat* verif* escape escapes escaped encrypt* decrypt* audit* monitor* flagged
research* paper papers study studies dataset* benchmark* experiment* evaluat* measur* result* figure* table hypothes* method* author*
passport* ssn address* phone* birth* medical health* diagnos* doctor* nurse* dose personal* sensitive* confidential* identity*
image* picture* photo* video* audio screen* pixel* render* html css white font style color colour size span div comment*
text word words sentence* phrase* letter letters line lines paragraph* language english french german spanish translat* summar* article* essay poem song joke*
recipe* cook* food lunch dinner coffee cake bread restaurant* hotel* flight* trip travel* holiday* vacation beach mountain* weather rain sun garden* music movie* film book books paint* run marathon* yoga
happy glad love loved great awesome amazing nice wow thanks thank cool excited sorry sad proud hope feel feeling feels enjoy*
legal law laws court contract* compliance gdpr regulator* licence license* terms lawyer* tax taxes insur* government police
emergency urgent* urgency immediat* important critical asap attention warning* priority now instantly quickly 
verify* check checks checked review* reviewed inspect* ask asks asked asking question* confirm wait waits human humans person people
number* code codes digits base64 hex rot13 encode* decode* cipher* encrypted binary emoji* morse unicode characters
wichtig geheim* heimlich* niemals niemand immer jedes jeder jede jeweils zuerst sofort stets künftig fortan bevor danach ohne kein keine keinen nicht nie
toujours jamais chaque avant après sans aucun aucune désormais dorénavant immédiat* ensuite systématiq* discrèt*
siempre nunca cada antes después sin ningún ninguna inmediat* luego primero jamás ahora adelante
sempre nunca mai ogni cada prima dopo senza nessun* nenhum* subito agora depois adesso
всегда никогда каждый каждая каждое каждого сначала сразу перед после без никто никому теперь отныне впредь
`
