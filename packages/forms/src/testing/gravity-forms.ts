/** Parts of a form object in Gravity Forms' own names, as its editor saves them. */

type Members = Record<string, unknown>;

/** A field that nobody has to fill in. @param more Other settings, over these. */
export const field = (id: number, type: string, label: string, more: Members = {}): Members => ({
  ...{ id, type, label, isRequired: false, inputs: null, choices: '', conditionalLogic: '', visibility: 'visible' },
  ...more,
});

/** One that is not chosen beforehand. */
export const choice = (text: string, value = text, more: Members = {}) => ({ text, value, isSelected: false, ...more });

/** Conditional logic that shows what it stands on where the rules hold. */
export const show = (logicType: 'all' | 'any', ...rules: [fieldId: string, operator: string, value: string][]) => ({
  actionType: 'show',
  logicType,
  rules: rules.map(([fieldId, operator, value]) => ({ fieldId, operator, value })),
});
