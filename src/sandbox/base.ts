/** This host exists in no network. */
export const sandboxBase = 'http://sandbox.invalid/'
