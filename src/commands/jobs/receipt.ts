import { defineCommand } from '../../cli/command.ts'
import { flag, refuseBeside } from '../../cli/options.ts'
import { journalOf, readTargets } from '../../jobs/job.ts'
import { printReceipt, receiptOf } from '../../jobs/receipt.ts'
import { receiptPage } from '../../jobs/receipt-page.ts'
import { chooseJob, jobChoice } from './choose-job.ts'

export default defineCommand({
  summary: 'Print the receipt of a job as JSON or HTML',
  args: jobChoice.args,
  options: { ...jobChoice.options, html: flag('print one HTML page to attach or print') },
  examples: [
    'jobs receipt --last > receipt.json # Print as JSON',
    'jobs receipt --last --html > receipt.html # As a page',
  ],
  async run({ job: typed }, { html, last }, context) {
    const { fields } = context.config.options
    refuseBeside('A receipt is printed whole', { fields }, 'Remove --fields')
    const job = await chooseJob(context, typed, last)
    const receipt = receiptOf(job.header, journalOf(job), readTargets(job))
    return { data: { text: html ? receiptPage(receipt) : printReceipt(receipt) } }
  },
})
