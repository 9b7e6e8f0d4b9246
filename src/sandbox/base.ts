/** An address that no network has. */
export const sandboxBase = 'http://sandbox.invalid/'
