import { foldIn } from './fold.ts'
import { LANGUAGES, type Language, type LanguageSet, toLanguageSet } from './language.ts'

/**
 * Function words and question words of each language, without accents where a fold removes them. They tell languages
 * apart and say little about what a text is about.
 */
const STOP_WORDS: Record<Language, string> = {
  en: `a about after again all also am an and any are as at be because been before being between both but by can could did do does doing
    done for from had has have having he her here hers him his how i if in into is it its just like me more most much many my no nor not
    of off often on only or other our ours out over own please s said same she should so some such t than that the their theirs them then
    there these they this those through to too under until up us very was we were what when where which while who whom whose why will
    with would you your yours im ive dont doesnt didnt isnt wasnt cant id youre thats whats`,
  es: `a al algo algun alguna algunas algunos ante antes aquel aquella como con contra cual cuales cuando cuanto cuanta cuantos cuantas de
    del desde donde dos durante e el ella ellas ellos en entre era eran es esa esas ese eso esos esta estaba estan estas este esto estos
    fue fueron ha habia hace hacia han hasta hay la las le les lo los mas me mi mientras mucho muchos muy nada ni no nos nosotros o otra
    otras otro otros para pero poco por porque que quien quienes se segun ser si sido sin sobre son su sus tambien tanto te tenia tiene
    tienen toda todas todo todos tras tu un una unas uno unos y ya yo`,
  fr: `a ai alors apres au aucun aussi autre autres aux avait avant avec avez avoir c ce cela celle celles celui ces cet cette ceux chez
    combien comme comment d dans de depuis des donc dont du elle elles en encore entre est et etaient etait ete etes etre eu eux fait
    il ils j je l la laquelle le les leur leurs lors lui m ma mais me meme mes moi mon n ne nos notre nous on ont ou par pas pendant peu
    peut plus pour pourquoi qu quand que quel quelle quelles quels qui quoi s sa sans se ses si son sont sous sur t ta te tes toi ton
    tous tout toute toutes tres tu un une vers vos votre vous y`,
  de: `aber alle allem allen aller alles als also am an andere anderen auch auf aus bei beim bin bis bist da damit dann das dass dein dem
    den denn der des dessen deren die dies diese diesem diesen dieser dieses doch dort du durch ein eine einem einen einer eines er es
    etwa fur gegen haben hat hatte hatten hier ich ihm ihn ihr ihre ihrem ihren ihrer im in ins ist ja jede jedem jeden jeder jedes kann
    kein keine konnen konnte man mehr mein mit nach nicht noch nun nur ob oder ohne sehr sein seine seinem seinen seiner seit sich sie
    sind so soll sondern uber um und uns unser unter viel viele vom von vor wann war waren warum was wegen weil welche welchem welchen
    welcher welches wenn wer werden wem wen wie wieviel wieviele wir wird wo woher wohin wurde wurden zu zum zur zwischen`,
  it: `a ad agli ai al alla alle allo anche avere aveva c che chi ci come con cosa cui d da dagli dai dal dalla dalle dallo degli dei del
    della delle dello di dopo dove e ed era erano essere fa fra furono gli ha hanno ho i il in io l la le lei li lo loro lui ma mi mia
    mio molto ne negli nei nel nella nelle nello no noi non nostro o ogni per perche piu poi prima qual quale quali quando quanti quanto
    quanta quante quella quelle quelli quello questa queste questi questo se si sia sono sta stata stato su sua sue sugli sui sul sulla
    sulle suo suoi tra tu tutti tutto un una uno vi`,
  pt: `a ainda ao aos aquela aquele as ate com como da das de dela dele deles depois do dos e ela elas ele eles em entre era eram essa
    esse esta estao estava este eu foi foram ha isso isto ja la lhe lhes mais mas me mesmo meu minha muito muitos na nao nas nem no nos
    nossa nosso num numa o onde os ou para pela pelas pelo pelos por porque qual quais quando quanto quantos quantas que quem se sem ser
    seu seus so sobre sua suas tambem te tem tinha um uma umas uns voce voces`,
  nl: `aan al alle als andere ben bij daar dan dat de der deze die dit doen door dus een en er geen had hadden hebben heeft hem het hier
    hij hoe hoeveel hun ik in is ja je kan kon kunnen maar me meer met mijn na naar niet nog nu of om omdat ons onder ook op over te tegen
    tot uit van veel voor waar waarom wanneer was wat we welk welke wel werd werden wie wij worden wordt zal ze zich zij zijn zo zonder zou`,
  sv: `alla allt att av bland blev bli blir da de dem den denna deras dess det detta dig din dit du efter ej eller en er ett finns for fran
    ha hade han hans har hon honom hur hur i icke in inte jag ju kan kunde man med mellan men mig min mot mycket nar nagon nagot ni nu och
    om oss pa sa samma sedan sig sin sina skulle som till under upp ut utan vad var vara varfor vem vi vid vilka vilken vilket`,
  da: `af alle andet andre at blev blive bliver da de dem den denne der deres det dette dig din disse dog du efter eller en end er et for
    fra ham han hans har havde have hende her hos hun hvad hvem hvilken hvilke hvilket hvor hvordan hvorfor hvornar i ikke ind jeg jo kan
    kunne man mange med meget men mig min mit mod ned noget nogle nu og ogsa om op os over pa sa se sig sin skal skulle som til ud under
    var ved vi vil ville være været`,
  fi: `ei eivat eli en että han hanen he heidan hän häntä ja jo joka jolla jonka jos jossa jotka kanssa kenen keta koska kuin kuinka kuka
    kun kuten me mika miksi milloin milla minka minä minun missa mita miten mitka moni mukaan mutta muun myos ne niiden niin noin nyt oli
    olisi olivat olla olleet ollut on ovat se sen siella siihen sille silla sina sita tai tama tata tahan vain vaikka voi han`,
  ro: `a acea aceasta aceste acest acestea acestui ai al ale am ar are asupra atunci au avea avut ca care carei carui cat cate cati catre ce
    cel cele cei cea cine cu cum cand da dar datorita de deci deja despre din dintre doar dupa e ea ei el ele era erau este eu fi fie fiind
    fost in intr intre isi la lor lui ma mai mult multe multi ne nici noi nu o or pe pentru poate prin sa sai sale sau se si sub sunt
    sunt te toate tot tu un una unde unei unor unui va`,
  hu: `a abban ahhoz ahogy ahol aki akik akkor alatt altal ami amely amelyek amikor az azok azon azt azzal be belul benne csak de e egesz egy
    egyes egyik el ellen elso elott en es ez ezek ezen ezt fel ha hanem hany hogy hogyan hol honnan igen is itt jol ki kik kit lehet lesz
    lett mar meg melyik mely mert mi miert mikor milyen mint mit most nagy nagyon ne nem neki nelkul o ok ott pedig s sem soran szamara
    szerint ti tobb ugy utan vagy van vannak volt voltak`,
  tr: `ama ancak bana bazı bazi ben beni benim bir biri biz bu buna bunda bundan bunlar bunu bunun cok cunku da daha de defa diye gibi gore
    hangi hangisi hem hep her hic icin ile ise kac kadar kendi ki kim kime kimin mi mı mu mü nasıl nasil ne neden nedir nerede nereye
    nicin niye o olan olarak oldu olduğu oldugu olmak olur on ona onlar onu onun sadece sen siz su tarafindan tarafından tum uzerine var ve
    veya ya yani yok zaman`,
  ru: `а без более был была были было быть в вам вас ведь весь во вот все всего всех вы где да даже для до его ее если есть еще же за зачем
    здесь и из или им их к как какая какие какое какой каком какую когда кого кому кто куда ли либо между меня мне много может можно мой мы
    на над надо нам нас не него нее нет ни них но ну о об один он она они оно от откуда очень по под после потом потому почему при про раз
    с сам свою себя сколько со так также такой там те тем то того тоже только том тот ты у уже чего чей чем через что чтобы чье чья эта эти
    это этого этой этом этот я которые который которая которое которого которой`,
  uk: `а або але без би був була були було бути в вам вас ви від він вона вони воно все всі для до де є же з за зі і із її їх його й коли
    кого кому куди ми між мій мене мені на навіщо над нам нас не ні них о по при про та так також там те ти тим то того той тому тільки у
    хто це цей ця ці чи чим чому що щоб як яка яке які який якого якої якому якщо`,
  el: `α αλλα αν απο αυτα αυτες αυτη αυτο αυτοι αυτος αυτου αυτους αυτων για γιατι δε δεν εαν ειναι ειχαν ειχε εκεινα εκεινη ενα εναν ενας
    επισης ετσι εχει εχουν η ηταν θα και κατα κι με μεσα μετα μη μην μια μας να ο οι ομως οποια οποιο οποιος οποιου οπου οπως οταν οτι
    ποια ποιες ποιο ποιοι ποιον ποιος ποιου ποσα ποσες ποση ποσο ποσοι ποσους ποτε που προς πως σαν σας σε στα στη στην στις στο στον στους
    στων συμφωνα τα τη την της τι τις το τον του τους των ως`,
  ar: `في من الى على عن مع هذا هذه ذلك تلك التي الذي الذين ما ماذا متي متى اين كيف كم لماذا هل من هو هي هم نحن انا انت كان كانت يكون قد
    لقد ثم او و ف ب ل لا لم لن ان انه انها بعد قبل بين كل بعض غير عند عندما حيث اي ايه كما لكن اذا منذ حتى حول ضد`,
  hi: `और का की के में से है हैं को पर यह वह ये वे था थे थी ने एक कि जो इस उस इन उन तो भी नहीं क्या कौन कब कहाँ कहां क्यों कैसे कितना कितने कितनी
    किस किसने किसे किसके किसकी कौनसा कौन सी सा हो होता होती होते हुआ हुई हुए कर करता करते करने करना किया गया गई गए जा जाता रहा रहे रही लिए साथ
    तक द्वारा अपने अपनी अपना बाद था या अगर लेकिन जब तब मैं हम आप तुम`,
  id: `ada adalah agar akan aku anda antara apa apakah atau bagaimana bagi bahwa banyak beberapa belum berapa bisa dalam dan dapat dari
    dengan di dia hanya harus hingga ia ini itu jika juga kami kamu kapan karena ke kepada kita lebih maka mana mengapa mereka namun oleh
    pada para pernah saat saja sangat saya sebagai sebuah secara sedang sejak seperti serta setelah siapa sudah tak telah tentang
    terhadap tersebut tidak untuk yaitu yang`,
  pl: `a aby ale ani bardzo bez bo byc byl byla bylo byly ci co czy czym dla do dlaczego gdy gdzie go i ich ile im ja jak jaka jakie jaki
    jako jednak jego jej jest jestem jeszcze juz kiedy kto ktora ktore ktory ktorych ktorej ktorym ma mi mnie moze na nad nas nie niz o od
    on ona one oni oraz po pod przed przez przy sa sie sobie swoje ta tak takze tam te tego tej ten to tu tylko tym w we wiec wszystko z
    za ze`,
  cs: `a aby ale ani az bez bude by byl byla byli bylo byt ci co coz do ho i ja jak jake jaky jako je jeho jej jeji jejich jen jeste ji
    jsem jsou k kam kde kdo kdy kdyz ke kolik ktera ktere ktery kteri ma mezi mi mu muze na nad ne nebo nez o od on ona oni pak po pod podle
    pouze pro proc proto protoze pred pri s se si sve ta tak take tam te ten tento teto tim to toho tohoto tom tu ty u uz v ve vsak z za ze`,
  vi: `ai anh bao bằng bị bởi bạn các cái cho chúng cùng cũng có của do dưới giữa gì hay họ hoặc hơn khi không là lại lên mà mọi một mỗi mấy
    nào này nên nếu nhiều như nhưng những nó ở qua ra rằng rất rồi sao sau sẽ ta thì thế theo tôi trên trong trước tại từ và vào vậy về vì với
    vẫn đang đâu đã đây đến để đó được`,
  fa: `و در به از که این را با است برای آن یک خود تا کرد بر هم نیز شده شد می های ها بود ما او من تو شما آنها باید هر یا اما اگر چه چرا چگونه کجا
    کدام چند چیست آیا بین پس پیش بعد قبل همه هیچ دیگر کند کنند میشود هستند بودند دارد دارند کنید شود باشد نمی وی های هایی ای اند`,
  he: `של את על עם לא זה זו זאת הוא היא הם הן אני אתה אנחנו אל מה מהו מהי מי איך איפה היכן מתי למה מדוע איזה איזו כמה כי אם או גם כל יש אין היה
    הייתה היתה היו להיות אשר אבל רק עוד כך כמו בין לפני אחרי עד מן בו בה לו לה להם`,
}

/** The stop words of a language, folded as words of that language are. */
function stopWords(language: Language): string[] {
  return STOP_WORDS[language].split(/\s+/).map((word) => foldIn(word, language))
}

const LANGUAGES_BY_STOP_WORD = new Map<string, LanguageSet>()
for (const language of LANGUAGES)
  for (const word of stopWords(language))
    LANGUAGES_BY_STOP_WORD.set(word, (LANGUAGES_BY_STOP_WORD.get(word) ?? 0) | toLanguageSet(language))

/** The languages in which a folded word is a stop word. */
export function languagesOfStopWord(word: string): LanguageSet {
  return LANGUAGES_BY_STOP_WORD.get(word) ?? 0
}

/**
 * Pairs of characters of function words, question words and endings of Chinese, Japanese and Korean, and triples of
 * those of Thai. They say little about what a text is about.
 */
const STOP_GRAMS = new Set(
  `什么 怎么 么样 怎样 为什 是什 有什 么是 么时 如何 哪里 哪个 哪些 哪一 一个 多少 几个 是否 这个 那个 我们 你们 他们 么办
    です ます ませ せん した して する すか ある ない いる いま った って てい こと もの これ それ どれ この その どの から まで ので のは には とは では でし しょ ょう
    うか どう うや やっ どこ いつ だれ なぜ くだ ださ さい つい いて とい いう など なに 何で 何を 何が 何か は何
    무엇 언제 어디 어떻 떻게 어떤 누가 입니 니까 습니 니다 인가 가요 나요 인지 하는 에서 으로
    อะไ ะไร ทำไ ำไม อย่ ย่า ่าง างไ งไร ที่ ไหน เมื คือ เป็ ป็น และ`.split(/\s+/),
)
const HIRAGANA = /^\p{Script=Hiragana}$/u

/** Whether an n-gram is, most often, part of a function word, a question word or an ending. A single Hiragana is. */
export function isStopGram(gram: string): boolean {
  return STOP_GRAMS.has(gram) || HIRAGANA.test(gram)
}
