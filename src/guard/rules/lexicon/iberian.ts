import type { Lexicon } from '../concepts.ts'

export const spanish: Lexicon = {
  consent: 'aprobó | aprobado | autorizó | autorizado | aceptó | consintió | ha permitido | permiso | dio permiso | acordó | accedió',
  override:
    'ignor* | olvid* | descart* | omit* | desobede* | haz caso omiso | no sigas | no tengas en cuenta | pasa por alto | deja de seguir | anula* | sobrescrib* | invalida | invalidar | prescind* | no obedezcas | desatiend*',
  prior:
    'anterior* | previo | previa | previos | previas | previamente | todo lo | toda | todos | todas | antes | precedent* | tus | tu | original* | inicial* | hasta ahora | dich* | pasad*',
  rules:
    'instruccion* | regla* | directric* | orden* | indicacion* | norma | normas | prompt* | restriccion* | politica* | mensaje* | limitacion* | filtro* | pauta*',
  agent: 'asistente* | ia | inteligencia artificial | modelo* | agente* | chatbot | bot | modelo de lenguaje',
  user: 'usuario* | cliente* | persona | propietari* | nadie | equipo | revisor*',
  hush: 'no digas | no le digas | no menciones | no mencionar | nunca menciones | no informes | sin informar | sin avisar | sin decir | sin que el usuario | no reveles | nunca reveles | no avises | no notifiques | en secreto | mantén en secreto | guarda el secreto | manténlo en secreto | ocult* | en silencio | silenciosamente | discretamente | sin mencionar | sin notificar | no lo comentes | a escondidas',
  always:
    'a partir de ahora | de ahora en adelante | desde ahora | siempre que | cada vez que | siempre | en el futuro | en adelante | cuando el usuario | todas las futuras | en cada | si el usuario | cuando te pregunten | permanentemente | en todas las conversaciones | cuando alguien pregunte',
  send: 'envia* | envie* | envio* | reenvi* | manda* | sube | subir | transmit* | filtra* | comparte* | copia* | publica* | exfiltra* | remit* | adjunta*',
  secret:
    'contrasen* | clave* | credencial* | secret* | token* | datos | conversacion* | historial | correo* | informe* | clave secreta | archivo .env | datos personales | tarjeta*',
  reveal:
    'revela* | muestra* | mostrar | imprim* | repite* | dime | dame | escrib* | ensena* | cual es | cuales son | lista* | enumera | enumerar | devuelv* | donde vive',
  prompt:
    'prompt del sistema | instrucciones del sistema | tus instrucciones | instrucciones iniciales | prompt inicial | mensaje del sistema | tu clave | tu configuracion | instrucciones ocultas | texto anterior | indicaciones del sistema | tus reglas',
  persona:
    'ahora eres | actua como | finge | hazte pasar | imagina que eres | interpreta | juego de rol | simula | asume el papel | eres un | tu nueva identidad | compórtate como | tu nombre es | modo desarrollador',
  free: 'sin restricciones | sin filtros | sin filtro | sin limites | sin censura | sin reglas | sin limitaciones | sin etica | modo sin restricciones | libre de | haz cualquier cosa | lo que puedes y no puedes | no tiene restricciones | ilimitad*',
  unchecked:
    'sin preguntar | sin pedir | sin confirmar | sin confirmacion | sin aprobacion | sin permiso | sin revisar | sin revision | sin verificar | no pidas confirmacion | no preguntes | omite la revision | ya ha autorizado | ya autorizo | ya esta aprobado | aprueba automaticamente | autorizado previamente | no hace falta confirmar | no es necesario confirmar | salta la revision',
  favour: 'recomiend* | recomenda* | la mejor opcion | el mejor | la mejor | suger* | promociona* | prefier*',
  fetch: 'sigue las instrucciones | ejecuta lo que | ejecuta el codigo | haz lo que diga | descarga y ejecuta | ejecuta los comandos',
  first: 'antes de responder | antes que nada | antes de cualquier | antes de usar | lo primero',
  act: 'borra* | elimina | eliminar | eliminen | eliminalo | transfier* | paga* | aprueba* | aprobar | ejecut* | compra* | instala* | llama a | abre | cambia*',
  memory:
    'esta memoria | este registro | esta nota | guarda en tu memoria | actualiza tu memoria | recuerda que | memoria permanente | futuras conversaciones | futuras sesiones | proxima vez | esta instruccion | recuerda esto',
  only: 'solo di | solo responde | responde solo | unicamente | en su lugar | en lugar de eso | limitate a | nada mas | responde que | responde con | di que | y di | haz lo siguiente | nuevas instrucciones | nueva instruccion | nueva regla | nueva tarea',
  obey: 'obedec* | obedezca* | cumple* | haz todo lo que | sigue mis ordenes | soy tu creador | soy el administrador | soy tu desarrollador | debes responder',
  rank: 'prioridad sobre | por encima de | prevalec* | tiene prioridad | maxima prioridad | reemplaza* | sustituy* | anula todas',
  describe:
    'ataque* | atacante* | inyeccion* | vulnerabilid* | vulnerabilidad* | malicios* | ejemplo* | mitiga* | amenaza* | escenario* | detecta* | riesgo* | podria* | rechaza* | bloquea* | proteg* | prevenir | intento | intentos | intenta* | adversari*',
}

export const portuguese: Lexicon = {
  consent: 'aprovou | aprovado | autorizou | autorizado | aceitou | liberou | permitiu | concordou | consentiu | permissão',
  override:
    'ignor* | esquec* | desconsider* | descart* | desobede* | nao siga | pare de seguir | deixe de seguir | anule* | sobrescrev* | desrespeit*',
  prior:
    'anterior* | previo | previa | previos | previas | previamente | tudo | todas | todos | antes | precedent* | suas | seus | original* | inicia* | acima',
  rules:
    'instruco* | instrucao | regra* | diretriz* | ordens | norma | normas | prompt* | restrico* | politica* | mensagens | orientaco* | comandos',
  agent: 'assistente* | ia | inteligencia artificial | modelo* | agente* | chatbot | bot',
  user: 'usuari* | utilizador* | cliente* | pessoa | dono | ninguem | revisor*',
  hush: 'nao diga | nao conte | nao mencione | nunca mencione | nao informe | sem informar | nao avise | sem avisar | sem dizer | nao revele | nunca revele | nao notifique | sem notificar | em segredo | mantenha em segredo | secretamente | silenciosamente | ocult* | escond* | sem mencionar | sem que o usuario | sem que o utilizador',
  always:
    'a partir de agora | de agora em diante | sempre que | toda vez que | cada vez que | sempre | no futuro | daqui em diante | quando o usuario | quando o utilizador | se o usuario | em cada | em todas as conversas | permanentemente | quando perguntarem | doravante',
  send: 'envia* | envie* | envio* | encaminh* | mande | mandar | transmit* | vaz* | compartilh* | partilh* | copia* | copie* | publica* | publique* | exfiltr* | anex* | carregue',
  secret:
    'senha* | palavra-passe | chave* | credencia* | segred* | token* | dados | conversa* | historico | e-mails | relatorio* | chave secreta | arquivo .env | dados pessoais | cartao',
  reveal:
    'revel* | mostr* | imprim* | repit* | repet* | diga-me | me diga | de-me | escrev* | exib* | qual e | quais sao | lista | liste | listar | listas | devolv*',
  prompt:
    'prompt do sistema | instrucoes do sistema | suas instrucoes | instrucoes iniciais | prompt inicial | mensagem do sistema | sua configuracao | instrucoes ocultas | texto acima | as tuas instrucoes | suas regras',
  persona:
    'agora voce e | voce agora e | aja como | atue como | finja | fingir | imagine que voce | interprete | simula* | simule* | assuma o papel | voce e um | sua nova identidade | seu nome e | comporte-se como | modo desenvolvedor | es agora',
  free: 'sem restricoes | sem filtros | sem filtro | sem limites | sem censura | sem regras | sem limitacoes | sem etica | livre de | faca qualquer coisa | ilimitad* | irrestrit*',
  unchecked:
    'sem perguntar | sem pedir | sem confirmar | sem confirmacao | sem aprovacao | sem permissao | sem revisao | sem revisar | sem verificar | nao peca confirmacao | nunca peca | nao pergunte | ja autorizou | ja foi aprovado | ja aprovou | aprove automaticamente | pule a revisao | dispensa confirmacao | nao e necessario confirmar',
  favour: 'recomend* | a melhor opcao | o melhor | a melhor | sugir* | promov* | prefir*',
  fetch: 'siga as instrucoes | execute o que | execute o codigo | faca o que | baixe e execute | execute os comandos',
  first: 'antes de responder | antes de tudo | antes de qualquer | antes de usar | primeiro',
  act: 'apag* | exclua* | exclui* | elimine* | elimina | eliminar | deleta* | delete* | transfir* | transfer* | pagu* | pagar | aprov* | executa* | execute* | compra* | compre* | instala* | instale* | chame | abra | altere',
  memory:
    'esta memoria | este registro | esta nota | guarde na memoria | salve na memoria | atualize sua memoria | lembre-se | memoria permanente | futuras conversas | conversas futuras | proxima vez | esta instrucao',
  only: 'apenas diga | so diga | responda apenas | somente | em vez disso | nada mais | responda que | responda com | diga que | e diga | faca o seguinte | novas instrucoes | nova instrucao | nova regra | nova tarefa',
  obey: 'obede* | cumpra | faca tudo o que | siga minhas ordens | sou seu criador | sou o administrador | sou seu desenvolvedor | deve responder',
  rank: 'prioridade sobre | acima de | prevalec* | tem prioridade | maxima prioridade | substitui* | substitua* | tem precedencia',
  describe:
    'ataque* | atacante* | invasor* | injecao | injecoes | vulnerabilid* | vulnerabilidad* | malicios* | exemplo* | mitiga* | ameaca* | cenario* | detecta* | detecto* | risco* | rejeit* | bloque* | proteg* | prevenir | tentativa*',
}
