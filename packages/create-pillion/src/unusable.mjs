/** An answer that cannot be used. The message says why and what to do. */
export class Unusable extends Error {}
