import type { Store } from './store.ts'

type Fact = 'key' | 'clock'

export function readFact(store: Store, name: Fact): string | undefined {
  return store.get<{ value: string }>('SELECT value FROM facts WHERE name = ?', name)?.value
}

export function keepFact(store: Store, name: Fact, value: string): void {
  store.run('INSERT INTO facts VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value', name, value)
}
