import type { Lexicon } from '../concepts.ts'

export const turkish: Lexicon = {
  consent: 'onayladı | izin verdi | kabul etti | razı oldu | onay verdi | onaylandı',
  override:
    'yok say* | görmezden gel* | unut* | dikkate alma* | uyma | uymayın | göz ardı et* | bırak | ihlal et* | geçersiz kıl* | atla | boşver | takip etme',
  prior:
    'önceki | daha önceki | yukarıdaki | tüm | bütün | senin | sizin | önceki* | daha önce | eski | ilk | orijinal | mevcut | şimdiye kadar*',
  rules:
    'talimat* | kural* | yönerge* | komut* | emir* | emr* | prompt* | istem* | kısıtlama* | politika* | mesaj* | sınırlama* | yönlendirme*',
  agent: 'asistan* | yapay zeka* | model* | ajan* | sohbet botu | bot | dil modeli*',
  user: 'kullanıcı* | müşteri* | kimse* | sahib*',
  hush: 'söyleme | söylemeyin | söylemeden | bahsetme* | belirtme | belirtmeden | bildirme* | haber verme* | açıklama yapma* | ifşa etme* | gizli tut* | gizlice | sessizce | sakla | gizle | haberi olmadan | bilgilendirme* | kimseye söyleme* | uyarmadan',
  always:
    'bundan sonra | şu andan itibaren | bundan böyle | artık | her zaman | her seferinde | ne zaman | gelecekte | kullanıcı sorduğunda | kullanıcı sorarsa | kalıcı olarak | daima | sorulduğunda | her konuşmada',
  send: 'gönder* | ilet* | yükle* | paylaş* | kopyala* | yayınla* | sızdır* | aktar* | postala*',
  secret:
    'şifre* | parola* | api anahtar* | anahtar* | kimlik bilgi* | sır* | gizli anahtar* | token* | veriler* | verisi* | konuşma* | geçmiş* | rapor* | kişisel | hesap*',
  reveal: 'göster* | yazdır* | tekrarla* | söyle | açıkla | ver | listele* | nedir | ifşa et | ortaya çıkar* | yaz',
  prompt:
    'sistem istem* | sistem prompt* | sistem talimat* | sistem mesaj* | talimatların* | senin talimat* | ilk talimat* | başlangıç talimat* | gizli talimat* | yukarıdaki metin* | kuralların*',
  persona:
    'artık sen | şimdi sen | sen artık | gibi davran* | rolünü | rol yap* | rolüne gir* | taklidi yap* | mış gibi yap* | simüle et* | yeni kimliğin | adın | geliştirici modu* | hayal et',
  free: 'kısıtlama olmadan | kısıtlamasız | sınırsız | filtresiz | sansürsüz | kuralsız | hiçbir kural* | hiçbir kısıtlama* | filtre olmadan | her şeyi yapabil*',
  unchecked:
    'sormadan | onay almadan | onaysız | onay isteme* | izin almadan | kontrol etmeden | doğrulamadan | inceleme olmadan | onay gerekmez | zaten onayla* | zaten izin | otomatik olarak onayla* | incelemeyi atla | denetimi atla | soru sormadan | teyit etmeden',
  favour: 'öner | önerin | tavsiye et* | en iyi | en iyisi | tercih et*',
  fetch: 'talimatları izle* | talimatlarını uygula* | talimatlara uy | kodu çalıştır* | indir ve çalıştır* | komutları çalıştır*',
  first: 'yanıtlamadan önce | cevap vermeden önce | her şeyden önce | öncelikle | kullanmadan önce | ilk olarak',
  act: 'sil | silin | havale | öde | onayla | çalıştır* | yürüt* | satın al* | kur | çağır* | değiştir*',
  memory:
    'bu hafıza* | bu kayıt* | bu bellek* | bu not* | hafızana kaydet* | belleğine kaydet* | hafızanı güncelle* | hatırla* | aklında tut* | gelecekteki konuşma* | bir dahaki sefere | bu talimat*',
  only: 'sadece | yalnızca | onun yerine | bunun yerine | başka bir şey | diye cevap ver* | diye yanıtla* | ve söyle | şunu yap | yeni talimat* | yeni kural* | yeni görev*',
  obey: 'itaat et* | boyun eğ* | söylediğim her | emirlerime uy* | ben senin geliştirici* | ben yönetici* | ben senin yaratıcı*',
  rank: 'önceliklidir | öncelik taşır | üstündür | en yüksek öncelik* | yerine geçer | tümünün yerini',
  describe:
    'saldırı* | saldırgan* | enjeksiyon* | zafiyet* | güvenlik açığı* | kötü niyetli* | örnek* | senaryo* | tehdit* | tespit* | reddedil* | engelle* | koru* | önle* | girişim*',
}
