import { endpointOf } from '../api/effects.ts'
import type { Request, Send } from '../http/message.ts'

export function announceDocumentShape(send: Send, say: (text: string) => void): Send {
  let isSaid = false
  return async request => {
    const response = await send(request)
    if (!isSaid && response.status < 300 && isOf(request)) {
      isSaid = true
      say('sandbox: this is the shape that the document shows; servers answer otherwise: see --dialect observed')
    }
    return response
  }
}

function isOf({ method, url }: Request): boolean {
  return endpointOf(method, url.pathname)?.returns.shape === 'undocumented'
}
