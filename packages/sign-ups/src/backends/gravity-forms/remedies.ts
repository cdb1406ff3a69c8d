/** What an operator can do for each reason. The companion plugin shows the same in WordPress. */
export const REMEDIES: Record<string, string> = {
  'answers-refused': "WordPress rejected an answer: change the field's rules, then send the sign-up again.",
  'form-not-found': 'The form is inactive, in the trash or deleted: restore it.',
  'form-closed': 'The form is closed: raise its limit, or open its dates.',
  'form-button-hidden': "The condition on the form's button is not met: change the condition.",
  'form-without-fields': 'The form has no fields: add one.',
  'rest-api-off': 'WordPress does not know this address: switch on the REST API (Forms → Settings → REST API).',
  'key-refused': 'WordPress refuses the key: check CONTENT_KEY and CONTENT_SECRET. npm run doctor says more.',
  'body-too-large':
    "WordPress' web server refuses large requests: set client_max_body_size 12m in nginx, or LimitRequestBody 12582912 in Apache.",
  'gravity-forms-updating': 'Gravity Forms is being updated. Delivery continues after the update.',
};
