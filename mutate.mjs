import { readFileSync, writeFileSync, appendFileSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
const mutants = [
 ['src/http/retry.ts', "    isUnknown ||= ", "    isUnknown &&= "],
 ['src/http/retry.ts', "mayHaveActed ||= sent.certainty === 'unknown'", "mayHaveActed = false"],
 ['src/http/retry.ts', "if (certainty === 'unknown' && effect === 'act' && !isForAll) return undefined", ""],
 ['src/http/retry.ts', "response.status >= 500 || isLostResponse(response.status)", "response.status >= 500"],
 ['src/http/retry.ts', "response.status >= 500 || isLostResponse(response.status)", "isLostResponse(response.status)"],
 ['src/http/retry.ts', "      signal.throwIfAborted()\n", ""],
 ['src/http/retry.ts', "await clock.sleep(ms, signal)", "await clock.sleep(ms)"],
 ['src/http/retry.ts', "count > retries ||", ""],
 ['src/http/retry.ts', "certainty: mayHaveActed ? 'unknown' : 'not-sent'", "certainty: 'not-sent'"],
 ['src/http/request-gate.ts', "      signal.throwIfAborted()\n      if (this.#alone)", "      if (this.#alone)"],
 ['src/http/request-gate.ts', "      signal.addEventListener('abort', wake, { once: true })\n", ""],
 ['src/http/transport/exchange.ts', "certainty: isSent ? 'unknown' : 'not-sent'", "certainty: 'not-sent'"],
 ['src/http/transport/exchange.ts', "certainty: isSent ? 'unknown' : 'not-sent'", "certainty: 'unknown'"],
 ['src/http/message.ts', "if (failure instanceof Failure) return { certainty: 'not-sent', failure }", "if (failure instanceof Failure) return { certainty: 'unknown', failure }"],
 ['src/runs/steps/judge.ts', "  ['stop', ({ certainty }) => certainty === 'not-sent'],\n", ""],
 ['src/runs/steps/judge.ts', "  ['stop', ({ failure }) => failure instanceof InterruptedError || failure instanceof UnexpectedError],\n", ""],
 ['src/runs/steps/judge.ts', "  ['failed', ({ certainty }) => certainty === 'unknown'],\n", ""],
 ['src/runs/steps/judge.ts', "failure instanceof NotFoundError && failure.facts.isObject === true", "failure instanceof NotFoundError"],
 ['src/runs/steps/judge.ts', "  ['failed, and stop', ({ failure, isWrite }) => isWrite && isForeign(failure) && statusOf(failure) < 300],\n", ""],
 ['src/runs/steps/judge.ts', "statusOf(failure) === 403 && hasSucceeded", "statusOf(failure) === 403"],
 ['src/runs/steps/judge.ts', "&& statusOf(failure) !== 405", ""],
 ['src/runs/steps/judge.ts', "if (status === 202 || (isLater && status === 201)", "if (status === 202"],
 ['src/runs/steps/judge.ts', "if (status === 202 || (isLater", "if ((isLater"],
 ['src/runs/steps/judge.ts', "return unapplied.length > 0 ? notApplied(unapplied, status) : 'answered'", "return 'answered'"],
 ['src/runs/steps/judge.ts', "  ['failed', ({ failure }) => isLeftAlone(failure)],\n", ""],
 ['src/runs/steps/step.ts', "      if (sent.certainty === 'unknown') journal.noteUnknown(targets)\n      else if", "      if"],
 ['src/runs/steps/step.ts', "sent.certainty === 'not-sent' || isRefusal(sent.response)", "sent.certainty === 'not-sent'"],
 ['src/runs/steps/step.ts', "      journal.begin(targets)\n", ""],
 ['src/runs/steps/step.ts', "if (isLast) state.stop.abort(contradiction", "if (false) state.stop.abort(contradiction"],
 ['src/runs/steps/step.ts', "      if (verdict.is === 'done' && operation.wipes) await checkWiped(run, target)\n", ""],
 ['src/runs/steps/step.ts', "  if (isUncertain) return { status: 'deleted', evidence: 'inferred' }\n", ""],
 ['src/runs/steps/step.ts', "  if (!deletesEvents) return { status: 'gone'", "  if (true) return { status: 'gone'"],
 ['src/runs/steps/step.ts', "    if (verdict.stops) state.stop.abort(verdict.failure)\n", ""],
 ['src/runs/steps/step.ts', "  journal.noteSeen()\n", ""],
 ['src/runs/steps/proof.ts', "  const again = await lists.read()\n  if (again instanceof Failure) return { is: 'stop', failure: again }\n", ""],
 ['src/runs/steps/proof.ts', "  if (named instanceof Failure) return { is: 'stop', failure: named }\n", "  if (named instanceof Failure) return { is: 'gone' }\n"],
 ['src/runs/steps/proof.ts', "is: others.every(hadName) ? 'gone' : 'merged'", "is: 'gone'"],
 ['src/runs/steps/proof.ts', "return others.length === 0 ? { is: 'gone' } :", "return true ? { is: 'gone' } :"],
 ['src/runs/steps/batch-step.ts', "    journal.noteNothing(left)\n", ""],
 ['src/runs/steps/batch-step.ts', "      journal.noteUnaskedEvents(sent.length)\n", ""],
 ['src/runs/steps/batch-step.ts', "      state.stop.abort(unasked(sent.length))\n", ""],
 ['src/runs/steps/batch-step.ts', "    if (counts && counts.persons_found > 0) journal.noteSeen()\n", ""],
 ['src/runs/steps/batch-step.ts', "      run.journal.noteSeen()\n", ""],
 ['src/runs/steps/batch-step.ts', "return exit === 7 || status === 400 || status === 413", "return exit === 7"],
 ['src/jobs/journal.ts', "    if (what === 'sent') this.#requests[target] = uncertain\n", ""],
 ['src/jobs/journal.ts', "    if (what === 'nothing') this.#requests[target] = nothingDone\n", ""],
 ['src/jobs/journal.ts', "    if (before === 'deleted' || before === 'updated') return\n", ""],
 ['src/jobs/journal.ts', "this.#requests[target] ||= pending", "this.#requests[target] = pending"],
 ['src/jobs/journal.ts', "    this.#lock?.check()\n", ""],
 ['src/jobs/journal.ts', "    if (what === 'unasked') this.#unaskedEvents += target\n", ""],
 ['src/jobs/journal.ts', "    if (what === 'seen') this.#sawTarget = true\n", ""],
 ['src/jobs/journal.ts', "&& !this.#sawTarget ", ""],
 ['src/jobs/engine.ts', "    if (signal.aborted) return\n", ""],
 ['src/jobs/engine.ts', "  interrupted.addEventListener('abort', interrupt)\n", ""],
 ['src/jobs/engine.ts', "  if (first) await work(first)\n", "  if (first) void work(first)\n"],
 ['src/jobs/engine.ts', "  if (interrupted.aborted) return interrupted.reason\n", ""],
 ['src/jobs/receipt.ts', "  if (unaskedEvents > 0) return { deleted: true, unasked: true }\n", ""],
]
for (const [file, from, to] of mutants) {
  const text = readFileSync(file, 'utf8')
  if (!text.includes(from)) { appendFileSync('/tmp/mutants.log', `SKIP ${file} ${JSON.stringify(from)}\n`); continue }
  writeFileSync(file, text.replace(from, to))
  const { status, stdout } = spawnSync('npx', ['vitest', 'run', '--bail=2', '--testTimeout=90000', '--reporter=dot', 'test/transcripts.test.ts', 'test/runs', 'test/jobs', 'test/http'], { encoding: 'utf8' })
  writeFileSync(file, text)
  const failed = [...new Set([...stdout.replace(/\x1b\[[\d;]*m/g, '').matchAll(/FAIL\s+(.*)/g)].map(m => m[1].slice(0, 110)))].slice(0, 2)
  appendFileSync('/tmp/mutants.log', `${status === 0 ? 'SURVIVED' : 'killed'} ${file} ${JSON.stringify(from.trim().slice(0, 80))} <- ${failed.join(' | ')}\n`)
}
appendFileSync('/tmp/mutants.log', 'END\n')
