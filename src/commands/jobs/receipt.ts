import { resolve } from 'node:path'
import { defineCommand } from '../../cli/command.ts'
import { option } from '../../cli/options.ts'
import { writePrivateFile } from '../../files/private-file.ts'
import { backupPathsOf } from '../../jobs/job.ts'
import { receiptAgain } from '../../jobs/receipts/make-receipt.ts'
import { printReceipt } from '../../jobs/receipts/receipt.ts'
import { receiptPage } from '../../jobs/receipts/receipt-page.ts'
import { noData } from '../../result.ts'
import { refuseSameFile } from '../../runs/checks/same-file.ts'
import { newFile } from '../../values/kinds.ts'
import { jobChoice, openChosen } from './jobs-in-use.ts'

export default defineCommand({
  summary: 'Write the receipt of a job again, as JSON or as a page to print',
  details:
    'The receipt comes from what the job keeps; no request is sent. It names who began the job and the backup that was given then; the digest of the backup is that of the file as it is now. The JSON goes to stdout; with --html only the page is written.',
  args: jobChoice.args,
  options: {
    ...jobChoice.options,
    html: option(newFile, 'FILE', 'write the receipt to this file as one page of HTML'),
  },
  examples: [
    'jobs receipt 20260515-120000-i000 > receipt.json # As JSON',
    'jobs receipt 20260515-120000-i000 --html receipt.html # As a page to print',
  ],
  async run({ job: typed }, { html, last }, context) {
    const { host, values } = context
    const job = await openChosen(context, { job: typed, last }, 'receipt')
    refuseSameFile(context, { '--html': html }, backupPathsOf(job))
    const receipt = receiptAgain(host, job)
    if (html !== undefined && !values.dryRun) {
      writePrivateFile(resolve(host.cwd, html), '--html', receiptPage(receipt))
    }
    if (html !== undefined) return { data: noData }
    return { data: { text: printReceipt(receipt) } }
  },
})
