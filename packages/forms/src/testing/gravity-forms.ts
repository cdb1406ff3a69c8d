/** Builds parts of a form object in the format of Gravity Forms' editor. */

type Members = Record<string, unknown>;

/** An optional field. @param more Settings that override the defaults. */
export const field = (id: number, type: string, label: string, more: Members = {}): Members => ({
  ...{ id, type, label, isRequired: false, inputs: null, choices: '', conditionalLogic: '', visibility: 'visible' },
  ...more,
});

/** A choice that is not preselected. */
export const choice = (text: string, value = text, more: Members = {}) => ({ text, value, isSelected: false, ...more });

/** Conditional logic that shows its field if the rules hold. */
export const show = (logicType: 'all' | 'any', ...rules: [fieldId: string, operator: string, value: string][]) => ({
  actionType: 'show',
  logicType,
  rules: rules.map(([fieldId, operator, value]) => ({ fieldId, operator, value })),
});
