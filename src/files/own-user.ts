import { userInfo } from 'node:os'

/** In some containers the system does not know the user. */
export function ownUser(): number | undefined {
  try {
    return userInfo().uid
  } catch {
    return undefined
  }
}
