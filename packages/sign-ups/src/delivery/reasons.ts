/** The name that a reason begins with: what rows are counted, listed and sent again by. */
export const nameOfReason = (reason: string | null): string => (reason ?? 'new').replace(/[:(].*$/s, '').trim();

/** What an operator can do about each, by name; the companion plugin says the same in WordPress. */
export const REMEDIES: Record<string, string> = {
  'answers-refused': "WordPress found an answer wrong: change the field's rules there, then send it again.",
  'form-not-found': 'The form is inactive, in the trash or deleted: bring it back.',
  'form-closed': 'The form takes no more: raise its limit, or open its dates.',
  'form-button-hidden': "The condition on the form's button does not hold for it: change the condition.",
  'form-without-fields': 'The form has no fields: give it some.',
  'rest-api-off': 'WordPress knows no such address: switch the REST API on (Forms → Settings → REST API).',
  'key-refused': 'WordPress refuses the key: compare CONTENT_KEY and CONTENT_SECRET; npm run doctor says more.',
  'gravity-forms-updating': 'Gravity Forms is being updated: it goes on by itself.',
};
