/** Loaded before the program: a millisecond is a second by its clock. */
const { bigint } = process.hrtime
process.hrtime.bigint = () => bigint() * 1000n
