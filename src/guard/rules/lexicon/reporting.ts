import type { Lexicon } from '../concepts.ts'

/** Words of reports about attacks in many languages, one line of them for each group of languages. */
export const reporting: Lexicon = {
  report: [
    "attacker | attackers | attacker's | adversary | adversaries | adversarial | malicious user | malicious users | malicious actor | malicious actors | malicious insider | threat actor | threat actors | prompt injection | prompt injections | prompt-injection | indirect injection | injection attack | injection attacks | jailbreaking | jail-breaking | jailbreak attempt | jailbreak attempts | payload used | attack scenario | attack scenarios | example attack | vulnerability | vulnerabilities | exploitation technique | red team | red teaming | owasp | mitigation | mitigations | we reject | is rejected | are rejected | rejects | the guard | threat model | pentest | test case | expects a rejection | memory poisoning | tool poisoning | role manipulation | red-team | our filter | the filter | exfiltration | jailbreak prompts | prompt leakage | social engineering | phishing | poisoned tool | were refused | was refused",
    'atacante | atacantes | usuario malicioso | inyección de prompts | inyección indirecta | vulnerabilidad | agente malicioso | agressor | invasor | usuário malicioso | injeção de prompt | injeção indireta | vulnerabilidade | attaquant | attaquants | utilisateur malveillant | injection de prompt | injection indirecte | vulnérabilité | aggressore | attaccante | utente malintenzionato | vulnerabilità',
    'angreifer | angreifende | angreifern | prompt-injection | prompt injections | schwachstelle | böswillige* | aanvaller | aanvallers | kwaadwillende | kwetsbaarheid',
    'злоумышленник* | атакующ* | промпт-инъекц* | уязвимост* | инъекци* промпт* | зловмисник* | вразливіст* | atakujący | napastnik | podatność | saldırgan | saldırganlar | zafiyet',
    'المهاجم | مهاجم | حقن الأوامر | ثغرة | תוקף | תוקפים | הזרקת | हमलावर | इंजेक्शन | भेद्यता | আক্রমণকারী | مهاجم | آسیب‌پذیری',
    '攻击者 | 提示词注入 | 提示注入 | 间接注入 | 恶意用户 | 漏洞 | 攻撃者 | プロンプトインジェクション | 脆弱性 | 悪意のある | 공격자 | 프롬프트 인젝션 | 취약점 | 악의적인 | kẻ tấn công | lỗ hổng | penyerang | injeksi prompt | kerentanan | ผู้โจมตี | ช่องโหว่',
  ].join(' | '),
}
