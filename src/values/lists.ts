import { decodeValid } from '../json/exact.ts'
import { describe, type Kind, text } from './kinds.ts'

/** Empty items and JSON are refused, since servers replace the whole list. */
export const listItem: Kind<string> = {
  ...text,
  parse(value) {
    if (value.trim() === '') return { problem: 'an item of the list is empty' }
    return isContainer(value) ? { problem: 'the value is JSON, which would be stored as one item' } : { value }
  },
}

export function listOf<T>(item: Kind<T>): Kind<readonly T[]> {
  return {
    name: `list of ${item.name}s`,
    item,
    parse: value => {
      const one = item.parse(value)
      return 'value' in one ? { value: [one.value] } : one
    },
    check: value => {
      if (!Array.isArray(value)) return `must be a list, not ${describe(value)}`
      const index = value.findIndex(one => item.check(one) !== undefined)
      return index < 0 ? undefined : `item ${index + 1} ${item.check(value[index])}`
    },
  }
}

export const tagList: Kind<readonly string[]> = {
  ...listOf(listItem),
  takes: 'text, separated by commas',
  parse(text) {
    const tags = isContainer(text) ? [text] : text.split(',').map(tag => tag.trim())
    const wrong = tags.map(tag => listItem.parse(tag)).find(tag => 'problem' in tag)
    return wrong ?? { value: [...new Set(tags)] }
  },
}

function isContainer(text: string): boolean {
  return /^\s*[[{]/.test(text) && decodeValid(text) !== undefined
}
