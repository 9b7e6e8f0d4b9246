/** Where the sandbox is said to be: an address that no network has. */
export const sandboxBase = 'http://sandbox.invalid/'
