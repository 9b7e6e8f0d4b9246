#!/usr/bin/env node

const { readFileSync } = require('node:fs')
const { printPrepared } = require('./prepared.js')

const read = () => readFileSync(`${__dirname}/../dist/prepared.json`, 'utf8')
if (!printPrepared(process.argv.slice(2), read)) require('./load.js')
