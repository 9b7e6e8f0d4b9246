const words = /(?<![a-z])(?:tokens?|secrets?|pass_?words?|web_?hooks?)(?![a-z])/i

/** `slack_incoming_webhook`, `properties.push_token`, `apiToken` and `passWord`, but not `tokenizer`. */
export function isSecretName(name: string): boolean {
  return words.test(name.replace(/[a-z\d](?=[A-Z])|[A-Z](?=[A-Z][a-z])/g, '$&_'))
}

const parameterNames = /(?:api|access|private)[_-]?key|signature/i

const user = /\b([a-z][a-z\d+.-]*:\/\/)[^\s/?#"'<>]*:[^\s/?#"'<>]*@/gi
const parameter = /([?&;#])([^\s?&;#="'<>]+)=([^\s&;#"'<>]+)/g

/** Hides `user:password@` and the values of parameters such as `private_token=` in every URL of the text. */
export function maskUrls(text: string): string {
  if (!text.includes('=') && !text.includes('://')) return text
  return text
    .replace(user, '$1***@')
    .replace(parameter, (whole, start: string, name: string) =>
      isSecretParameter(name) ? `${start}${name}=***` : whole,
    )
}

function isSecretParameter(name: string): boolean {
  const decoded = name.replace(/%([2-7][\da-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
  return isSecretName(decoded) || parameterNames.test(decoded)
}
