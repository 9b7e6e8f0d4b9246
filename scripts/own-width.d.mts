import type { Plugin as Bundling } from 'esbuild'
import type { Plugin } from 'vite'

export const ownWidth: Bundling
export const tableWithOwnWidth: Plugin
