#!/usr/bin/env node

const { readFileSync } = require('node:fs')
const { loadProgram, printPrepared } = require('./load.js')

const dist = `${__dirname}/../dist`
if (!printPrepared(process.argv.slice(2), () => readFileSync(`${dist}/prepared.json`, 'utf8'))) loadProgram(dist)
