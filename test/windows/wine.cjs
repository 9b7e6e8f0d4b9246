/** Wine has no times for keep-alive, and refuses every connection for which they are set. */
const { Socket } = require('node:net')

Socket.prototype.setKeepAlive = function setKeepAlive() {
  return this
}
