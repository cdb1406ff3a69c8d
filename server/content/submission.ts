/** What WordPress made of a sign-up. */
export type Submission =
  | { isValid: true; confirmation: { type: 'message'; html: string } | { type: 'redirect'; url: string } }
  /** Messages by input name: `input_1`. */
  | { isValid: false; errors: Record<string, string> };
